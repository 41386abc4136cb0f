/* SPDX-License-Identifier: MIT */
/* Searches binarily without copying the items and without a call for each comparison. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>

/*
 * Yields the first index `i` in [first, end) for which `before` is false, or `end`. `before` is an
 * expression in `i`, true up to some index and false from there on; it is evaluated O(log n) times.
 * For items in ascending order of a key:
 *
 *     SEARCH_FIRST(i, 0, count, items[i].key < key)     the first item with `key` or a higher key
 *     SEARCH_FIRST(i, 0, count, items[i].key <= key)    the first item with a higher key
 */
#define SEARCH_FIRST(i, first, end, before)                                                        \
    ({                                                                                             \
        size_t search_low = (first), search_high = (end);                                          \
                                                                                                   \
        while (search_low < search_high) {                                                         \
            size_t i = search_low + (search_high - search_low) / 2;                                \
                                                                                                   \
            if (before)                                                                            \
                search_low = i + 1;                                                                \
            else                                                                                   \
                search_high = i;                                                                   \
        }                                                                                          \
        search_low;                                                                                \
    })

#endif
