/* SPDX-License-Identifier: MIT */
#include "graph/runs.h"

#include <stdlib.h>

struct run_ends {
    uint32_t callers, callees;
};

static bool passes_on(const struct callgraph_node *node)
{
    return node->self <= node->total / RUNS_SELF_PART;
}

static bool joins(const struct callgraph *graph, const struct callgraph_edge *edge,
                  const struct callgraph_node *caller, const struct callgraph_node *callee)
{
    const struct view_node *a = &graph->view->nodes[edge->from];
    const struct view_node *b = &graph->view->nodes[edge->to];

    return !a->is_thread && !b->is_thread && a->module == b->module && a->thread == b->thread &&
           passes_on(caller) && passes_on(callee) && edge->weight == callee->total &&
           !edge->low_trust;
}

/* Divides runs that are too long. `is_inner`: all false, for `count` nodes. */
static void divide(size_t count, uint32_t *inner, bool *is_inner)
{
    for (size_t i = 0; i < count; i++)
        if (inner[i] != CALLGRAPH_NONE)
            is_inner[inner[i]] = true;
    for (size_t i = 0; i < count; i++) {
        uint32_t node = (uint32_t)i, length = 1;

        while (!is_inner[i] && inner[node] != CALLGRAPH_NONE) {
            uint32_t next = inner[node];

            if (length++ % RUNS_LENGTH_MAX == 0)
                inner[node] = CALLGRAPH_NONE;
            node = next;
        }
    }
}

enum status runs_find(const struct callgraph *graph, const struct callgraph_edge *edges,
                      size_t edge_count, const uint32_t *at, const uint64_t *begins,
                      uint32_t *inner)
{
    struct run_ends *ends = calloc(graph->view->node_count + 1, sizeof(*ends));
    bool *is_inner = calloc(graph->node_count + 1, sizeof(*is_inner));

    if (!ends || !is_inner) {
        free(ends);
        free(is_inner);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < graph->node_count; i++)
        inner[i] = CALLGRAPH_NONE;
    for (size_t i = 0; i < edge_count; i++) {
        ends[edges[i].from].callees++;
        ends[edges[i].to].callers++;
    }
    for (size_t i = 0; i < edge_count; i++) {
        uint32_t from = at[edges[i].from], to = at[edges[i].to];

        /*
         * Runs are no circles: chains enter a circle somewhere, so one of its functions has another
         * caller or begins a chain.
         */
        if (from != CALLGRAPH_NONE && to != CALLGRAPH_NONE && ends[edges[i].from].callees == 1 &&
            ends[edges[i].to].callers == 1 && begins[edges[i].to] == 0 &&
            joins(graph, &edges[i], &graph->nodes[from], &graph->nodes[to]))
            inner[from] = to;
    }
    divide(graph->node_count, inner, is_inner);
    free(ends);
    free(is_inner);
    return STATUS_OK;
}
