/* SPDX-License-Identifier: MIT */
#include "output/top.h"

#include <stdlib.h>

#include "base/text.h"
#include "graph/amount.h"
#include "output/format.h"
#include "output/view_head.h"

struct top_writer {
    const struct view *view;
    const struct callgraph *graph;
    FILE *out;
    bool brief;
    uint64_t sum; /* of self, of the rows so far */
};

/* A row of a node, or (node NULL) of those that are left out. */
struct top_row {
    uint64_t self, base_self, total;
    const struct view_node *node;
    size_t more; /* that are left out */
};

static int compare_nodes(const void *a, const void *b, void *context)
{
    const struct top_writer *w = context;
    const struct callgraph_node *na = &w->graph->nodes[*(const size_t *)a];
    const struct callgraph_node *nb = &w->graph->nodes[*(const size_t *)b];
    uint64_t ia = view_importance(w->view, na->self, na->base_self);
    uint64_t ib = view_importance(w->view, nb->self, nb->base_self);
    int order;

    if (ia != ib)
        return ia > ib ? -1 : 1;
    if (na->self != nb->self)
        return na->self > nb->self ? -1 : 1;
    if (na->total != nb->total)
        return na->total > nb->total ? -1 : 1;
    order = view_compare_nodes(w->view, na->view_node, nb->view_node);
    if (order)
        return order;
    return na->view_node < nb->view_node ? -1 : na->view_node > nb->view_node;
}

static void put_weight(struct top_writer *w, uint64_t weight)
{
    char number[AMOUNT_TEXT_MAX];

    amount_weight(number, w->view->weight, weight);
    fprintf(w->out, "%*s ", amount_width(number, 11), number);
}

static enum status put_row(struct top_writer *w, const struct top_row *row)
{
    const struct view *view = w->view;
    char number[AMOUNT_TEXT_MAX];
    enum status status;

    fprintf(w->out, "%8s ", amount_share(number, row->self, view->total));
    put_weight(w, row->self);
    if (view->compare) {
        fprintf(w->out, "%8s ", amount_share(number, row->base_self, view->base_total));
        fprintf(w->out, "%8s%c", amount_delta(number, view_delta(view, row->self, row->base_self)),
                view_is_noise(view, row->self, row->base_self) ? '~' : ' ');
    } else {
        w->sum = weight_add(w->sum, row->self);
        fprintf(w->out, "%8s ", amount_share(number, w->sum, view->total));
    }
    if (!row->node) {
        fprintf(w->out, "%20s  (%zu more)\n", "", row->more);
        return STATUS_OK;
    }
    fprintf(w->out, "%8s ", amount_share(number, row->total, view->total));
    put_weight(w, row->total);
    fputc(' ', w->out);
    status = view_head_put_name(view, row->node, w->brief, w->out);
    fputc('\n', w->out);
    return status;
}

static void put_column_names(struct top_writer *w)
{
    const char *weights = view_head_weights(w->view);

    fprintf(w->out, "\n%8s %11s ", "self", weights);
    if (w->view->compare)
        fprintf(w->out, "%8s %8s ", "baseline", "change");
    else
        fprintf(w->out, "%8s ", "sum");
    fprintf(w->out, "%8s %11s  %s\n", "total", weights, view_head_nodes(w->view));
}

/* The rows of `order`, which is of all nodes. */
static enum status put_rows(struct top_writer *w, const size_t *order,
                            const struct callgraph_options *trimming)
{
    const uint64_t cutoff = amount_cutoff(w->view->total, trimming->node_fraction);
    struct top_row rest = {.more = 0};
    enum status status = STATUS_OK;
    size_t count = 0;

    for (size_t i = 0; i < w->graph->node_count && status == STATUS_OK; i++) {
        const struct callgraph_node *node = &w->graph->nodes[order[i]];

        if ((!trimming->nodes || count < trimming->nodes) &&
            view_importance(w->view, node->total, node->base_total) >= cutoff) {
            status = put_row(w, &(struct top_row){.self = node->self,
                                                  .base_self = node->base_self,
                                                  .total = node->total,
                                                  .node = &w->view->nodes[node->view_node]});
            count++;
        } else {
            rest.self = weight_add(rest.self, node->self);
            rest.base_self = weight_add(rest.base_self, node->base_self);
            rest.more++;
        }
    }
    return rest.more && status == STATUS_OK ? put_row(w, &rest) : status;
}

enum status top_write(const struct callgraph *graph, const struct top_options *options, FILE *out)
{
    struct top_writer w = {.view = graph->view,
                           .graph = graph,
                           .brief = options->brief,
                           .out = out};
    size_t *order = calloc(graph->node_count + 1, sizeof(*order));
    enum status status = STATUS_NO_MEMORY;

    if (order)
        status = view_head_write(graph->view, options->title, options->caveats, out);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < graph->node_count; i++)
            order[i] = i;
        qsort_r(order, graph->node_count, sizeof(*order), compare_nodes, &w);
        put_column_names(&w);
        status = put_rows(&w, order, &options->trimming);
    }
    free(order);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    const struct top_options options = {.trimming = *o->trimming,
                                        .title = o->title,
                                        .caveats = o->caveats,
                                        .brief = o->on_terminal && !o->verbose};
    struct callgraph *graph = NULL;
    enum status status = callgraph_create_nodes(o->view, &graph);

    (void)diag;
    if (status == STATUS_OK)
        status = top_write(graph, &options, o->file);
    callgraph_destroy(graph);
    return status;
}

const struct output_format output_format_top = {
    .name = "top",
    .help = "functions by their own weight, as a table",
    .begins = "^([^\n]*\n)?(samples|[a-zA-Z-]* ?time|calls): ",
    .medium = MEDIUM_TEXT,
    .needs = NEEDS_VIEW,
    .honours = HONOURS_SAMPLES | HONOURS_TRIMMING | HONOURS(BY) | HONOURS(HIDE) |
               HONOURS(DIFF_BASE) | HONOURS(RELATIVE),
    .calls = CALLS_GRAPH,
    .finish = finish,
};
