/* SPDX-License-Identifier: MIT */
#include "output/dot_box.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/label.h"
#include "output/dot.h"

#define ROW_BOXES 3 /* boxes of one caller in a row, before there is another row */
#define ROWS_MAX  4

uint32_t dot_box_of(const struct callgraph *graph, uint32_t node)
{
    while (graph->nodes[node].outer != CALLGRAPH_NONE)
        node = graph->nodes[node].outer;
    return node;
}

size_t dot_box_count(const struct callgraph *graph)
{
    size_t count = 0;

    for (size_t i = 0; i < graph->node_count; i++)
        count += graph->nodes[i].outer == CALLGRAPH_NONE;
    return count;
}

static const struct view_node *named(const struct callgraph *graph, uint32_t node)
{
    return &graph->view->nodes[graph->nodes[node].view_node];
}

static uint32_t number_of(const struct callgraph *graph, uint32_t node, const uint32_t *ids)
{
    return ids ? ids[graph->nodes[node].view_node] : graph->nodes[node].place;
}

void dot_box_id(const struct callgraph *graph, uint32_t box, const uint32_t *ids, FILE *out)
{
    char mark = 'n';

    for (uint32_t node = box; node != CALLGRAPH_NONE; node = graph->nodes[node].inner) {
        fprintf(out, "%c%" PRIu32, mark, number_of(graph, node, ids));
        mark = '_';
    }
}

void dot_edge_id(const struct callgraph *graph, const struct callgraph_edge *edge,
                 const uint32_t *ids, FILE *out)
{
    fprintf(out, "e%" PRIu32 "_%" PRIu32, number_of(graph, edge->from, ids),
            number_of(graph, edge->to, ids));
}

static enum status put_line(const struct callgraph *graph, uint32_t node, FILE *out)
{
    char *line = label_cut(named(graph, node)->label);

    if (!line)
        return STATUS_NO_MEMORY;
    dot_put_text(out, line);
    free(line);
    return STATUS_OK;
}

static enum status put_run(const struct callgraph *graph, uint32_t box, FILE *out)
{
    size_t count = 0, at = 0, hidden;
    enum status status = STATUS_OK;

    for (uint32_t node = box; node != CALLGRAPH_NONE; node = graph->nodes[node].inner)
        count++;
    hidden = count > DOT_NAMES_MAX ? count - (DOT_NAMES_MAX - 1) : 0;
    for (uint32_t node = box; node != CALLGRAPH_NONE && status == STATUS_OK;
         node = graph->nodes[node].inner, at++) {
        if (hidden && at == DOT_NAMES_MAX - 2)
            fprintf(out, "\\n\xe2\x80\xa6 %zu more", hidden);
        if (at >= DOT_NAMES_MAX - 2 && at < DOT_NAMES_MAX - 2 + hidden)
            continue;
        fputs(at ? "\\n" : "", out);
        status = put_line(graph, node, out);
    }
    return status;
}

enum status dot_box_names(const struct callgraph *graph, uint32_t box, FILE *out)
{
    char *label;

    if (graph->nodes[box].inner != CALLGRAPH_NONE)
        return put_run(graph, box, out);
    label = label_shorten(named(graph, box)->label);
    if (!label)
        return STATUS_NO_MEMORY;
    dot_put_text(out, label);
    free(label);
    return STATUS_OK;
}

void dot_box_tooltip(const struct callgraph *graph, uint32_t box, FILE *out)
{
    bool is_run = graph->nodes[box].inner != CALLGRAPH_NONE;

    for (uint32_t node = box; node != CALLGRAPH_NONE; node = graph->nodes[node].inner) {
        dot_put_text(out, named(graph, node)->label);
        if (is_run) {
            fputs("  ", out);
            dot_put_value(graph, graph->nodes[node].total, out);
            if (graph->nodes[node].self) {
                fputs(", self ", out);
                dot_put_value(graph, graph->nodes[node].self, out);
            }
            if (graph->nodes[node].inner != CALLGRAPH_NONE)
                dot_put_site(graph, &graph->edges[graph->nodes[node].inner_call], ", calls at ",
                             out);
        }
        fputs("\\n", out);
    }
    dot_put_text(out, named(graph, box)->module);
}

/* A box: the boxes that it is the heaviest caller of, and how many of them have rows. */
struct row_caller {
    uint32_t call; /* the heaviest edge to it from another box; CALLGRAPH_NONE */
    uint32_t callees, given;
};

static void find_callers(const struct callgraph *graph, struct row_caller *callers)
{
    for (size_t i = 0; i < graph->node_count; i++)
        callers[i].call = CALLGRAPH_NONE;
    for (size_t i = 0; i < graph->edge_count; i++) { /* the heaviest first */
        const struct callgraph_edge *edge = &graph->edges[i];
        uint32_t from = dot_box_of(graph, edge->from);

        if (from == dot_box_of(graph, edge->to) || callers[edge->to].call != CALLGRAPH_NONE)
            continue;
        callers[edge->to].call = (uint32_t)i;
        callers[from].callees++;
    }
}

enum status dot_box_rows(const struct callgraph *graph, uint32_t *rows)
{
    struct row_caller *callers = calloc(graph->node_count + 1, sizeof(*callers));

    if (!callers)
        return STATUS_NO_MEMORY;
    find_callers(graph, callers);
    for (size_t i = 0; i < graph->edge_count; i++) {
        struct row_caller *from = &callers[dot_box_of(graph, graph->edges[i].from)];
        uint32_t count = (from->callees + ROW_BOXES - 1) / ROW_BOXES;

        rows[i] = 1;
        if (callers[graph->edges[i].to].call == i)
            rows[i] += from->given++ % (count < ROWS_MAX ? count : ROWS_MAX);
    }
    free(callers);
    return STATUS_OK;
}
