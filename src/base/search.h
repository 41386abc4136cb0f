/* SPDX-License-Identifier: MIT */
/*
 * Binary search, in place and inline: the items stay where and as they are, and no function is
 * called for a comparison.
 */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>

/*
 * The first index `i` in [first, end) for which `before` is false, or `end`. `before` is an
 * expression of `i`, true for all items up to some place and false from there on; it is evaluated
 * O(log n) times. Of items that ascend by a key:
 *
 *     SEARCH_FIRST(i, 0, count, items[i].key < key)     the first that has the key, or a higher one
 *     SEARCH_FIRST(i, 0, count, items[i].key <= key)    the first that has a higher one
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
