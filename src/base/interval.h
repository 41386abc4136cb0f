/* SPDX-License-Identifier: MIT */
/*
 * Overlapping intervals [start, end) made disjoint: each address belongs to the best interval that
 * contains it. A look-up is a binary search.
 *
 *     intervals   A |---------------------|        group 1
 *                 B      |---------|               group 1: starts later than A
 *                 C          |--|                  group 2
 *     pieces        |-A--|----B----|--A---|
 *
 * The better of two intervals has the lower group, else the later start (the inner one), else the
 * higher rank, else the earlier end, else the lower id. Used for symbols (groups: global, local,
 * unsized), units, rows of line tables, and functions (the deeper inlined, the lower the group).
 */
#ifndef BASE_INTERVAL_H
#define BASE_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct interval {
    uint64_t start, end; /* [start, end); the interval is ignored when start >= end */
    uint32_t id;         /* the caller's; below UINT32_MAX */
    uint8_t group, rank; /* decide between overlapping intervals, see above */
};

struct interval_piece { /* a part of an interval; the pieces of a set are disjoint */
    uint64_t start, end;
    uint32_t id; /* of the interval that the piece is a part of */
};

struct interval_set;

/* Sorts `count` intervals by start, in place; stable. Fails with NO_MEMORY only. */
MUST_CHECK enum status interval_sort(struct interval *intervals, size_t count);

/*
 * Makes the set of `count` intervals, which the caller has sorted by start and which are copied.
 * The caller calls interval_set_destroy. Takes O(n log n) and makes at most 2n pieces. Fails with
 * NO_MEMORY only.
 */
MUST_CHECK enum status interval_set_create(const struct interval *intervals, size_t count,
                                           struct interval_set **out);
void interval_set_destroy(struct interval_set *set);

/* Sets *id to the id of the best interval that contains `addr`. NOT_FOUND: none does. */
MUST_CHECK enum status interval_set_find(const struct interval_set *set, uint64_t addr,
                                         uint32_t *id);

/* Fills *out with the piece that contains `addr`. NOT_FOUND: none does. */
MUST_CHECK enum status interval_set_piece(const struct interval_set *set, uint64_t addr,
                                          struct interval_piece *out);

/* Replaces each id `i` in the set by ids[i]. */
void interval_set_rename(struct interval_set *set, const uint32_t *ids);

/*
 * Iterates over the pieces in ascending order: fills *out with the next piece and advances *at,
 * which the caller sets to 0 before the first call. False: there are no more.
 */
bool interval_set_next(const struct interval_set *set, size_t *at, struct interval_piece *out);

#endif
