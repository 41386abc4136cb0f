/* SPDX-License-Identifier: MIT */
/*
 * Memory of the child that reads debug information: when there is none left the child exits with
 * CHILD_EXIT_MEMORY, which the parent handles as any other end.
 */
#ifndef VARIABLES_DWARF_CHILD_MEMORY_H
#define VARIABLES_DWARF_CHILD_MEMORY_H

#include <stddef.h>

#define CHILD_EXIT_MEMORY 3

/* Allocates zeroed bytes. */
void *child_alloc(size_t size);

/* Makes room for `want` elements of `size` bytes, as vec_reserve; returns the array. */
void *child_reserve(void *items, size_t *cap, size_t want, size_t size);

#endif
