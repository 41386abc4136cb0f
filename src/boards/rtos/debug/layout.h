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
 * Sets *out to the layout of the firmware in the ELF file at `path`; run-time addresses are
 * `bias` + vaddr. NOT_FOUND: no system of RTOS_LIST is in the file. UNSUPPORTED, BAD_DATA: the file
 * cannot be used; IO: cannot be read; `diag` says why. NO_MEMORY. On failure *out is NULL.
 */
MUST_CHECK enum status rtos_layout_load(const char *path, int64_t bias, struct rtos_layout **out,
                                        struct diag *diag);
/*
 * Does what rtos_layout_load does, for a program with rights that the file's author must not get: a
 * process that can do nothing else (confine/child.h) parses the file. UNSUPPORTED also if that
 * process died or was too slow. Names of objects are cut to RTOS_NAME_MAX bytes.
 */
MUST_CHECK enum status rtos_layout_load_apart(const char *path, int64_t bias,
                                              struct rtos_layout **out, struct diag *diag);

/*
 * For tests: the encoding in which that process returns a layout. rtos_layout_flatten writes `out`
 * and returns the bytes written; rtos_layout_restore decodes them. BAD_DATA: `flat` is no such
 * encoding; NO_MEMORY; *out is NULL then.
 */
#define RTOS_LAYOUT_FLAT_MAX ((size_t)128 << 10)
size_t rtos_layout_flatten(const struct rtos_layout *layout, uint8_t out[RTOS_LAYOUT_FLAT_MAX]);
MUST_CHECK enum status rtos_layout_restore(const uint8_t *flat, size_t size,
                                           struct rtos_layout **out);

void rtos_layout_destroy(struct rtos_layout *layout);

#endif
