/* SPDX-License-Identifier: MIT */
/*
 * The top format: functions by what they weigh themselves, the heaviest first.
 *
 *        self     samples      sum    total     samples  function [module]
 *      61.54%         123   61.54%   61.54%         123  deflate_fast [libz.so.1]
 *      35.38%          71   96.92%   97.44%         195  compress [prog]
 *       3.08%           6  100.00%                       (12 more)
 *
 * A function's self is the weight of the samples in which it is innermost, its total that of those
 * it is in; "sum" adds up the selfs so far. Functions whose total is below the fraction, and those
 * behind so many nodes, are the last row.
 *
 * Compared with a baseline there are, instead of the sum, the self share in the baseline and by how
 * much it changed, as in the tree.
 */
#ifndef OUTPUT_TOP_H
#define OUTPUT_TOP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/callgraph.h"

struct top_options {
    struct callgraph_options trimming; /* edge_fraction is not used */
    const char *title;                 /* the first line, cleaned here; may be NULL */
    const char *caveats;               /* as in struct output; may be NULL */
    bool brief;                        /* for people at a terminal: names are shortened */
};

/* `graph` has all nodes; its edges are not used. */
MUST_CHECK enum status top_write(const struct callgraph *graph, const struct top_options *options,
                                 FILE *out);

#endif
