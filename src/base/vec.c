/* SPDX-License-Identifier: MIT */
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum status vec_grow(void *items, size_t *cap, size_t want, size_t size)
{
    size_t next = *cap ? *cap : 8;
    size_t bytes;
    void *old;
    void *grown;

    while (next < want)
        if (__builtin_mul_overflow(next, (size_t)2, &next))
            return STATUS_NO_MEMORY;
    if (__builtin_mul_overflow(next, size, &bytes))
        return STATUS_NO_MEMORY;
    memcpy(&old, items, sizeof(old));
    grown = realloc(old, bytes);
    if (!grown)
        return STATUS_NO_MEMORY;
    memcpy(items, &grown, sizeof(grown));
    *cap = next;
    return STATUS_OK;
}
