/* SPDX-License-Identifier: MIT */
/* Sorts by a 64-bit key, stably and in linear time, for the many addresses of a large file. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct sort_item {
    uint64_t key;
    uint32_t id;   /* for the caller's use: says which item has this key */
    uint32_t data; /* for the caller's use: anything else about the item */
};

/*
 * Sorts `count` items in place, in ascending order of the key; stable. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status sort_items(struct sort_item *items, size_t count);

#endif
