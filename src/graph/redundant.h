/* SPDX-License-Identifier: MIT */
/*
 * Finds residual edges that only repeat what a longer way in the graph shows, as pprof leaves them
 * out. They are most of a trimmed graph's edges, and hide the others.
 *
 *     main --> loop --> step      main ..> step goes
 *       .................>
 */
#ifndef GRAPH_REDUNDANT_H
#define GRAPH_REDUNDANT_H

#include "base/status.h"
#include "graph/callgraph.h"

/* Edges visited by all searches together; beyond it redundant edges may stay. */
#define REDUNDANT_STEPS_MAX 20000000

/*
 * Sets redundant[edge], false before, for edges that may go: residual, not the heaviest into the
 * callee, and with the callee reached from the caller on edges that stay. The graph's edges are in
 * their order. NO_MEMORY.
 */
MUST_CHECK enum status redundant_edges(const struct callgraph *graph, bool *redundant);

#endif
