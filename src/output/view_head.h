/* SPDX-License-Identifier: MIT */
/*
 * Text that all formats of a view share: the lines above the rows, and names of nodes.
 *
 *     /usr/bin/prog (pid 7)
 *     samples: 12 of 34 shown (35.29%); shares are of 34
 *     capture: 12 % of samples lost (7988, most: rounds came late)
 */
#ifndef OUTPUT_VIEW_HEAD_H
#define OUTPUT_VIEW_HEAD_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/view.h"
#include "output/fold.h"

/*
 * Writes whole lines: the title (raw bytes), view_summary, the caveats (whole lines, as in struct
 * output), and with a baseline the meaning of `~`. Title and caveats may be NULL: none. Fails only
 * with NO_MEMORY.
 */
MUST_CHECK enum status view_head_write(const struct view *view, const char *title,
                                       const char *caveats, FILE *out);

/* Writes a line if the fold is inverted, and one if its chains are cut (cut_depth). */
void view_head_put_fold(const struct fold *fold, FILE *out);

/* Returns the heading of a column of weights: "samples", "calls", "time"; static storage. */
const char *view_head_weights(const struct view *view);

/* Returns the heading of a column of nodes: "function [module]", "module"; static storage. */
const char *view_head_nodes(const struct view *view);

/*
 * Writes the node's label and its module's file name, "main [prog]"; by module the module's path. A
 * module's name that has brackets gets no second ones: "do_idle [kernel]". `brief`: labels are
 * shortened as in the graph (label.h). Fails only with NO_MEMORY.
 */
MUST_CHECK enum status view_head_put_name(const struct view *view, const struct view_node *node,
                                          bool brief, FILE *out);

#endif
