/* SPDX-License-Identifier: MIT */
/*
 * The top format: functions by their self weight, the heaviest first.
 *
 *        self     samples      sum    total     samples  function [module]
 *      61.54%         123   61.54%   61.54%         123  deflate_fast [libz.so.1]
 *      35.38%          71   96.92%   97.44%         195  compress [prog]
 *       3.08%           6  100.00%                       (12 more)
 *
 * Self is the weight of the samples in which a function is innermost, total that of all samples
 * with the function in their chain; "sum" adds up self from the top. The last row stands for
 * functions whose total is below the fraction, and for those beyond the limit of nodes.
 *
 * With a baseline there are, instead of the sum, the self share in the baseline and its change, as
 * in the tree.
 */
#ifndef OUTPUT_TOP_H
#define OUTPUT_TOP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/callgraph.h"

struct top_options {
    struct callgraph_options trimming; /* which functions are shown; edge_fraction is not used */
    const char *title;                 /* first line of the head, raw bytes; NULL: none */
    const char *caveats;               /* whole lines for the head, as in struct output; or NULL */
    bool brief;                        /* names are shortened, for people at a terminal */
};

/*
 * Writes the nodes of a graph that is not trimmed (callgraph_create_nodes is enough: edges are not
 * used). NO_MEMORY; IO: `out` has failed.
 */
MUST_CHECK enum status top_write(const struct callgraph *graph, const struct top_options *options,
                                 FILE *out);

#endif
