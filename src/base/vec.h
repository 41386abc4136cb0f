/* SPDX-License-Identifier: MIT */
/*
 * Growing an array: the caller holds pointer, length and capacity of its own type.
 *
 *     if (vec_reserve(&p->items, &p->cap, p->len + 1, sizeof(*p->items)) != STATUS_OK) ...
 *     p->items[p->len++] = item;
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

#include "base/status.h"

/*
 * Makes room for `want` elements of `size` bytes. `items` is the address of the array pointer. On
 * NO_MEMORY the array is as it was. Growth is geometric.
 */
MUST_CHECK enum status vec_grow(void *items, size_t *cap, size_t want, size_t size);

MUST_CHECK static inline enum status vec_reserve(void *items, size_t *cap, size_t want, size_t size)
{
    return want <= *cap ? STATUS_OK : vec_grow(items, cap, want, size);
}

#endif
