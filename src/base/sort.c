/* SPDX-License-Identifier: MIT */
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/large.h"

#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)
#define FEW        48 /* up to so many items are sorted by insertion */

static bool is_sorted(const struct sort_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (items[i].key < items[i - 1].key)
            return false;
    return true;
}

static void insert_each(struct sort_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct sort_item item = items[i];
        size_t at = i;

        for (; at > 0 && items[at - 1].key > item.key; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* One pass of a radix sort: by the digit at `shift`. */
static void distribute(const struct sort_item *from, struct sort_item *to, size_t count,
                       unsigned shift)
{
    size_t starts[DIGITS] = {0}, sum = 0;

    for (size_t i = 0; i < count; i++)
        starts[from[i].key >> shift & (DIGITS - 1)]++;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        size_t here = starts[digit];

        starts[digit] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[starts[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

enum status sort_items(struct sort_item *items, size_t count)
{
    struct sort_item *other, *from = items, *to;
    uint64_t differing = 0;

    if (is_sorted(items, count))
        return STATUS_OK;
    if (count <= FEW) {
        insert_each(items, count);
        return STATUS_OK;
    }
    to = other = large_alloc(count * sizeof(*other));
    if (!other)
        return STATUS_NO_MEMORY;
    for (size_t i = 1; i < count; i++)
        differing |= items[i].key ^ items[0].key;
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        struct sort_item *sorted = to;

        if ((differing >> shift & (DIGITS - 1)) == 0)
            continue;
        distribute(from, to, count, shift);
        to = from;
        from = sorted;
    }
    if (from != items)
        memcpy(items, from, count * sizeof(*items));
    free(other);
    return STATUS_OK;
}
