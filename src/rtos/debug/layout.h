/* SPDX-License-Identifier: MIT */
/*
 * The layout of a firmware's RTOS, from its ELF file: addresses of variables from the symbol table,
 * offsets, sizes, counts and values from the debug information (DWARF 2 to 5).
 *
 * Nothing but the C library is needed for it, as the program that captures is linked statically.
 */
#ifndef RTOS_DEBUG_LAYOUT_H
#define RTOS_DEBUG_LAYOUT_H

#include "rtos/rtos.h"

/*
 * `bias`: from the file's addresses to those where it was loaded. NOT_FOUND: it has none of the
 * systems in RTOS_LIST. UNSUPPORTED, BAD_DATA: it has one that cannot be used, as `diag` says,
 * which names what is missing. IO: it cannot be read. `diag` is filled whenever it is not OK, but
 * of NO_MEMORY.
 */
MUST_CHECK enum status rtos_layout_load(const char *path, int64_t bias, struct rtos_layout **out,
                                        struct diag *diag);
/*
 * The same, for who has rights that the file's author must not get: it is looked at by a process
 * that can do nothing else (confine/child.h). UNSUPPORTED also where that has died or was too slow.
 * Names of objects have RTOS_NAME_MAX bytes at most.
 */
MUST_CHECK enum status rtos_layout_load_apart(const char *path, int64_t bias,
                                              struct rtos_layout **out, struct diag *diag);

/* For tests: a layout as that process answers it, and back. NULL, BAD_DATA: it makes no sense. */
#define RTOS_LAYOUT_FLAT_MAX ((size_t)128 << 10)
size_t rtos_layout_flatten(const struct rtos_layout *layout, uint8_t out[RTOS_LAYOUT_FLAT_MAX]);
MUST_CHECK enum status rtos_layout_restore(const uint8_t *flat, size_t size,
                                           struct rtos_layout **out);

void rtos_layout_destroy(struct rtos_layout *layout);

#endif
