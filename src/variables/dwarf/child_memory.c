/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/child_memory.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/vec.h"

void *child_alloc(size_t size)
{
    void *memory = calloc(1, size > 0 ? size : 1);

    if (!memory)
        _exit(CHILD_EXIT_MEMORY);
    return memory;
}

void *child_reserve(void *items, size_t *cap, size_t want, size_t size)
{
    if (vec_reserve(&items, cap, want, size) != STATUS_OK)
        _exit(CHILD_EXIT_MEMORY);
    return items;
}
