/* SPDX-License-Identifier: MIT */
/*
 * Chooses the edges of a call graph to keep in a picture. Light edges stay where a node would
 * otherwise not be reached from the beginning of any chain.
 *
 *     main --> f --> a <--> b       f calls a once, a and b call each other: without f --> a
 *                                   nothing leads to them
 */
#ifndef GRAPH_WAYS_H
#define GRAPH_WAYS_H

#include "base/status.h"
#include "graph/callgraph.h"

/*
 * Sets kept[edge] to true for edges that weigh at least `least`, for the heaviest edge into each
 * node, and for the edges of a way to each node that these do not connect to a beginning; else to
 * false. begins[node]: chains begin there. graph->edges is complete, and sorted as callgraph_create
 * leaves it. NO_MEMORY.
 */
MUST_CHECK enum status ways_keep(const struct callgraph *graph, const bool *begins, uint64_t least,
                                 bool *kept);

#endif
