/* SPDX-License-Identifier: MIT */
/*
 * What the texts and pictures of a view have in common: the lines above their rows, and how they
 * name a node.
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
 * Whole lines: the title, cleaned here; the summary; the caveats, as in struct output; what a mark
 * of the view's means. Title and caveats may be NULL.
 */
MUST_CHECK enum status view_head_write(const struct view *view, const char *title,
                                       const char *caveats, FILE *out);

/* How a fold shows chains, where that is not as they were called: whole lines, or none. */
void view_head_put_fold(const struct fold *fold, FILE *out);

/* What a column of weights is called: "samples", "calls", "time". */
const char *view_head_weights(const struct view *view);

/* What a column of nodes is called: "function [module]", "module". */
const char *view_head_nodes(const struct view *view);

/*
 * "main [prog]"; by module its path. What is no file, as [kernel], is in brackets as it is.
 * `brief`: names are shortened as in the graph (label.h). Only NO_MEMORY fails.
 */
MUST_CHECK enum status view_head_put_name(const struct view *view, const struct view_node *node,
                                          bool brief, FILE *out);

#endif
