/* SPDX-License-Identifier: MIT */
/*
 * Growing arrays. The caller keeps pointer, length and capacity; the pointer is of the items' type.
 *
 *     if (vec_reserve(&p->items, &p->cap, p->len + 1, sizeof(*p->items)) != STATUS_OK) ...
 *     p->items[p->len++] = item;
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

#include "base/status.h"

/*
 * Grows the array, by doubling, to a capacity of at least `want` elements of `size` bytes. `items`
 * is the address of the array's pointer; that pointer and *cap change. Fails with NO_MEMORY only;
 * then nothing has changed.
 */
MUST_CHECK enum status vec_grow(void *items, size_t *cap, size_t want, size_t size);

/* Calls vec_grow if *cap is less than `want`; else does nothing and returns OK. */
MUST_CHECK static inline enum status vec_reserve(void *items, size_t *cap, size_t want, size_t size)
{
    return want <= *cap ? STATUS_OK : vec_grow(items, cap, want, size);
}

#endif
