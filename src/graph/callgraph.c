/* SPDX-License-Identifier: MIT */
#include "graph/callgraph.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/keyed_hash.h"
#include "graph/amount.h"
#include "graph/keep.h"
#include "graph/redundant.h"
#include "graph/runs.h"
#include "graph/walk.h"
#include "graph/ways.h"

static int compare_nodes(const void *a, const void *b, void *context)
{
    const struct callgraph *graph = context;
    const struct callgraph_node *na = a;
    const struct callgraph_node *nb = b;
    uint64_t wa = view_importance(graph->view, na->total, na->base_total);
    uint64_t wb = view_importance(graph->view, nb->total, nb->base_total);
    int order;

    if (wa != wb)
        return wa > wb ? -1 : 1;
    if (na->total != nb->total)
        return na->total > nb->total ? -1 : 1;
    /* A thread's node precedes nodes of the same weight in it. */
    if (graph->view->nodes[na->view_node].is_thread != graph->view->nodes[nb->view_node].is_thread)
        return graph->view->nodes[na->view_node].is_thread ? -1 : 1;
    if (na->self != nb->self)
        return na->self > nb->self ? -1 : 1;
    order = view_compare_nodes(graph->view, na->view_node, nb->view_node);
    if (order)
        return order;
    return na->view_node < nb->view_node ? -1 : na->view_node > nb->view_node;
}

static int compare_edges(const void *a, const void *b, void *context)
{
    const struct callgraph *graph = context;
    const struct callgraph_edge *ea = a;
    const struct callgraph_edge *eb = b;
    uint64_t wa = view_importance(graph->view, ea->weight, ea->base);
    uint64_t wb = view_importance(graph->view, eb->weight, eb->base);

    if (wa != wb)
        return wa > wb ? -1 : 1;
    if (ea->weight != eb->weight)
        return ea->weight > eb->weight ? -1 : 1;
    if (ea->from != eb->from)
        return ea->from < eb->from ? -1 : 1;
    return ea->to < eb->to ? -1 : ea->to > eb->to;
}

static int compare_sites(const void *a, const void *b)
{
    const struct callgraph_site *sa = a;
    const struct callgraph_site *sb = b;
    int order;

    if (sa->edge != sb->edge)
        return sa->edge < sb->edge ? -1 : 1;
    if (sa->weight != sb->weight)
        return sa->weight > sb->weight ? -1 : 1;
    order = strcmp(sa->file, sb->file);
    if (order)
        return order;
    return sa->line < sb->line ? -1 : sa->line > sb->line;
}

/* Two walks over the same chains: with the capture's weights, and with the baseline's. */
struct walks {
    struct graph_walk now, base;
    struct view base_view; /* the view for `base`, with the baseline's weights */
};

static enum status walks_run(struct walks *walks, const struct view *view, const bool *kept,
                             bool edges)
{
    enum status status = walk_run(&walks->now, view, kept, edges);

    walks->base = (struct graph_walk){0};
    walks->base_view = *view;
    walks->base_view.self = view->base_self;
    return status == STATUS_OK ? walk_run(&walks->base, &walks->base_view, kept, edges) : status;
}

static void walks_deinit(struct walks *walks)
{
    walk_deinit(&walks->now);
    walk_deinit(&walks->base);
}

static uint64_t edge_hash(const struct callgraph_edge *edge)
{
    return keyed_words(edge->from, edge->to);
}

/*
 * Joins the edges of both walks: first those of walks->now, in its order. Their ends are nodes of
 * the view. The caller frees *out.
 */
static enum status join_edges(const struct walks *walks, struct callgraph_edge **out, size_t *count)
{
    const struct graph_walk *const each[] = {&walks->now, &walks->base};
    struct callgraph_edge *edges =
        calloc(walks->now.edge_count + walks->base.edge_count + 1, sizeof(*edges));
    struct index index = {0};
    enum status status = edges ? STATUS_OK : STATUS_NO_MEMORY;

