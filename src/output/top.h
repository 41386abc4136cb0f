/* SPDX-License-Identifier: MIT */
/*
 * The top format: functions by their self weight, the heaviest first.
 *
 *        self     samples      sum    total     samples  function [module]
 *      61.54%         123   61.54%   61.54%         123  deflate_fast [libz.so.1]
 *      35.38%          71   96.92%   97.44%         195  compress [prog]
 *       3.08%           6  100.00%                       (12 more)
 *
 * Self is the weight of the samples in which a function is innermost, total that of the samples it
 * is in; "sum" adds up self so far. The last row stands for functions whose total is below the
 * fraction, and for those beyond the limit of nodes.
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
    struct callgraph_options trimming; /* edge_fraction is not used */
    const char *title;                 /* the first line, raw; may be NULL */
    const char *caveats;               /* as in struct output; may be NULL */
    bool brief;                        /* shorten names, for people at a terminal */
};

/* Writes the nodes of a graph that has all nodes; its edges are not used. */
MUST_CHECK enum status top_write(const struct callgraph *graph, const struct top_options *options,
                                 FILE *out);

#endif
