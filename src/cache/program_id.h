/* SPDX-License-Identifier: MIT */
/* Private to cache/: what tells this very program from others, and from other versions of it. */
#ifndef CACHE_PROGRAM_ID_H
#define CACHE_PROGRAM_ID_H

#include <stddef.h>
#include <stdint.h>

/* The GNU build-id in the program's notes; NULL: it has none. Static. */
const uint8_t *program_id(size_t *size);

#endif
