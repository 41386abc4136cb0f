/* SPDX-License-Identifier: MIT */
/*
 * Overlapping intervals made disjoint. At each address the best of the
 * intervals that hold it wins; a look-up is a binary search.
 *
 * Best is: the lower group, then the later start (the inner one), the higher rank, the earlier end,
 * the lower id. Symbols use it (groups: global, local, unsized), so do units, rows of line tables,
 * and functions (groups: the deeper inlined, the lower).
 */
#ifndef BASE_INTERVAL_H
#define BASE_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct interval {
    uint64_t start, end; /* empty when start >= end: left out */
    uint32_t id;         /* below UINT32_MAX */
    uint8_t group, rank;
};

struct interval_piece { /* disjoint, ascending */
    uint64_t start, end;
    uint32_t id;
};

struct interval_set;

/* By start; those with the same start stay in their order. */
MUST_CHECK enum status interval_sort(struct interval *intervals, size_t count);

/* `intervals` is sorted by start, and may be freed afterwards. O(n log n), at most 2n pieces. */
MUST_CHECK enum status interval_set_create(const struct interval *intervals, size_t count,
                                           struct interval_set **out);
void interval_set_destroy(struct interval_set *set);

/* The id of the best interval that holds `addr`; NOT_FOUND. */
MUST_CHECK enum status interval_set_find(const struct interval_set *set, uint64_t addr,
                                         uint32_t *id);

/* The piece that holds `addr`; NOT_FOUND. */
MUST_CHECK enum status interval_set_piece(const struct interval_set *set, uint64_t addr,
                                          struct interval_piece *out);

/* Gives the interval that was `i` the id ids[i]. */
void interval_set_rename(struct interval_set *set, const uint32_t *ids);

/*
 * The pieces one after the other: *at is 0 at first, and where the next one is afterwards. False:
 * there are no more.
 */
bool interval_set_next(const struct interval_set *set, size_t *at, struct interval_piece *out);

#endif
