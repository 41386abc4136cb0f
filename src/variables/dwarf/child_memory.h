/* SPDX-License-Identifier: MIT */
/*
 * Memory of the child that reads debug information: where there is no more, it ends, and the parent
 * takes that as it takes any other end.
 */
#ifndef VARIABLES_DWARF_CHILD_MEMORY_H
#define VARIABLES_DWARF_CHILD_MEMORY_H

#include <stddef.h>

#define CHILD_EXIT_MEMORY 3

/* Zeroed. */
void *child_alloc(size_t size);

/* Room for `want` elements of `size` bytes; as vec_reserve, and gives the array back. */
void *child_reserve(void *items, size_t *cap, size_t want, size_t size);

#endif
