/* SPDX-License-Identifier: MIT */
/*
 * Memory of the child process that reads debug information. Without memory the child exits with
 * CHILD_EXIT_MEMORY, which the parent handles as any other end, so that these functions never fail.
 */
#ifndef VARIABLES_DWARF_CHILD_MEMORY_H
#define VARIABLES_DWARF_CHILD_MEMORY_H

#include <stddef.h>

#define CHILD_EXIT_MEMORY 3

/* Returns `size` zeroed bytes from calloc; never NULL. */
void *child_alloc(size_t size);

/*
 * Makes room in the array `items` for `want` elements of `size` bytes, as vec_reserve; returns the
 * array, which may have moved.
 */
void *child_reserve(void *items, size_t *cap, size_t want, size_t size);

#endif
