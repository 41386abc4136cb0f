/* SPDX-License-Identifier: MIT */
/*
 * Which edges of a call graph stay although they are light: those on the ways from where chains
 * begin to its nodes. A picture of nodes that nothing leads to says less than one without them.
 *
 *     main ──▶ f ──▶ a ◀──▶ b       f calls a once, a and b call each other: without f ──▶ a
 *                                    nothing would lead to them
 */
#ifndef GRAPH_WAYS_H
#define GRAPH_WAYS_H

#include "base/status.h"
#include "graph/callgraph.h"

/*
 * Fills kept[edge]: what weighs `least`, the heaviest into each node, and where these lead to a
 * node from no beginning, one that does. The graph's edges are in their order, with none removed;
 * begins[node]: chains begin there.
 */
MUST_CHECK enum status ways_keep(const struct callgraph *graph, const bool *begins, uint64_t least,
                                 bool *kept);

#endif
