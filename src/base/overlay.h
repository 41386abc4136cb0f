/* SPDX-License-Identifier: MIT */
/*
 * Address ranges that may overlap: at each address the range that was added last wins. A look-up
 * takes O(log^2 n), however the ranges overlap.
 */
#ifndef BASE_OVERLAY_H
#define BASE_OVERLAY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define OVERLAY_RANGES_MAX (UINT32_C(4) << 20)
#define OVERLAY_LEVELS_MAX 24u /* enough for OVERLAY_RANGES_MAX */

struct overlay_range {
    uint64_t start_addr, end_addr; /* start_addr < end_addr */
    uint32_t data;                 /* for the caller's use */
};

struct overlay_piece;

struct overlay_level {
    struct overlay_piece *pieces; /* owned; in ascending order; the last piece has no range */
    size_t len;                   /* number of pieces */
    size_t from, to;              /* the level holds overlay.ranges[from] to [to - 1] */
};

/*
 * Each level holds consecutive ranges, made disjoint. Rebuilding a single level for each addition
 * would take too long: the first level has the oldest ranges and the most, each further level less
 * than half as many as the level before. At each address the latest level wins.
 */
struct overlay {                  /* all zero to begin with */
    struct overlay_range *ranges; /* owned; in the order of addition */
    size_t len, cap;
    struct overlay_level levels[OVERLAY_LEVELS_MAX];
    unsigned level_count;
};

void overlay_clear(struct overlay *overlay);
void overlay_deinit(struct overlay *overlay);

/*
 * Adds a copy of `range`, which look-ups see after the next overlay_sort. NOT_FOUND: the range is
 * not added, as there are OVERLAY_RANGES_MAX already. NO_MEMORY.
 */
MUST_CHECK enum status overlay_add(struct overlay *overlay, const struct overlay_range *range);

/* Makes all ranges that were added visible to look-ups. Fails with NO_MEMORY only. */
MUST_CHECK enum status overlay_sort(struct overlay *overlay);

/*
 * Returns the range that wins at `addr`, of those added before the last overlay_sort; borrowed
 * until the next change. NULL: no range contains `addr`.
 */
const struct overlay_range *overlay_at(const struct overlay *overlay, uint64_t addr);

/*
 * overlay_each calls take(context, range), in no particular order, for each range that starts in
 * [start_addr, end_addr), wins at its start, and was added before the last overlay_sort. A result
 * of `take` other than OK ends the iteration and is returned.
 */
typedef enum status overlay_take_fn(void *context, const struct overlay_range *range);
MUST_CHECK enum status overlay_each(const struct overlay *overlay, uint64_t start_addr,
                                    uint64_t end_addr, overlay_take_fn *take, void *context);

#endif
