/* SPDX-License-Identifier: MIT */
/* Stable sorting by a 64-bit key in linear time, for the many addresses of a large file. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct sort_item {
    uint64_t key;
    uint32_t id;   /* the caller's: the item that has this key */
    uint32_t data; /* the caller's: anything else about the item */
};

/* Sorts in ascending order of the key; stable. Fails with NO_MEMORY only. */
MUST_CHECK enum status sort_items(struct sort_item *items, size_t count);

#endif
