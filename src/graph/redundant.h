/* SPDX-License-Identifier: MIT */
/*
 * Finds redundant edges, as pprof does: residual edges (nodes between caller and callee were left
 * out) whose callee a longer way in the graph reaches, too. They are most of a trimmed graph's
 * edges, and hide the others.
 *
 *     main --> loop --> step      main ..> step goes
 *       .................>
 */
#ifndef GRAPH_REDUNDANT_H
#define GRAPH_REDUNDANT_H

#include "base/status.h"
#include "graph/callgraph.h"

/* Limit of edges visited by all searches together; once reached, further edges stay. */
#define REDUNDANT_STEPS_MAX 20000000

/*
 * Sets redundant[edge], which is false before, for each residual edge (see above) that is not the
 * heaviest into its callee, if other edges, none of them redundant, lead from its caller to its
 * callee. graph->edges is sorted as callgraph_create leaves it. NO_MEMORY.
 */
MUST_CHECK enum status redundant_edges(const struct callgraph *graph, bool *redundant);

#endif
