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
 * A run of single calls (graph/runs.h) is one box with its functions' names, the outermost first, a
 * line each; of more than DOT_NAMES_MAX the line "… 3 more" stands for those before the last. The
 * tooltip has all of them, with their weights and heaviest call sites. So it is where nothing is
 * lost: not at calls whose edges are dotted, not where edges are labelled with call sites, with a
 * baseline, of a trace of calls, nor by file.
 *
 * Pages that hold the picture find what a box is by its id, that of an SVG's <g>: "n12", the box of
 * the function 12; "n12_5_7", that of a run, in the order of its lines. An edge from the box of 7
 * to that of 9 has the id "e7_9": the last of a run calls, the first is called. The numbers are
 * those that the page gives, else places in the order of all nodes (struct callgraph_node), which
 * are the same with the same view, whatever is left out.
 *
 * Modules are clusters by default, with a frame around each part that holds together (cluster.h). A
 * thread, by thread, is an oval. The graph's label says what is shown, what the shares are of, and
 * what was left out.
 */
#ifndef OUTPUT_DOT_H
#define OUTPUT_DOT_H

#include <stdio.h>

#include "base/status.h"
#include "graph/callgraph.h"
#include "output/cluster.h"
#include "output/dot_text.h"

#define DOT_NAMES_MAX 5  /* lines of names in the box of a run */
#define DOT_SITES_MAX 12 /* call sites named in an edge's tooltip; the rest is counted */

struct dot_options {
    const char *title;   /* the label's first line; may be NULL */
    const char *caveats; /* as in struct output; may be NULL */
    enum graph_cluster cluster;
    bool label_calls; /* an edge's label has its heaviest call site, and how many more there are */
    bool sequence;    /* of a trace: an edge's label has the number of its first call */
    const uint32_t *ids; /* by the view's node, its number in ids; NULL: its place */
};

/* The graph as dot_write draws it by these options: runs are one where nothing is lost. */
MUST_CHECK enum status dot_graph_create(const struct view *view,
                                        const struct callgraph_options *trimming,
                                        const struct dot_options *options, struct callgraph **out);

MUST_CHECK enum status dot_write(const struct callgraph *graph, const struct dot_options *options,
                                 FILE *out);

/* "45.1% (123)" */
void dot_put_value(const struct callgraph *graph, uint64_t value, FILE *out);

/* "x.c:12 +3": the heaviest call site, and how many more there are; behind `before`. */
void dot_put_site(const struct callgraph *graph, const struct callgraph_edge *edge,
                  const char *before, FILE *out);

#endif
