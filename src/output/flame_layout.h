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
    uint32_t node;         /* node of the fold; TRIE_NONE: stands for callees that are left out */
    uint32_t count;        /* number of those callees; 0: the frame is a function */
    uint32_t level;        /* 0 for the outermost functions */
    uint64_t start;        /* weight to the left of the frame, which begins there */
    uint64_t weight, base; /* total weight: of the capture, the frame's width; of the baseline */
};

struct flame_layout {           /* zeroed: empty */
    struct flame_frame *frames; /* owned; callers before callees */
    size_t count, cap;
    uint32_t levels; /* number of levels that have frames */
    bool is_full;    /* frames were left out because FLAME_FRAMES_MAX others are heavier */
    /* Weight that is left out: of frames that are too narrow or too many; that are too deep. */
    uint64_t narrow, deep;
    uint64_t gone; /* baseline's weight of nodes without weight in the capture, hence no frame */
};

/*
 * Fills *layout with the frames of a FOLD_NODES fold; nodes whose total is less than `least`, which
 * is not 0, are too narrow. Fails only with NO_MEMORY; *layout is empty then.
 */
MUST_CHECK enum status flame_layout_init(struct flame_layout *layout, const struct fold *fold,
                                         uint64_t least);
void flame_layout_deinit(struct flame_layout *layout);

#endif
