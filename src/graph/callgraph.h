/* SPDX-License-Identifier: MIT */
/*
 * The weighted call graph of a view, trimmed so that it can be laid out and read.
 *
 * A node's total is the weight of the samples with its function on their chain; its self is the
 * weight of the samples in which its function is innermost. An edge's weight is that of the samples
 * in which its caller calls its callee. A function or edge that is on a chain several times counts
 * once: no total exceeds the weight of all samples. A function that calls itself has an edge to
 * itself.
 *
 * Trimming follows pprof: nodes below node_fraction of the weight of all samples are left out. Of
 * the rest `nodes` stay, chosen to show where the weight is and how one gets there (keep.h). Where
 * nodes between two kept ones on a chain were left out, a residual edge joins the two, if these are
 * two. Then edges below edge_fraction are left out, except those needed to reach a node (ways.h),
 * and redundant residual edges (redundant.h).
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
    uint32_t nodes;                      /* most nodes that are kept; 0: no limit */
    double node_fraction, edge_fraction; /* least part of all weight to be kept; 0: no limit */
    bool runs; /* keep or leave out runs of single calls as a whole; not with a baseline or trace */
};

#define CALLGRAPH_DEFAULTS                                                                         \
    {                                                                                              \
        .nodes = 80, .node_fraction = 0.005, .edge_fraction = 0.001                                \
    }

#define CALLGRAPH_NONE UINT32_MAX

struct callgraph_node {
    uint32_t view_node; /* index in view.nodes */
    uint32_t place;     /* rank among all nodes before trimming; does not depend on the trimming */
    uint64_t self, total;
    uint64_t base_self, base_total; /* self and total in the baseline */
    uint32_t outer, inner;          /* nodes before and behind in its run; CALLGRAPH_NONE: none */
    uint32_t inner_call;            /* index of the edge to `inner`, if there is one */
};

/* The source line of a call in its caller. */
struct callgraph_site {
    uint32_t edge;    /* index in callgraph.edges */
    const char *file; /* borrowed from the view's names */
    uint32_t line;
    uint64_t weight; /* of the samples with this call */
};

struct callgraph_edge {
    uint32_t from, to;     /* indexes in callgraph.nodes */
    uint64_t weight, base; /* in the capture; in the baseline */
    uint64_t calls, first; /* trace only: number of calls; number of the first, from 1 on */
    /* on some chain the caller's frame was not found by tables: trust above TRUST_GOPCLNTAB */
    bool low_trust;
    bool residual;                 /* on every chain, nodes between its ends were left out */
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
    size_t nodes_left_out, edges_left_out; /* numbers */
    uint64_t weight_left_out;              /* sum of the self weights of nodes left out */
};

/*
 * Makes the trimmed graph of `view`, which must outlive *out; the caller calls callgraph_destroy.
 * NO_MEMORY.
 */
MUST_CHECK enum status callgraph_create(const struct view *view,
                                        const struct callgraph_options *options,
                                        struct callgraph **out);
/*
 * Makes a graph of all nodes, without edges, for outputs that show functions only: edges of long
 * chains take most of the time and memory. `view` must outlive *out; the caller calls
 * callgraph_destroy. NO_MEMORY.
 */
MUST_CHECK enum status callgraph_create_nodes(const struct view *view, struct callgraph **out);

void callgraph_destroy(struct callgraph *graph);

#endif
