/* SPDX-License-Identifier: MIT */
/*
 * The flame format: the merged chains as an SVG picture without script. A frame is a function as
 * it was called by those above it, as wide as its samples are many; a tooltip tells its whole name,
 * module and weight.
 *
 *     +---------------------------------+
 *     | all                             |
 *     +----------------------+----------+
 *     | main                 | clone    |
 *     +---------+------------+----------+
 *     | inflate | crc32 |
 *     +---------+-------+
 *
 * Callers are above their callees, as in the tree (others call that an icicle): a page opens at its
 * top, so that what is widest is seen first however deep the chains are, and all that is deeper
 * ends at the place where it is cut. Siblings are in the order of the tree, the heaviest first.
 *
 * The full width is the weight of what is shown, whatever the shares are of: a filter leaves no
 * empty room. What is narrower than half a pixel, or below the fraction, what is too much
 * (flame_layout.h) and what is too deep is one grey frame below its caller, and the head tells how
 * much that is.
 *
 * Colours tell modules apart, or with a baseline what became more and what less; the width is that
 * of now, and the head tells the weight of what there was in the baseline only.
 */
#ifndef OUTPUT_FLAME_H
#define OUTPUT_FLAME_H

#include <stdio.h>

#include "base/status.h"
#include "graph/view.h"

struct flame_options {
    double node_fraction; /* frames below it of the total are left out; 0: as said above */
    const char *title;    /* the first line, cleaned here; may be NULL */
    const char *caveats;  /* as in struct output; may be NULL */
};

MUST_CHECK enum status flame_write(const struct view *view, const struct flame_options *options,
                                   FILE *out);

#endif
