/* SPDX-License-Identifier: MIT */
/*
 * The weighted call graph of a view, trimmed so that it can be laid out and read.
 *
 * A node's total is the weight of the samples it is in; its self that of the samples in which it is
 * innermost. An edge's weight is that of the samples in which its caller calls its callee. A
 * function or edge that is on a chain several times counts once: no total exceeds the weight of all
 * samples. A function that calls itself has an edge to itself.
 *
 * Trimming follows pprof: nodes below node_fraction of the weight of all samples go. Of the rest
 * `nodes` stay, chosen to show where the weight is and how one gets there (keep.h). Where nodes
 * between two kept ones on a chain went, a residual edge joins the two; it joins no node to itself.
 * Then edges below edge_fraction go, except those needed to reach a node (ways.h), and redundant
 * residual edges (redundant.h).
 *
 * With `runs`, a run of single calls (runs.h) counts as one node, and stays or goes as one.
 *
 * In a trace of calls a node's self is the number of its calls, and its total adds all calls made
 * from there. An edge's weight is such a total; its `calls` are its own.
 *
 * With a baseline, nodes and edges have the baseline's weights as well, and trimming and order go
 * by view_importance. Call sites are the capture's only.
 */
#ifndef GRAPH_CALLGRAPH_H
#define GRAPH_CALLGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/view.h"

struct callgraph_options {
    uint32_t nodes; /* 0: no limit; the same for the fractions */
    double node_fraction, edge_fraction;
    bool runs; /* neither with a baseline nor for a trace of calls */
};

#define CALLGRAPH_DEFAULTS                                                                         \
    {                                                                                              \
        .nodes = 80, .node_fraction = 0.005, .edge_fraction = 0.001                                \
    }

#define CALLGRAPH_NONE UINT32_MAX

struct callgraph_node {
    uint32_t view_node;
    uint32_t place; /* rank among all nodes before trimming: the same for equal inputs */
    uint64_t self, total;
    uint64_t base_self, base_total; /* in the baseline */
    uint32_t outer, inner;          /* neighbours in its run; CALLGRAPH_NONE: none */
    uint32_t inner_call;            /* edge to `inner` */
};

/* The source line of a call in its caller. */
struct callgraph_site {
    uint32_t edge; /* index in callgraph.edges */
    const char *file;
    uint32_t line;
    uint64_t weight;
};

struct callgraph_edge {
    uint32_t from, to; /* indexes in callgraph.nodes */
    uint64_t weight, base;
    uint64_t calls, first; /* trace only: number of calls, and number of the first, from 1 on */
    /* on some chain a caller on this edge was found without a table: trust above TRUST_GOPCLNTAB */
    bool low_trust;
    bool residual;                 /* on every chain it passes over nodes that were left out */
    size_t site_first, site_count; /* range in callgraph.sites */
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
    uint64_t weight_left_out; /* self weight of the nodes left out */
};

MUST_CHECK enum status callgraph_create(const struct view *view,
                                        const struct callgraph_options *options,
                                        struct callgraph **out);
/*
 * Makes a graph of all nodes without edges, for outputs that show functions only: edges of long
 * chains take most of the time and memory. NO_MEMORY.
 */
MUST_CHECK enum status callgraph_create_nodes(const struct view *view, struct callgraph **out);

void callgraph_destroy(struct callgraph *graph);

#endif
