/* SPDX-License-Identifier: MIT */
/*
 * Residual edges that only repeat what a longer way in the graph shows, as pprof leaves them out:
 * they make up most of a trimmed graph's edges, and hide the others.
 *
 *     main ──▶ loop ──▶ step      main ╌╌▶ step goes
 *       ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▶
 */
#ifndef GRAPH_REDUNDANT_H
#define GRAPH_REDUNDANT_H

#include "base/status.h"
#include "graph/callgraph.h"

/* In a graph with more edges than that, some may stay that could go. */
#define REDUNDANT_STEPS_MAX 20000000

/*
 * Sets redundant[edge], which is false, where it may go: residual, its callee is reached from its
 * caller on other edges, and it is not the heaviest one into the callee. What is reached from a
 * node stays so. The graph's edges are in their order.
 */
MUST_CHECK enum status redundant_edges(const struct callgraph *graph, bool *redundant);

#endif
