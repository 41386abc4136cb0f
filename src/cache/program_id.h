/* SPDX-License-Identifier: MIT */
/* Identifies this program and its version by its build-id. Private to cache/. */
#ifndef CACHE_PROGRAM_ID_H
#define CACHE_PROGRAM_ID_H

#include <stddef.h>
#include <stdint.h>

/* Returns the running program's GNU build-id, *size bytes in static storage; NULL: it has none. */
const uint8_t *program_id(size_t *size);

#endif
