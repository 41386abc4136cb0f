/* SPDX-License-Identifier: MIT */
/*
 * Finds runs of single calls: functions of which each calls only the next one and is its only
 * caller, as main, run and run_file often are. Pictures draw a run as one box.
 *
 *     _start --> main --> run --> loop --> ...      main, run: a run, if loop has other callers,
 *                                  ^                and _start is of another module
 *                                  +---- ...
 *
 * The functions of a run are of one module (and thread, by thread) and spend almost nothing in
 * themselves: their weights are the same, and the graph loses nothing by showing them as one. A
 * call with the mark for low trust is in no run. Runs are found in the whole graph, so they hold in
 * each part of it.
 */
#ifndef GRAPH_RUNS_H
#define GRAPH_RUNS_H

#include "base/status.h"
#include "graph/callgraph.h"

#define RUNS_SELF_PART  200 /* self <= total / 200 of the same node counts as 0 */
#define RUNS_LENGTH_MAX 32  /* most functions in a run; a longer run is divided */

/*
 * Sets inner[i], for each i of graph->nodes, to the index of the node that it calls in a run;
 * UINT32_MAX: none. `edges`: the whole graph's, between nodes of the view. By node of the view:
 * at[]: index in graph->nodes, UINT32_MAX: none; begins[]: weight of the chains that the node
 * begins. NO_MEMORY.
 */
MUST_CHECK enum status runs_find(const struct callgraph *graph, const struct callgraph_edge *edges,
                                 size_t edge_count, const uint32_t *at, const uint64_t *begins,
                                 uint32_t *inner);

#endif
