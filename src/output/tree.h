/* SPDX-License-Identifier: MIT */
/*
 * The tree format: who calls whom, from the outermost function inwards, with the total and self
 * share of each path, like `perf report --stdio`. Threads are merged.
 *
 *      total     self     samples  function [module]
 *    100.00%    0.00%         200  main [prog]
 *     60.00%   20.00%         120  |-- f [prog]
 *     40.00%   40.00%          80  |   g [prog]
 *     39.50%   39.50%          79  |-- h [prog]
 *      0.50%                    1  `-- (1 more below 0.60%)
 *
 * With a baseline there are two more columns: the share in the baseline, and the change of the
 * share, with a `~` if it may be noise (view_is_noise). Weights are the present ones.
 *
 * An only callee is below its caller in the same column; several are branches, the heaviest first.
 * Indentation ends at TREE_INDENT_MAX levels: deeper branches have their level as a number.
 *
 * For people at a terminal the tree is brief: names are shortened as in the graph (label.h), and,
 * unless inverted, the functions with which threads begin are left out (fold_starts.h). If the
 * width is limited, indentation leaves room for names.
 */
#ifndef OUTPUT_TREE_H
#define OUTPUT_TREE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/view.h"

#define TREE_INDENT_MAX 64 /* levels up to which branches are indented */

struct tree_options {
    double node_fraction; /* branches below this part of the total are only counted; 0: no branch */
    const char *title;    /* first line of the head, raw bytes; NULL: none */
    const char *caveats;  /* whole lines for the head, as in struct output; NULL: none */
    bool hottest;         /* the head names the functions with the most self weight (hottest.h) */
    bool brief;           /* the tree is brief, as described above */
    size_t columns;       /* width of the terminal; 0: no limit */
};

/* Writes the tree of the view's chains. NO_MEMORY; IO: `out` has failed. */

MUST_CHECK enum status tree_write(const struct view *view, const struct tree_options *options,
                                  FILE *out);

#endif