    *out = edges;
    *count = 0;
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < each[i]->edge_count && status == STATUS_OK; j++) {
            const struct walk_edge *edge = &each[i]->edges[j];
            struct callgraph_edge new = {.from = edge->from, .to = edge->to, .residual = true};
            struct index_probe probe = index_find(&index, edge_hash(&new));
            struct callgraph_edge *joined = NULL;
            uint32_t id;

            while (!joined && index_next(&probe, &id))
                if (edges[id].from == edge->from && edges[id].to == edge->to)
                    joined = &edges[id];
            if (!joined) {
                status = index_add(&index, edge_hash(&new), (uint32_t)*count);
                joined = &edges[(*count)++];
                *joined = new;
            }
            *(i == 0 ? &joined->weight : &joined->base) = edge->weight;
            if (i == 0) {
                joined->calls = edge->calls;
                joined->first = edge->first;
            }
            joined->low_trust |= edge->low_trust;
            joined->residual &= !edge->direct;
        }
    }
    index_deinit(&index);
    return status;
}

/* Fills graph->nodes with all nodes that have a weight, sorted. */
static enum status list_nodes(struct callgraph *graph, const struct walks *full)
{
    const struct view *view = graph->view;

    graph->nodes = calloc(view->node_count + 1, sizeof(*graph->nodes));
    if (!graph->nodes)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < view->node_count; i++)
        if (full->now.total[i] || full->base.total[i])
            graph->nodes[graph->node_count++] =
                (struct callgraph_node){.view_node = (uint32_t)i,
                                        .self = full->now.self[i],
                                        .total = full->now.total[i],
                                        .base_self = full->base.self[i],
                                        .base_total = full->base.total[i],
                                        .outer = CALLGRAPH_NONE,
                                        .inner = CALLGRAPH_NONE};
    qsort_r(graph->nodes, graph->node_count, sizeof(*graph->nodes), compare_nodes, graph);
    return STATUS_OK;
}

/* A choice among nodes: arrays with room for one more than all nodes. */
struct node_choice {
    struct keep_node *nodes; /* by index in graph->nodes */
    uint32_t *inner;         /* by index in graph->nodes */
    bool *kept;              /* by index in graph->nodes */
    uint32_t *at;            /* by the view's node: index in graph->nodes, or CALLGRAPH_NONE */
};

static void describe_nodes(const struct callgraph *graph, const struct walks *full,
                           const struct callgraph_edge *edges, size_t edge_count,
                           struct node_choice *choice)
{
    const struct view *view = graph->view;

    for (size_t i = 0; i < graph->node_count; i++) {
        const struct callgraph_node *node = &graph->nodes[i];
        uint32_t id = node->view_node;

        choice->nodes[i] = (struct keep_node){
            .self = view_importance(view, node->self, node->base_self),
            .total = view_importance(view, node->total, node->base_total),
            .begins = view_importance(view, full->now.begins[id], full->base.begins[id]),
            .inner = choice->inner[i],
        };
    }
    for (size_t i = 0; i < edge_count; i++) {
        uint64_t weight = view_importance(view, edges[i].weight, edges[i].base);
        uint32_t from = choice->at[edges[i].from];

        if (edges[i].from != edges[i].to && weight > choice->nodes[from].passed)
            choice->nodes[from].passed = weight;
    }
}

/* Removes nodes that are not kept; the others keep order and runs. */
static void remove_nodes(struct callgraph *graph, const struct node_choice *choice, bool *kept,
                         uint32_t *rank)
{
    size_t count = graph->node_count;

    graph->node_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct callgraph_node node = graph->nodes[i];

        node.place = (uint32_t)i;
        kept[node.view_node] = choice->kept[i];
        rank[node.view_node] = (uint32_t)graph->node_count;
        choice->at[i] = (uint32_t)graph->node_count; /* by index in graph->nodes from now on */
        if (choice->kept[i])
            graph->nodes[graph->node_count++] = node;
        else
            graph->weight_left_out = weight_add(graph->weight_left_out, node.self);
    }
    graph->nodes_left_out = count - graph->node_count;
    for (size_t i = 0; i < count; i++) {
        if (!choice->kept[i] || choice->inner[i] == CALLGRAPH_NONE)
            continue;
        graph->nodes[choice->at[i]].inner = choice->at[choice->inner[i]];
        graph->nodes[choice->at[choice->inner[i]]].outer = choice->at[i];
    }
}

