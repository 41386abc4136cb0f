/* SPDX-License-Identifier: MIT */
#include "graph/ways.h"

#include <stdlib.h>

struct ways_search {
    const struct callgraph *graph;
    bool *kept;
    bool *reached;     /* by node: reached from a beginning on kept edges */
    size_t *first;     /* by node, and one more: start of its edges in `calls` */
    uint32_t *calls;   /* edges by caller, the heaviest first */
    uint32_t *waiting; /* reached nodes, each once, in order of discovery */
    size_t count, done, tried;
};

static void sort_by_caller(struct ways_search *s)
{
    const struct callgraph *graph = s->graph;

    for (size_t i = 0; i < graph->edge_count; i++)
        s->first[graph->edges[i].from + 2]++;
    for (size_t i = 0; i < graph->node_count; i++)
        s->first[i + 1] += s->first[i];
    for (size_t i = 0; i < graph->edge_count; i++)
        s->calls[s->first[graph->edges[i].from + 1]++] = (uint32_t)i;
}

static void reach(struct ways_search *s, uint32_t node)
{
    if (!s->reached[node])
        s->waiting[s->count++] = node;
    s->reached[node] = true;
}

/* Reaches nodes on kept edges. */
static void follow(struct ways_search *s)
{
    while (s->done < s->count) {
        uint32_t node = s->waiting[s->done++];

        for (size_t i = s->first[node]; i < s->first[node + 1]; i++)
            if (s->kept[s->calls[i]])
                reach(s, s->graph->edges[s->calls[i]].to);
    }
}

/* Reaches the rest on other edges, which it keeps. */
static void find_ways(struct ways_search *s)
{
    follow(s);
    while (s->tried < s->count) {
        uint32_t node = s->waiting[s->tried++];

        for (size_t i = s->first[node]; i < s->first[node + 1]; i++) {
            uint32_t to = s->graph->edges[s->calls[i]].to;

            if (s->reached[to])
                continue;
            s->kept[s->calls[i]] = true;
            reach(s, to);
            follow(s);
        }
    }
}

static uint64_t weight_of(const struct callgraph *graph, const struct callgraph_edge *edge)
{
    return view_importance(graph->view, edge->weight, edge->base);
}

/* Keeps edges of at least `least`, and all the heaviest edges into each node. */
static void keep_heavy(struct ways_search *s, uint64_t least, uint64_t *heaviest)
{
    const struct callgraph *graph = s->graph;

    for (size_t i = 0; i < graph->edge_count; i++) {
        const struct callgraph_edge *edge = &graph->edges[i];
        uint64_t weight = weight_of(graph, edge);

        if (edge->from != edge->to && weight > heaviest[edge->to])
            heaviest[edge->to] = weight;
        s->kept[i] = weight >= least || (edge->from != edge->to && weight == heaviest[edge->to]);
    }
}

enum status ways_keep(const struct callgraph *graph, const bool *begins, uint64_t least, bool *kept)
{
    struct ways_search s = {
        .graph = graph,
        .kept = kept,
        .reached = calloc(graph->node_count + 1, sizeof(*s.reached)),
        .first = calloc(graph->node_count + 2, sizeof(*s.first)),
        .calls = calloc(graph->edge_count + 1, sizeof(*s.calls)),
        .waiting = calloc(graph->node_count + 1, sizeof(*s.waiting)),
    };
    uint64_t *heaviest = calloc(graph->node_count + 1, sizeof(*heaviest));
    bool has_memory = s.reached && s.first && s.calls && s.waiting && heaviest;

    if (has_memory) {
        keep_heavy(&s, least, heaviest);
        sort_by_caller(&s);
        for (size_t i = 0; i < graph->node_count; i++)
            if (begins[i])
                reach(&s, (uint32_t)i);
        find_ways(&s);
    }
    free(s.reached);
    free(s.first);
    free(s.calls);
    free(s.waiting);
    free(heaviest);
    return has_memory ? STATUS_OK : STATUS_NO_MEMORY;
}
