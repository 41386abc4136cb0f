/* SPDX-License-Identifier: MIT */
/*
 * The call graph as Graphviz DOT text: the same graph gives the same bytes.
 *
 *     node    name, total and self (share, weight); font by self, fill by total;
 *             tooltip: the full name, the module's path
 *     edge    label and width by weight; tooltip: call sites; dotted if a caller on it was found by
 *             a source worse than .ARM.exidx, else dashed if it is residual
 *     oval    a thread, by thread
 *
 * With a baseline, colours show changes of the share: red is more, blue less, the fuller the
 * greater; nodes and edges also have the change as a number. Changes that may be noise
 * (view_is_noise) are grey and have a `~`.
 *
 * For a trace of calls, nodes and edges have exact numbers of calls; colours and widths also count
 * the calls made from there. The node called first has a green border, the one called last a red
 * one, a node that is both a double green one.
 *
 * A run of single calls (graph/runs.h) is one box with a line for each function, the outermost
 * first; of more than DOT_NAMES_MAX the line "… 3 more" stands for those before the last. The
 * tooltip has all functions with their weights and heaviest call sites. Functions stay apart where
 * something would be lost: at dotted edges, if edges are labelled with call sites, with a baseline,
 * for a trace of calls, and by file.
 *
 * Boxes and edges have ids, which become those of the SVG's <g>, for pages that hold the picture:
 * "n12" is the box of function 12, "n12_5_7" that of a run in the order of its lines, "e7_9" an
 * edge: 7, the last of its run, calls 9, the first of its run. The numbers are dot_options.ids, or
 * places in the order of all nodes (struct callgraph_node), which are the same for the same view,
 * whatever is left out.
 *
 * Modules are clusters by default (cluster.h). The graph's label says what is shown, what the
 * shares refer to, and what was left out.
 */
#ifndef OUTPUT_DOT_H
#define OUTPUT_DOT_H

#include <stdio.h>

#include "base/status.h"
#include "graph/callgraph.h"
#include "output/cluster.h"
#include "output/dot_text.h"

#define DOT_NAMES_MAX 5  /* most lines of names in the box of a run */
#define DOT_SITES_MAX 12 /* call sites named in an edge's tooltip; the rest is counted */

struct dot_options {
    const char *title;   /* first line of the graph's label; NULL: none */
    const char *caveats; /* whole lines for the graph's label, as in struct output; NULL: none */
    enum graph_cluster cluster;
    bool label_calls; /* edges' labels have the heaviest call site, and how many more there are */
    bool sequence;    /* for a trace: edges' labels have the number of the first call */
    const uint32_t *ids; /* by the view's node: number for ids of boxes and edges; NULL: places */
};

/*
 * Makes the graph for dot_write, trimmed, and with runs joined where the options allow it. The
 * caller destroys *out. NO_MEMORY.
 */
MUST_CHECK enum status dot_graph_create(const struct view *view,
                                        const struct callgraph_options *trimming,
                                        const struct dot_options *options, struct callgraph **out);

/* Writes a graph of dot_graph_create, with the same options, as DOT. NO_MEMORY; IO. */
MUST_CHECK enum status dot_write(const struct callgraph *graph, const struct dot_options *options,
                                 FILE *out);

/* Writes a weight as its share of the view's total and as itself: "45.10% (123)". */
void dot_put_value(const struct callgraph *graph, uint64_t value, FILE *out);

/*
 * Writes `before` and "x.c:12 +3": the edge's heaviest call site, and how many more there are.
 * Writes nothing if the edge has no site.
 */
void dot_put_site(const struct callgraph *graph, const struct callgraph_edge *edge,
                  const char *before, FILE *out);

#endif