static enum status choose(struct callgraph *graph, const struct walks *full,
                          const struct callgraph_edge *edges, size_t edge_count,
                          const struct callgraph_options *options, struct node_choice *choice)
{
    const struct view *view = graph->view;
    uint64_t cutoff = amount_cutoff(view->total, options->node_fraction);
    size_t heavy = 0;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < view->node_count; i++)
        choice->at[i] = CALLGRAPH_NONE;
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct callgraph_node *node = &graph->nodes[i];

        choice->at[node->view_node] = (uint32_t)i;
        choice->inner[i] = CALLGRAPH_NONE;
        if (view_importance(view, node->total, node->base_total) >= cutoff)
            heavy = i + 1;
    }
    if (options->runs)
        status = runs_find(graph, edges, edge_count, choice->at, full->now.begins, choice->inner);
    for (size_t i = 0; i < graph->node_count; i++)
        if (i >= heavy || (choice->inner[i] != CALLGRAPH_NONE && choice->inner[i] >= heavy))
            choice->inner[i] = CALLGRAPH_NONE;
    describe_nodes(graph, full, edges, edge_count, choice);
    return status == STATUS_OK ? keep_choose(choice->nodes, heavy, options->nodes, choice->kept)
                               : status;
}

/* Chooses the nodes to show: fills kept, and rank[view node] with the index among kept nodes. */
static enum status choose_nodes(struct callgraph *graph, const struct walks *full,
                                const struct callgraph_options *options, bool *kept, uint32_t *rank)
{
    size_t count = graph->view->node_count + 1;
    struct node_choice choice = {.nodes = calloc(count, sizeof(*choice.nodes)),
                                 .inner = calloc(count, sizeof(*choice.inner)),
                                 .kept = calloc(count, sizeof(*choice.kept)),
                                 .at = calloc(count, sizeof(*choice.at))};
    struct callgraph_edge *edges = NULL;
    enum status status = STATUS_NO_MEMORY;

    if (choice.nodes && choice.inner && choice.kept && choice.at)
        status = join_edges(full, &edges, &graph->edges_left_out);
    if (status == STATUS_OK)
        status = choose(graph, full, edges, graph->edges_left_out, options, &choice);
    if (status == STATUS_OK)
        remove_nodes(graph, &choice, kept, rank);
    free(edges);
    free(choice.nodes);
    free(choice.inner);
    free(choice.kept);
    free(choice.at);
    return status;
}

/* Fills graph->sites for the edges that stayed; place[walk's edge]: its index, or UINT32_MAX. */
static enum status choose_sites(struct callgraph *graph, const struct graph_walk *walk,
                                const uint32_t *place)
{
    graph->sites = calloc(walk->site_count + 1, sizeof(*graph->sites));
    if (!graph->sites)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < walk->site_count; i++) {
        const struct walk_site *site = &walk->sites[i];

        if (place[site->edge] != UINT32_MAX)
            graph->sites[graph->site_count++] = (struct callgraph_site){.edge = place[site->edge],
                                                                        .file = site->file,
                                                                        .line = site->line,
                                                                        .weight = site->weight};
    }
    qsort(graph->sites, graph->site_count, sizeof(*graph->sites), compare_sites);
    for (size_t i = graph->site_count; i-- > 0;) {
        struct callgraph_edge *edge = &graph->edges[graph->sites[i].edge];

        edge->site_first = i;
        edge->site_count++;
    }
    return STATUS_OK;
}

static void remove_edges(struct callgraph *graph, const bool *which, bool removed)
{
    size_t count = graph->edge_count;

    graph->edge_count = 0;
    for (size_t i = 0; i < count; i++)
        if (which[i] != removed)
            graph->edges[graph->edge_count++] = graph->edges[i];
}

/* Removes light and redundant edges; the graph has all edges, sorted. */
static enum status trim_edges(struct callgraph *graph, const struct walks *walks, uint64_t cutoff)
{
    bool *begins = calloc(graph->node_count + 1, sizeof(*begins));
    bool *which = calloc(graph->edge_count + 1, sizeof(*which));
    enum status status = STATUS_NO_MEMORY;

