/* SPDX-License-Identifier: MIT */
/*
 * Finds the layout of a firmware's RTOS in its ELF file: addresses of variables from the symbol
 * table; offsets, sizes, counts and values from the debug information (DWARF 2 to 5).
 *
 * Needs nothing but the C library, as the program that captures is linked statically.
 */
#ifndef BOARDS_RTOS_DEBUG_LAYOUT_H
#define BOARDS_RTOS_DEBUG_LAYOUT_H

#include "boards/rtos/rtos.h"

/*
 * Loads the layout; `bias` is the load bias. NOT_FOUND: no system of RTOS_LIST. UNSUPPORTED,
 * BAD_DATA: unusable; IO: unreadable. On failure `diag` says what is missing, except for NO_MEMORY.
 */
MUST_CHECK enum status rtos_layout_load(const char *path, int64_t bias, struct rtos_layout **out,
                                        struct diag *diag);
/*
 * rtos_layout_load for a program with rights that the file's author must not get: a process that
 * can do nothing else (confine/child.h) parses the file. UNSUPPORTED also if that process died or
 * was too slow. Names of objects are cut to RTOS_NAME_MAX bytes.
 */
MUST_CHECK enum status rtos_layout_load_apart(const char *path, int64_t bias,
                                              struct rtos_layout **out, struct diag *diag);

/* For tests: encode a layout as that process does; decode it. BAD_DATA (*out: NULL); NO_MEMORY. */
#define RTOS_LAYOUT_FLAT_MAX ((size_t)128 << 10)
size_t rtos_layout_flatten(const struct rtos_layout *layout, uint8_t out[RTOS_LAYOUT_FLAT_MAX]);
MUST_CHECK enum status rtos_layout_restore(const uint8_t *flat, size_t size,
                                           struct rtos_layout **out);

void rtos_layout_destroy(struct rtos_layout *layout);

#endif
