/* SPDX-License-Identifier: MIT */
#include "base/large.h"

#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

void *large_alloc(size_t size)
{
    void *memory;

    if (size < HUGE_PAGE)
        return malloc(size);
    if (posix_memalign(&memory, HUGE_PAGE, size) != 0)
        return NULL;
    madvise(memory, size & ~(HUGE_PAGE - 1), MADV_HUGEPAGE);
    return memory;
}
