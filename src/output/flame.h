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
 * leaves no empty room. A caller's callees that are narrower than half a pixel, lighter than
 * node_fraction, too many or too deep (flame_layout.h) are one grey frame below it; the head says
 * how much weight that is in all.
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
    double node_fraction; /* frames below this part of the total are left out; 0: half a pixel */
    const char *title;    /* first line of the head, raw bytes; NULL: none */
    const char *caveats;  /* whole lines for the head, as in struct output; NULL: none */
};
/* Writes the picture of a view by any weight. NO_MEMORY; IO: `out` has failed. */

MUST_CHECK enum status flame_write(const struct view *view, const struct flame_options *options,
                                   FILE *out);

#endif
