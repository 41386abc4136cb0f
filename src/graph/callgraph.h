/* SPDX-License-Identifier: MIT */
/*
 * The weighted call graph of a view, trimmed so that it can be laid out and read.
 *
 * A node's total is the weight of the samples it is in, its self the weight of those in which it is
 * innermost; an edge's weight that of the samples in which its caller calls its callee. A function
 * or an edge that is on a chain several times counts once: no total exceeds the weight of all
 * samples. A function that calls itself has an edge to itself.
 *
 * Trimming is as in pprof: nodes below node_fraction of the weight of all samples go; of the rest
 * `nodes` stay, those that show most of where the weight is and how one gets there (keep.h). Where
 * nodes between two kept ones on a chain went, a residual edge joins the two; it joins no node to
 * itself. Then edges below edge_fraction go, but for those that lead to a node (ways.h), and
 * residual edges that say nothing new (redundant.h).
 *
 * With `runs`, a run of single calls (runs.h) counts as one node, and stays or goes as one.
 *
 * Of a trace of calls a node's self is how often it was called, its total the calls of it and of
 * all that was called from there; so is an edge's weight, while its `calls` are its own.
 *
 * Compared with a baseline, nodes and edges have its weights, too, and what counts in trimming and
 * order is view_importance. Call sites are those of now.
 */
#ifndef GRAPH_CALLGRAPH_H
#define GRAPH_CALLGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/view.h"

struct callgraph_options {
    uint32_t nodes; /* 0: no limit; so with the fractions */
    double node_fraction, edge_fraction;
    bool runs; /* not with a baseline, nor of a trace of calls */
};

#define CALLGRAPH_DEFAULTS                                                                         \
    {                                                                                              \
        .nodes = 80, .node_fraction = 0.005, .edge_fraction = 0.001                                \
    }

#define CALLGRAPH_NONE UINT32_MAX

struct callgraph_node {
    uint32_t view_node;
    uint32_t place; /* in the order of all nodes, whatever is left out: the same for equal inputs */
    uint64_t self, total;
    uint64_t base_self, base_total; /* in the baseline */
    uint32_t outer, inner;          /* its neighbours in its run; CALLGRAPH_NONE */
    uint32_t inner_call;            /* the edge to `inner` */
};

/* Where in the caller a call was. */
struct callgraph_site {
    uint32_t edge; /* in callgraph.edges */
    const char *file;
    uint32_t line;
    uint64_t weight;
};

struct callgraph_edge {
    uint32_t from, to; /* in callgraph.nodes */
    uint64_t weight, base;
    uint64_t calls, first; /* of a trace: exact; the number of the first call, from 1 on */
    bool low_trust;        /* on some chain a caller on this edge was found by a source worse than
                       .ARM.exidx */
    bool residual;         /* on every chain there were nodes between that are left out */
    size_t site_first, site_count; /* in callgraph.sites */
};

struct callgraph {
    const struct view *view;      /* borrowed */
    struct callgraph_node *nodes; /* heaviest total first, then self, then name */
    size_t node_count;
    struct callgraph_edge *edges; /* heaviest first, then by their nodes */
    size_t edge_count;
    struct callgraph_site *sites; /* by edge, heaviest first */
    size_t site_count;
    size_t nodes_left_out, edges_left_out;
    uint64_t weight_left_out; /* self weight of the nodes that are left out */
};

MUST_CHECK enum status callgraph_create(const struct view *view,
                                        const struct callgraph_options *options,
                                        struct callgraph **out);
/*
 * All nodes, with no edges, which take most of the time and memory where chains are long: for who
 * shows functions only.
 */
MUST_CHECK enum status callgraph_create_nodes(const struct view *view, struct callgraph **out);

void callgraph_destroy(struct callgraph *graph);

#endif
