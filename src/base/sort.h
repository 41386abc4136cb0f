/* SPDX-License-Identifier: MIT */
/*
 * Sorting by a 64-bit key in linear time: for addresses, of which files have by the hundred
 * thousand.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct sort_item {
    uint64_t key;
    uint32_t id;   /* whose key it is */
    uint32_t data; /* goes along, for whom the way to the id's own is too far */
};

/* Ascending by key; items with the same key stay in their order. Only NO_MEMORY fails. */
MUST_CHECK enum status sort_items(struct sort_item *items, size_t count);

#endif
