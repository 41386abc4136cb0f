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
void rtos_layout_destroy(struct rtos_layout *layout);

#endif