    if (begins && which) {
        for (size_t i = 0; i < graph->node_count; i++) {
            uint32_t id = graph->nodes[i].view_node;

            begins[i] = walks->now.begins[id] || walks->base.begins[id];
        }
        status = ways_keep(graph, begins, cutoff, which);
    }
    if (status == STATUS_OK) {
        remove_edges(graph, which, false);
        memset(which, 0, graph->edge_count * sizeof(*which));
        status = redundant_edges(graph, which);
    }
    if (status == STATUS_OK)
        remove_edges(graph, which, true);
    free(begins);
    free(which);
    return status;
}

static enum status choose_edges(struct callgraph *graph, const struct walks *walks,
                                const struct callgraph_options *options, const uint32_t *rank)
{
    uint32_t *place = malloc((walks->now.edge_count + 1) * sizeof(*place));
    enum status status = join_edges(walks, &graph->edges, &graph->edge_count);

    if (!place)
        status = STATUS_NO_MEMORY;
    for (size_t i = 0; i < graph->edge_count && status == STATUS_OK; i++) {
        struct callgraph_edge *edge = &graph->edges[i];

        if (i < walks->now.edge_count)
            place[i] = UINT32_MAX;
        edge->from = rank[edge->from];
        edge->to = rank[edge->to];
        edge->site_first = i; /* index in the walk, until the sites are known */
    }
    if (status == STATUS_OK) {
        qsort_r(graph->edges, graph->edge_count, sizeof(*graph->edges), compare_edges, graph);
        status =
            trim_edges(graph, walks, amount_cutoff(graph->view->total, options->edge_fraction));
    }
    for (size_t i = 0; i < graph->edge_count && status == STATUS_OK; i++) {
        if (graph->edges[i].site_first < walks->now.edge_count)
            place[graph->edges[i].site_first] = (uint32_t)i;
        graph->edges[i].site_first = 0;
        if (graph->nodes[graph->edges[i].from].inner == graph->edges[i].to)
            graph->nodes[graph->edges[i].from].inner_call = (uint32_t)i;
        graph->edges_left_out -= !graph->edges[i].residual;
    }
    if (status == STATUS_OK)
        status = choose_sites(graph, &walks->now, place);
    free(place);
    return status;
}

static enum status build(struct callgraph *graph, const struct callgraph_options *options,
                         bool *kept, uint32_t *rank)
{
    struct walks walks = {0};
    enum status status = walks_run(&walks, graph->view, NULL, true);

    if (status == STATUS_OK)
        status = list_nodes(graph, &walks);
    if (status == STATUS_OK)
        status = choose_nodes(graph, &walks, options, kept, rank);
    walks_deinit(&walks);
    if (status == STATUS_OK)
        status = walks_run(&walks, graph->view, kept, true);
    if (status == STATUS_OK)
        status = choose_edges(graph, &walks, options, rank);
    walks_deinit(&walks);
    return status;
}

static enum status build_nodes(struct callgraph *graph)
{
    struct walks walks = {0};
    enum status status = walks_run(&walks, graph->view, NULL, false);

    if (status == STATUS_OK)
        status = list_nodes(graph, &walks);
    for (size_t i = 0; i < graph->node_count; i++)
        graph->nodes[i].place = (uint32_t)i;
    walks_deinit(&walks);
    return status;
}

enum status callgraph_create_nodes(const struct view *view, struct callgraph **out)
{
    struct callgraph *graph = calloc(1, sizeof(*graph));
    enum status status = STATUS_NO_MEMORY;

    if (graph) {
        graph->view = view;
        status = build_nodes(graph);
    }
    if (status == STATUS_OK)
        *out = graph;
    else
        callgraph_destroy(graph);
    return status;
}

enum status callgraph_create(const struct view *view, const struct callgraph_options *options,
                             struct callgraph **out)
{
    struct callgraph *graph = calloc(1, sizeof(*graph));
    bool *kept = calloc(view->node_count + 1, sizeof(*kept));
    uint32_t *rank = calloc(view->node_count + 1, sizeof(*rank));
    enum status status = STATUS_NO_MEMORY;

    if (graph && kept && rank) {
        graph->view = view;
        status = build(graph, options, kept, rank);
    }
    free(kept);
    free(rank);
    if (status == STATUS_OK)
        *out = graph;
    else
        callgraph_destroy(graph);
    return status;
}

void callgraph_destroy(struct callgraph *graph)
{
    if (!graph)
        return;
    free(graph->nodes);
    free(graph->edges);
    free(graph->sites);
    free(graph);
}
