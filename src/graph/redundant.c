/* SPDX-License-Identifier: MIT */
#include "graph/redundant.h"

#include <stdlib.h>

struct redundant_search {
    const struct callgraph *graph;
    size_t *first;     /* by node, and one more: of its edges in `into` */
    uint32_t *into;    /* edges by callee, the heaviest first */
    uint32_t *seen;    /* by node: the last search that met it */
    uint32_t *waiting; /* nodes, each at most once */
    uint32_t search;
    uint64_t steps;
    bool *redundant;
};

/* Returns whether the edge's caller reaches its callee without it; searches backwards. */
static bool is_reached(struct redundant_search *s, const struct callgraph_edge *edge)
{
    size_t count = 0;

    s->search++;
    s->seen[edge->to] = s->search;
    s->waiting[count++] = edge->to;
    while (count) {
        uint32_t node = s->waiting[--count];

        for (size_t i = s->first[node]; i < s->first[node + 1]; i++) {
            const struct callgraph_edge *way = &s->graph->edges[s->into[i]];

            if (++s->steps > REDUNDANT_STEPS_MAX)
                return false;
            if (way == edge || s->redundant[s->into[i]] || s->seen[way->from] == s->search)
                continue;
            if (way->from == edge->from)
                return true;
            s->seen[way->from] = s->search;
            s->waiting[count++] = way->from;
        }
    }
    return false;
}

static void search_node(struct redundant_search *s, uint32_t node)
{
    const struct callgraph_edge *edges = s->graph->edges;
    size_t heaviest = s->first[node];

    while (heaviest < s->first[node + 1] && edges[s->into[heaviest]].from == node)
        heaviest++;
    for (size_t i = s->first[node + 1]; i-- > heaviest + 1;) {
        const struct callgraph_edge *edge = &edges[s->into[i]];

        if (edge->residual)
            s->redundant[s->into[i]] = is_reached(s, edge);
    }
}

static void sort_by_callee(struct redundant_search *s)
{
    const struct callgraph *graph = s->graph;

    for (size_t i = 0; i < graph->edge_count; i++)
        s->first[graph->edges[i].to + 2]++;
    for (size_t i = 0; i < graph->node_count; i++)
        s->first[i + 1] += s->first[i];
    for (size_t i = 0; i < graph->edge_count; i++)
        s->into[s->first[graph->edges[i].to + 1]++] = (uint32_t)i;
}

enum status redundant_edges(const struct callgraph *graph, bool *redundant)
{
    struct redundant_search s = {
        .graph = graph,
        .first = calloc(graph->node_count + 2, sizeof(*s.first)),
        .into = calloc(graph->edge_count + 1, sizeof(*s.into)),
        .seen = calloc(graph->node_count + 1, sizeof(*s.seen)),
        .waiting = calloc(graph->node_count + 1, sizeof(*s.waiting)),
        .redundant = redundant,
    };
    bool has_memory = s.first && s.into && s.seen && s.waiting;

    if (has_memory) {
        sort_by_callee(&s);
        for (size_t i = graph->node_count; i-- > 0;)
            search_node(&s, (uint32_t)i);
    }
    free(s.first);
    free(s.into);
    free(s.seen);
    free(s.waiting);
    return has_memory ? STATUS_OK : STATUS_NO_MEMORY;
}
