/* SPDX-License-Identifier: MIT */
/*
 * Places the frames of a flame graph: each below its caller, as wide as its weight. Siblings are in
 * fold_compare's order, from left to right.
 *
 *     |  all                          |     weight 0 .. total
 *     |  main              | clone    |     level 0
 *     |  f        | g | +  |              1     +: callees that are left out
 *
 * There are frames for the FLAME_FRAMES_MAX heaviest nodes of the fold at most, on FLAME_LEVELS_MAX
 * levels. The callees of a caller that are left out are one frame without a node, if it is wide
 * enough.
 */
#ifndef OUTPUT_FLAME_LAYOUT_H
#define OUTPUT_FLAME_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "output/fold.h"

#define FLAME_FRAMES_MAX 8000u
#define FLAME_LEVELS_MAX 250u

struct flame_frame {
    uint32_t node;         /* of the fold; TRIE_NONE: callees that are left out */
    uint32_t count;        /* number of these callees; 0: the frame is a function */
    uint32_t level;        /* 0: outermost */
    uint64_t start;        /* weight to its left */
    uint64_t weight, base; /* now, in the baseline */
};

struct flame_layout {           /* zeroed: empty */
    struct flame_frame *frames; /* owned; callers before callees */
    size_t count, cap;
    uint32_t levels; /* that have frames */
    bool is_full;    /* frames were left out as there are FLAME_FRAMES_MAX */
    /* Weight that is left out: in frames that are too narrow or too many; that are too deep. */
    uint64_t narrow, deep;
    uint64_t gone; /* baseline's weight in calls that have no weight now, hence no width */
};

/*
 * Places the frames of a FOLD_NODES fold; nodes lighter than `least`, which is not 0, are too
 * narrow. Fails only with NO_MEMORY, and leaves the layout empty then.
 */
MUST_CHECK enum status flame_layout_init(struct flame_layout *layout, const struct fold *fold,
                                         uint64_t least);
void flame_layout_deinit(struct flame_layout *layout);

#endif
