/* SPDX-License-Identifier: MIT */
/*
 * Ranges of addresses, of which the last one that was added holds where they overlap, found in
 * O(log² n) however they overlap.
 */
#ifndef BASE_OVERLAY_H
#define BASE_OVERLAY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define OVERLAY_RANGES_MAX (UINT32_C(4) << 20)
#define OVERLAY_LEVELS_MAX 24u /* of so many ranges */

struct overlay_range {
    uint64_t start_addr, end_addr; /* start < end */
    uint32_t data;                 /* the caller's */
};

struct overlay_piece;

struct overlay_level {
    struct overlay_piece *pieces; /* owned; ascending; the last one ends the last range: nobody's */
    size_t len;
    size_t from, to; /* ranges */
};

/*
 * The levels have ranges that follow each other, made disjoint. A new range holds over all before
 * it, but to sort all anew each time some are added would take too long: the first level has the
 * oldest ranges and the most, each further one less than half as many.
 */
struct overlay {                  /* zero it to begin with */
    struct overlay_range *ranges; /* owned; in the order they were added in */
    size_t len, cap;
    struct overlay_level levels[OVERLAY_LEVELS_MAX];
    unsigned level_count;
};

void overlay_clear(struct overlay *overlay);
void overlay_deinit(struct overlay *overlay);

/* NOT_FOUND: there are too many, it is left out; NO_MEMORY. */
MUST_CHECK enum status overlay_add(struct overlay *overlay, const struct overlay_range *range);

/* What was added can be found from then on. NO_MEMORY. */
MUST_CHECK enum status overlay_sort(struct overlay *overlay);

/* Of those that are sorted: the last one that holds the address; NULL: none. */
const struct overlay_range *overlay_at(const struct overlay *overlay, uint64_t addr);

/*
 * Those that are sorted, begin in [start, end), and hold where they begin: calls `take` for each,
 * in no order. What is not OK ends it and is returned.
 */
typedef enum status overlay_take_fn(void *context, const struct overlay_range *range);
MUST_CHECK enum status overlay_each(const struct overlay *overlay, uint64_t start_addr,
                                    uint64_t end_addr, overlay_take_fn *take, void *context);

#endif
