/* SPDX-License-Identifier: MIT */
/*
 * Memory for Capstone, which writes through a null pointer when an allocation fails (4.0.2: the
 * index of its instructions, made when the first one is decoded, and the state that cs_open sets
 * up).
 *
 * When memory runs out, a static reserve takes over, large enough until the caller's own failed
 * allocation makes it return. The shortage is noted (shortage.h).
 */
#ifndef ARCH_ANALYSIS_CAPSTONE_MEMORY_H
#define ARCH_ANALYSIS_CAPSTONE_MEMORY_H

#include <capstone/capstone.h>

/* Returns allocation functions for cs_option's CS_OPT_MEM. Static storage; thread-safe. */
const cs_opt_mem *capstone_memory(void);

#endif
