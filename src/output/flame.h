/* SPDX-License-Identifier: MIT */
/*
 * The flame format: the merged chains as an SVG picture without script. A frame is a function as
 * called by those above it, as wide as its weight; its tooltip has the whole name, the module and
 * the weight.
 *
 *     +---------------------------------+
 *     | all                             |
 *     +----------------------+----------+
 *     | main                 | clone    |
 *     +---------+------------+----------+
 *     | inflate | crc32 |
 *     +---------+-------+
 *
 * Callers are above their callees, as in the tree (an icicle graph): a viewer opens at the top,
 * where the widest frames are. Siblings are in the order of the tree, the heaviest first.
 *
 * The full width is the weight that is shown, not the total that shares refer to, so that a filter
 * leaves no empty room. Callees that are narrower than half a pixel, below the fraction, too many
 * or too deep (flame_layout.h) are one grey frame below their caller; the head says how much they
 * are.
 *
 * Colours tell modules apart; with a baseline, whether shares became greater or smaller. Widths are
 * present weights; the head has the weight of calls that are in the baseline only.
 */
#ifndef OUTPUT_FLAME_H
#define OUTPUT_FLAME_H

#include <stdio.h>

#include "base/status.h"
#include "graph/view.h"

struct flame_options {
    double node_fraction; /* of the total, below which frames are left out; 0: half a pixel */
    const char *title;    /* the first line, raw; may be NULL */
    const char *caveats;  /* as in struct output; may be NULL */
};

MUST_CHECK enum status flame_write(const struct view *view, const struct flame_options *options,
                                   FILE *out);

#endif
