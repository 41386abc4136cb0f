/* SPDX-License-Identifier: MIT */
/*
 * The call graph as Graphviz DOT text: the same graph gives the same bytes.
 *
 * Node: name, total and self share and weight; font by self, fill by total; the full name and the
 * module's path as tooltip. Edge: weight as label and width; call sites as tooltip; dotted when a
 * caller on it was found by a source worse than .ARM.exidx, else dashed when it is residual.
 * Compared with a baseline, colours say what changed: red is more, blue less, the fuller the
 * greater the change of the share; nodes and edges also have it as a number. What may be noise
 * (view_is_noise) is grey and has a `~`.
 *
 * Of a trace of calls nodes and edges have their numbers of calls instead, exact ones; colours and
 * widths are by what was called from there, too. The node that was called first is bordered green,
 * the one called last red, one that is both green and twice.
 *
 * Modules are clusters by default. A thread, by thread, is an oval. The graph's label says what is
 * shown, what the shares are of, and what was left out.
 */
#ifndef OUTPUT_DOT_H
#define OUTPUT_DOT_H

#include <stdio.h>

#include "base/status.h"
#include "graph/callgraph.h"
#include "output/cluster.h"

#define DOT_SITES_MAX 12 /* call sites named in an edge's tooltip; the rest is counted */

struct dot_options {
    const char *title;   /* the label's first line; may be NULL */
    const char *caveats; /* as in struct output; may be NULL */
    enum graph_cluster cluster;
    bool label_calls; /* an edge's label has its heaviest call site, and how many more there are */
    bool sequence;    /* of a trace: an edge's label has the number of its first call */
};

MUST_CHECK enum status dot_write(const struct callgraph *graph, const struct dot_options *options,
                                 FILE *out);

/*
 * Text inside a quoted DOT string that is an escString: a backslash or a quote stands for itself
 * only when escaped, and "&name;" would be read as an HTML entity.
 */
void dot_put_text(FILE *out, const char *text);

/* The same of whole lines, which stand at the left. NULL: none. */
void dot_put_lines(FILE *out, const char *lines);

#endif
