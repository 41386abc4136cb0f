/* SPDX-License-Identifier: MIT */
/*
 * Where the frames of a flame graph are, without how they look: each stands below its caller, at
 * the weight where it begins, as wide as it weighs. Siblings are in fold_compare's order, from
 * left to right.
 *
 *     |  all                          |     weight 0 .. total
 *     |  main              | clone    |     level 0
 *     |  f        | g | +  |              1     +: several that are left out
 *
 * However large the fold is, there are at most FLAME_FRAMES_MAX frames of functions, which are the
 * heaviest, on FLAME_LEVELS_MAX levels. What is left out below a caller is one frame without a
 * node, where it is wide enough.
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
    uint32_t node;  /* of the fold; TRIE_NONE: what is left out below one caller */
    uint32_t count; /* of callees that are left out; 0: it is a function */
    uint32_t level; /* 0: outermost */
    uint64_t start; /* weight to its left */
    uint64_t weight, base;
};

struct flame_layout {           /* zeroed: of nothing */
    struct flame_frame *frames; /* owned; callers before callees */
    size_t count, cap;
    uint32_t levels; /* that have frames */
    bool is_full;    /* some were left out because there are FLAME_FRAMES_MAX */
    /* Weight that is left out: in frames that are too narrow or too many; and too deep. */
    uint64_t narrow, deep;
    uint64_t gone; /* weight of the baseline in what nothing calls now, which has no width */
};

/* Of a FOLD_NODES. Frames below `least`, which is not 0, are too narrow. */
MUST_CHECK enum status flame_layout_init(struct flame_layout *layout, const struct fold *fold,
                                         uint64_t least);
void flame_layout_deinit(struct flame_layout *layout);

#endif
