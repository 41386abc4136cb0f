#include "graph/callgraph.h"

#include <stdlib.h>
#include <string.h>

#include "graph/text.h"
#include "graph/walk.h"

static int compare_nodes(const void *a, const void *b, void *context)
{
    const struct callgraph *graph = context;
    const struct callgraph_node *na = a;
    const struct callgraph_node *nb = b;
    int order;

    if (na->total != nb->total)
        return na->total > nb->total ? -1 : 1;
    if (na->self != nb->self)
        return na->self > nb->self ? -1 : 1;
    order = view_compare_nodes(graph->view, na->view_node, nb->view_node);
    if (order)
        return order;
    return na->view_node < nb->view_node ? -1 : na->view_node > nb->view_node;
}

static int compare_edges(const void *a, const void *b)
{
    const struct callgraph_edge *ea = a;
    const struct callgraph_edge *eb = b;

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

/* Keeps the heaviest nodes; rank[view node] becomes the place among them, kept says which. */
static enum status choose_nodes(struct callgraph *graph, const struct walk *full,
                                const struct callgraph_options *options, bool *kept, uint32_t *rank)
{
    const struct view *view = graph->view;
    uint64_t cutoff = text_cutoff(view->total, options->node_fraction);
    size_t count = 0;
    size_t kept_count = 0;

    graph->nodes = calloc(view->node_count + 1, sizeof(*graph->nodes));
    if (!graph->nodes)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < view->node_count; i++)
        if (full->total[i])
            graph->nodes[count++] = (struct callgraph_node){.view_node = (uint32_t)i,
                                                            .self = full->self[i],
                                                            .total = full->total[i]};
    qsort_r(graph->nodes, count, sizeof(*graph->nodes), compare_nodes, graph);
    while (kept_count < count && graph->nodes[kept_count].total >= cutoff &&
           (options->nodes == 0 || kept_count < options->nodes)) {
        kept[graph->nodes[kept_count].view_node] = true;
        rank[graph->nodes[kept_count].view_node] = (uint32_t)kept_count;
        kept_count++;
    }
    graph->node_count = kept_count;
    graph->nodes_left_out = count - kept_count;
    for (size_t i = kept_count; i < count; i++)
        graph->weight_left_out = weight_add(graph->weight_left_out, graph->nodes[i].self);
    return STATUS_OK;
}

/* The call sites of the edges that stayed; place[walk's edge] is its place among them. */
static enum status choose_sites(struct callgraph *graph, const struct walk *walk,
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

static enum status choose_edges(struct callgraph *graph, const struct walk *walk,
                                const struct callgraph_options *options, const uint32_t *rank)
{
    uint64_t cutoff = text_cutoff(graph->view->total, options->edge_fraction);
    uint32_t *place = malloc((walk->edge_count + 1) * sizeof(*place));
    enum status status = STATUS_NO_MEMORY;

    graph->edges = calloc(walk->edge_count + 1, sizeof(*graph->edges));
    if (!graph->edges || !place)
        goto out;
    for (size_t i = 0; i < walk->edge_count; i++) {
        const struct walk_edge *edge = &walk->edges[i];

        place[i] = UINT32_MAX;
        if (edge->weight < cutoff)
            continue;
        /* site_first tells where the edge came from until the sites are known. */
        graph->edges[graph->edge_count++] = (struct callgraph_edge){.from = rank[edge->from],
                                                                    .to = rank[edge->to],
                                                                    .weight = edge->weight,
                                                                    .low_trust = edge->low_trust,
                                                                    .residual = !edge->direct,
                                                                    .site_first = i};
    }
    qsort(graph->edges, graph->edge_count, sizeof(*graph->edges), compare_edges);
    for (size_t i = 0; i < graph->edge_count; i++) {
        place[graph->edges[i].site_first] = (uint32_t)i;
        graph->edges[i].site_first = 0;
        graph->edges_left_out -= !graph->edges[i].residual;
    }
    status = choose_sites(graph, walk, place);
out:
    free(place);
    return status;
}

static enum status build(struct callgraph *graph, const struct callgraph_options *options,
                         bool *kept, uint32_t *rank)
{
    struct walk walk = {0};
    enum status status = walk_run(&walk, graph->view, NULL);

    if (status == STATUS_OK)
        status = choose_nodes(graph, &walk, options, kept, rank);
    graph->edges_left_out = walk.edge_count;
    walk_deinit(&walk);
    if (status == STATUS_OK)
        status = walk_run(&walk, graph->view, kept);
    if (status == STATUS_OK)
        status = choose_edges(graph, &walk, options, rank);
    walk_deinit(&walk);
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
