/* SPDX-License-Identifier: MIT */
/*
 * Runs of single calls: functions of which each calls the next one only and is all that calls it,
 * as main, run and run_file often are. Pictures draw a run as one box.
 *
 *     _start ──▶ main ──▶ run ──▶ loop ──▶ …        main, run: a run, if loop has other callers,
 *                                  ▲                 and _start is of another module
 *                                  └──── …
 *
 * The functions of a run are of one module (and thread, by thread) and spend nothing worth
 * mentioning in themselves: so their weights are the same, and nothing that the graph says of one
 * is lost where it is said of all. A call that has a mark for low trust is in none. They are found
 * in the whole graph, so what is said of callers and callees holds of each part of it as well.
 */
#ifndef GRAPH_RUNS_H
#define GRAPH_RUNS_H

#include "base/status.h"
#include "graph/callgraph.h"

#define RUNS_SELF_PART  200 /* 1/200 of a function's weight is not worth mentioning */
#define RUNS_LENGTH_MAX 32  /* a longer one is several */

/*
 * Fills inner[node of the graph] with the next one of its run, or UINT32_MAX. The edges are all
 * there are, between nodes of the view; at[node of the view] is its place in graph->nodes, or
 * UINT32_MAX; begins[node of the view] the weight of the chains that begin with it.
 */
MUST_CHECK enum status runs_find(const struct callgraph *graph, const struct callgraph_edge *edges,
                                 size_t edge_count, const uint32_t *at, const uint64_t *begins,
                                 uint32_t *inner);

#endif
