/* SPDX-License-Identifier: MIT */
/*
 * The memory of Capstone, which writes through a null pointer where it is given none (4.0.2: the
 * index of its instructions, made at the first one that is decoded, and what cs_open sets up).
 *
 * When there is no more a reserve takes over, which is enough for what Capstone asks for until the
 * caller has its own failed allocation to return with. The shortage is noted (shortage.h).
 */
#ifndef ARCH_ANALYSIS_CAPSTONE_MEMORY_H
#define ARCH_ANALYSIS_CAPSTONE_MEMORY_H

#include <capstone/capstone.h>

/* For cs_option's CS_OPT_MEM. Static storage; for any thread. */
const cs_opt_mem *capstone_memory(void);

#endif
