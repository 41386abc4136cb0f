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
 * Writes whole lines: the title (raw), the summary, the caveats of struct output, and with a
 * baseline the meaning of `~`. Title and caveats may be NULL. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status view_head_write(const struct view *view, const char *title,
                                       const char *caveats, FILE *out);

/* Writes whole lines, or none: that the fold is inverted, that its chains are cut. */
void view_head_put_fold(const struct fold *fold, FILE *out);

/* Returns the heading of a column of weights: "samples", "calls", "time"; static storage. */
const char *view_head_weights(const struct view *view);

/* Returns the heading of a column of nodes: "function [module]", "module"; static storage. */
const char *view_head_nodes(const struct view *view);

/*
 * Writes "main [prog]", or by module the module's path. The module's name gets no second brackets:
 * "do_idle [kernel]". `brief`: names are shortened as in the graph (label.h). Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status view_head_put_name(const struct view *view, const struct view_node *node,
                                          bool brief, FILE *out);

#endif
