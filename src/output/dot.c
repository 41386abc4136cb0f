/* SPDX-License-Identifier: MIT */
#include "output/dot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/text.h"
#include "graph/amount.h"
#include "output/dot_box.h"
#include "output/dot_colour.h"

#define NODE_MARGIN   12    /* hundredths of an inch, left and right of a node's label */
#define NODE_MARGIN_Y 6     /* the same, above and below the label */
#define LINE_PITCH    13    /* tenths of the font's size, from line to line */
#define FRAME_FONT    1200u /* hundredths of a point */
#define FRAME_MARGIN  8     /* hundredths of an inch */

/* From cold to hot, for shares 0, 1/2 and 1; black text can be read on each fill. */
static const struct dot_colour FILL[3] = {{242, 244, 247}, {253, 222, 170}, {243, 144, 112}};
static const struct dot_colour LINE[3] = {{140, 148, 158}, {196, 128, 48}, {178, 52, 28}};

/* The same for shares that are greater, or smaller, than in the baseline. */
static const struct dot_colour MORE_FILL[3] = {{244, 244, 244}, {250, 205, 196}, {238, 122, 108}};
static const struct dot_colour MORE_LINE[3] = {{148, 148, 148}, {204, 92, 76}, {176, 32, 24}};
static const struct dot_colour LESS_FILL[3] = {{244, 244, 244}, {198, 216, 250}, {116, 160, 238}};
static const struct dot_colour LESS_LINE[3] = {{148, 148, 148}, {84, 124, 204}, {28, 72, 184}};

/* Borders of the functions that a trace calls first and last. */
static const struct dot_colour FIRST_LINE = {26, 143, 60};
static const struct dot_colour LAST_LINE = {208, 32, 32};

static void put_share(FILE *out, uint64_t part, uint64_t total)
{
    uint32_t tenths = (amount_basis_points(part, total) + 5) / 10;

    fprintf(out, "%" PRIu32 ".%" PRIu32 "%%", tenths / 10, tenths % 10);
}

static void put_weight(const struct callgraph *graph, uint64_t value, FILE *out)
{
    char buffer[AMOUNT_TEXT_MAX];

    fputs(amount_weight(buffer, graph->view->weight, value), out);
}

void dot_put_value(const struct callgraph *graph, uint64_t value, FILE *out)
{
    put_share(out, value, graph->view->total);
    fputs(" (", out);
    put_weight(graph, value, out);
    fputc(')', out);
}

/* "+3.21%", "+0.21%~" */
static void put_delta(const struct view *view, uint64_t value, uint64_t base, FILE *out)
{
    char buffer[AMOUNT_TEXT_MAX];

    fputs(amount_delta(buffer, view_delta(view, value, base)), out);
    if (view_is_noise(view, value, base))
        fputc('~', out);
}

/* Returns the change that colours show. */
static int32_t shown_delta(const struct view *view, uint64_t value, uint64_t base)
{
    return view_is_noise(view, value, base) ? 0 : view_delta(view, value, base);
}

/* "+3.21%, was 41.90% (99)" */
static void put_change(const struct callgraph *graph, uint64_t value, uint64_t base, FILE *out)
{
    const struct view *view = graph->view;
    char buffer[AMOUNT_TEXT_MAX];

    put_delta(view, value, base, out);
    fprintf(out, ", was %s (", amount_share(buffer, base, view->base_total));
    put_weight(graph, base, out);
    fputc(')', out);
}

static const char *node_word(const struct callgraph *graph)
{
    if (graph->view->by_thread)
        return "node";
    switch (graph->view->by) {
    case GRAPH_BY_FUNCTION:
        return "function";
    case GRAPH_BY_LINE:
        return "line";
    case GRAPH_BY_MODULE:
        return "module";
    }
    return "";
}

/* An edge from a thread to its first function is no call; a trace counts calls as such. */
static const char *edge_word(const struct callgraph *graph)
{
    return graph->view->by_thread || graph->view->has_calls ? "edge" : "call";
}

static void put_legend(const struct callgraph *graph, FILE *out)
{
    bool low_trust = false;
    bool residual = false;

    for (size_t i = 0; i < graph->edge_count; i++) {
        low_trust |= graph->edges[i].low_trust;
        residual |= graph->edges[i].residual && !graph->edges[i].low_trust;
    }
    if (graph->view->has_calls)
        fputs("green border: the first call; red: the last one\\l", out);
    if (graph->view->compare)
        fputs("red: a greater share than in the baseline; blue: a smaller one\\l", out);
    if (graph->view->compare && graph->view->carriers && graph->view->base_carriers)
        fputs("~, grey: two captures of one program may differ by as much\\l", out);
    if (dot_box_count(graph) < graph->node_count)
        fputs("several names in a box: each calls the next one only\\l", out);
    if (residual)
        fprintf(out, "dashed: %ss between are left out\\l", node_word(graph));
    if (low_trust)
        fputs("dotted: a caller was found without unwind tables\\l", out);
}

static enum status put_head(const struct callgraph *graph, const struct dot_options *options,
                            FILE *out)
{
    const char *title = options->title;
    char share[AMOUNT_TEXT_MAX];
    char summary[VIEW_SUMMARY_MAX];
    char *clean = title ? text_clean(title, TEXT_REPLACE_CONTROLS) : NULL;
    size_t boxes = dot_box_count(graph);

    if (title && !clean)
        return STATUS_NO_MEMORY;
    fputs(
        "digraph callgraph {\n"
        "graph [fontname=\"Helvetica,Arial,sans-serif\", fontsize=14, labelloc=t, labeljust=l, "
        "newrank=true, nodesep=0.25, ranksep=0.45, pad=0.2, bgcolor=white, tooltip=\" \", label=\"",
        out);
    if (clean) {
        dot_put_text(out, clean);
        fputs("\\l", out);
    }
    free(clean);
    dot_put_text(out, view_summary(graph->view, summary));
    fputs("\\l", out);
    dot_put_lines(out, options->caveats);
    fprintf(out, "%zu %s%s", graph->node_count, node_word(graph), plural(graph->node_count));
    if (boxes < graph->node_count)
        fprintf(out, " in %zu box%s", boxes, boxes == 1 ? "" : "es");
    fprintf(out, ", %zu %s%s shown\\l", graph->edge_count, edge_word(graph),
            plural(graph->edge_count));
    if (graph->nodes_left_out || graph->edges_left_out) {
        fprintf(out, "left out: %zu %s%s with ", graph->nodes_left_out, node_word(graph),
                plural(graph->nodes_left_out));
        fputs(amount_percent(share, graph->weight_left_out, graph->view->total), out);
        fprintf(out, " of the %s, %zu %s%s\\l",
                graph->view->has_calls ? "calls to them" : "weight in themselves",
                graph->edges_left_out, edge_word(graph), plural(graph->edges_left_out));
    }
    put_legend(graph, out);
    fputs("\"];\n"
          "node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica,Arial,sans-serif\", "
          "margin=\"0.12,0.06\", height=0.3];\n"
          "edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, fontcolor=\"#404448\", "
          "arrowsize=0.7];\n",
          out);
    return STATUS_OK;
}

static void put_call_count(uint64_t calls, FILE *out)
{
    fprintf(out, "%" PRIu64 " call%s", calls, plural(calls));
}

/* Writes a node's weight, or number of calls, on lines of their own. */
static void put_node_weight(const struct callgraph *graph, const struct callgraph_node *node,
                            FILE *out)
{
    bool is_thread = graph->view->nodes[node->view_node].is_thread;

    if (graph->view->has_calls) {
        put_call_count(node->self, out);
        return;
    }
    dot_put_value(graph, node->total, out);
    if (node->self == node->total && !is_thread) {
        fputs(" self", out);
    } else if (node->self) {
        fputs("\\nself ", out);
        dot_put_value(graph, node->self, out);
    }
    if (graph->view->compare) {
        fputs("\\n", out);
        put_change(graph, node->total, node->base_total, out);
    }
}

static uint64_t lines_of(const char *label)
{
    uint64_t lines = 1;

    for (; *label; label++) {
        lines += label[0] == '\\' && label[1] == 'n';
        label += label[0] == '\\' && label[1];
    }
    return lines;
}

/*
 * Writes the label, its font size (`size`: hundredths of a point), and the least size of the box:
 * wide enough for the label in Arial (svg_fit.h), if Graphviz lays out with a narrower font, and
 * high enough to spread the lines (render.h).
 */
static enum status put_node_label(const struct callgraph *graph, uint32_t id, uint32_t size,
                                  FILE *out)
{
    char *label = NULL;
    size_t length;
    FILE *memory = open_memstream(&label, &length);
    enum status status = memory ? dot_box_names(graph, id, memory) : STATUS_NO_MEMORY;
    uint64_t width, height; /* hundredths of an inch */

    if (memory) {
        fputs("\\n", memory);
        put_node_weight(graph, &graph->nodes[id], memory);
        if (text_close(memory, &label) != STATUS_OK)
            status = STATUS_NO_MEMORY;
    }
    if (status == STATUS_OK) {
        width = dot_text_sans(label) * size / 72000 + 2 * NODE_MARGIN;
        height = lines_of(label) * size * LINE_PITCH / 720 + 2 * NODE_MARGIN_Y;
        fprintf(out,
                "%s\", fontsize=%" PRIu32 ".%02" PRIu32 ", width=%" PRIu64 ".%02" PRIu64
                ", height=%" PRIu64 ".%02" PRIu64,
                label, size / 100, size % 100, width / 100, width % 100, height / 100,
                height % 100);
    }
    free(label);
    return status;
}

static enum status put_node(const struct callgraph *graph, uint32_t id, const uint32_t *ids,
                            FILE *out)
{
    const struct callgraph_node *node = &graph->nodes[id];
    const struct view_node *what = &graph->view->nodes[node->view_node];
    uint32_t total = amount_basis_points(node->total, graph->view->total);
    uint32_t self = amount_basis_points(node->self, graph->view->total);
    uint32_t size = 1000 + 14 * dot_root(self) / 100; /* hundredths of a point */
    int32_t delta = shown_delta(graph->view, node->total, node->base_total);
    bool compare = graph->view->compare;
    struct dot_colour fill =
        compare ? dot_shade_change(MORE_FILL, LESS_FILL, delta) : dot_shade(FILL, total);
    struct dot_colour line =
        compare ? dot_shade_change(MORE_LINE, LESS_LINE, delta) : dot_shade(LINE, total);
    bool is_first = graph->view->first_call_node == node->view_node;
    bool is_last = graph->view->last_call_node == node->view_node;
    enum status status;

    fprintf(out, "n%" PRIu32 " [label=\"", id);
    status = put_node_label(graph, id, size, out);
    if (is_first || is_last)
        line = is_first ? FIRST_LINE : LAST_LINE;
    fprintf(out,
            ", fillcolor=\"#%02" PRIx32 "%02" PRIx32 "%02" PRIx32 "\", color=\"#%02" PRIx32
            "%02" PRIx32 "%02" PRIx32 "\", tooltip=\"",
            fill.red, fill.green, fill.blue, line.red, line.green, line.blue);
    dot_box_tooltip(graph, id, out);
    if (what->thread && !what->is_thread) {
        fputs(graph->view->profile->by_process ? "\\nprocess " : "\\nthread ", out);
        dot_put_text(out, what->thread);
    }
    if (graph->view->has_calls) {
        fputs("\\nwith what was called from there ", out);
        dot_put_value(graph, node->total, out);
    }
    fputs("\", id=", out);
    dot_box_id(graph, id, ids, out);
    fprintf(out, "%s", what->is_thread ? ", shape=oval, style=filled" : "");
    if (is_first || is_last)
        fprintf(out, ", penwidth=2.5%s", is_first && is_last ? ", peripheries=2" : "");
    fputs("];\n", out);
    return status;
}

/* Begins a frame, before its nodes. */
static void put_frame(const char *name, size_t number, FILE *out)
{
    fprintf(out,
            "subgraph cluster_%zu {\nstyle=\"filled,rounded\"; color=\"#d5d9de\"; "
            "fillcolor=\"#fafbfc\"; label=\"\"; tooltip=\"",
            number);
    dot_put_text(out, name);
    fputs("\";\n", out);
}

/*
 * Ends a frame with its name, as a node without a border beside the frame's first box: Graphviz
 * draws edges through a frame's label, but not through nodes.
 */
static enum status put_frame_name(enum graph_cluster by, const char *name, size_t number,
                                  uint32_t first, FILE *out)
{
    char *label = NULL;
    size_t length;
    FILE *memory = open_memstream(&label, &length);
    uint64_t width; /* hundredths of an inch */

    if (!memory)
        return STATUS_NO_MEMORY;
    dot_put_text(memory, by == CLUSTER_THREAD ? name : text_basename(name));
    if (text_close(memory, &label) != STATUS_OK) {
        free(label);
        return STATUS_NO_MEMORY;
    }
    width = dot_text_sans(label) * FRAME_FONT / 72000 + FRAME_MARGIN;
    fprintf(out,
            "f%zu [label=\"%s\", class=frame, shape=plaintext, style=solid, fontsize=%u, "
            "fontcolor=\"#5a6068\", margin=0, width=%" PRIu64 ".%02" PRIu64 ", tooltip=\"",
            number, label, FRAME_FONT / 100, width / 100, width % 100);
    dot_put_text(out, name);
    fprintf(out, "\"];\n{rank=same; n%" PRIu32 "; f%zu}\n}\n", first, number);
    free(label);
    return STATUS_OK;
}

/* By node: the first box of the frame that begins with it, and the next box in its own frame. */
struct frame_boxes {
    uint32_t first, next;
};

static void list_frames(const struct callgraph *graph, const uint32_t *frames,
                        struct frame_boxes *boxes)
{
    for (size_t i = 0; i < graph->node_count; i++)
        boxes[i].first = CALLGRAPH_NONE;
    for (uint32_t i = (uint32_t)graph->node_count; i-- > 0;) {
        if (graph->nodes[i].outer != CALLGRAPH_NONE)
            continue;
        boxes[i].next = boxes[frames[i]].first;
        boxes[frames[i]].first = i;
    }
}

/* Writes frames in the order of their heaviest nodes. */
static enum status put_nodes(const struct callgraph *graph, const struct dot_options *options,
                             FILE *out)
{
    enum graph_cluster by = options->cluster;
    const char **names = calloc(graph->node_count + 1, sizeof(*names));
    uint32_t *frames = calloc(graph->node_count + 1, sizeof(*frames));
    struct frame_boxes *boxes = calloc(graph->node_count + 1, sizeof(*boxes));
    enum status status =
        names && frames && boxes ? cluster_names(graph, by, names) : STATUS_NO_MEMORY;
    size_t count = 0;

    if (status == STATUS_OK)
        status = cluster_frames(graph, by, names, frames);
    if (status == STATUS_OK)
        list_frames(graph, frames, boxes);
    for (uint32_t i = 0; i < graph->node_count && status == STATUS_OK; i++) {
        if (frames[i] != i)
            continue;
        if (names[i])
            put_frame(names[i], count, out);
        for (uint32_t box = boxes[i].first; box != CALLGRAPH_NONE && status == STATUS_OK;
             box = boxes[box].next)
            status = put_node(graph, box, options->ids, out);
        if (names[i] && status == STATUS_OK)
            status = put_frame_name(by, names[i], count++, boxes[i].first, out);
    }
    free(names);
    free(frames);
    free(boxes);
    return status;
}

void dot_put_site(const struct callgraph *graph, const struct callgraph_edge *edge,
                  const char *before, FILE *out)
{
    const struct callgraph_site *site = &graph->sites[edge->site_first];

    if (edge->site_count == 0)
        return;
    fputs(before, out);
    dot_put_text(out, text_basename(site->file));
    fprintf(out, ":%" PRIu32, site->line);
    if (edge->site_count > 1)
        fprintf(out, " +%zu", edge->site_count - 1);
}

static void put_edge_tooltip(const struct callgraph *graph, const struct callgraph_edge *edge,
                             FILE *out)
{
    const struct view *view = graph->view;
    size_t shown = edge->site_count < DOT_SITES_MAX ? edge->site_count : DOT_SITES_MAX;

    dot_put_text(out, view->nodes[graph->nodes[edge->from].view_node].label);
    fputs(" -> ", out);
    dot_put_text(out, view->nodes[graph->nodes[edge->to].view_node].label);
    fputs("\\n", out);
    if (view->has_calls) {
        put_call_count(edge->calls, out);
        if (edge->first)
            fprintf(out, ", the first is number %" PRIu64, edge->first);
        fputs("\\nwith what was called from there ", out);
    }
    dot_put_value(graph, edge->weight, out);
    if (view->compare) {
        fputs("\\n", out);
        put_change(graph, edge->weight, edge->base, out);
    }
    for (size_t i = 0; i < shown; i++) {
        const struct callgraph_site *site = &graph->sites[edge->site_first + i];

        fputs("\\n", out);
        dot_put_text(out, site->file);
        fprintf(out, ":%" PRIu32 "  ", site->line);
        put_weight(graph, site->weight, out);
    }
    if (edge->site_count > shown)
        fprintf(out, "\\nand %zu more call site%s", edge->site_count - shown,
                plural(edge->site_count - shown));
}

static void put_edge_label(const struct callgraph *graph, const struct callgraph_edge *edge,
                           const struct dot_options *options, FILE *out)
{
    const struct view *view = graph->view;

    if (options->sequence && edge->first)
        fprintf(out, "#%" PRIu64 ": ", edge->first);
    if (view->compare)
        put_delta(view, edge->weight, edge->base, out);
    else
        put_weight(graph, view->has_calls ? edge->calls : edge->weight, out);
    if (options->label_calls)
        dot_put_site(graph, edge, "\\n", out);
}

/*
 * Spaces before an edge's label, by the line's width in steps of 2 points: Graphviz places labels
 * by the line's middle, and a line may be 5 points wide. No-break, as SVG viewers drop spaces at a
 * text's ends.
 */
#define NBSP "\xc2\xa0"
static const char *const EDGE_GAPS[3] = {" ", NBSP NBSP, NBSP NBSP NBSP};

static void put_edge(const struct callgraph *graph, const struct callgraph_edge *edge,
                     uint32_t rows, const struct dot_options *options, FILE *out)
{
    const struct view *view = graph->view;
    uint32_t points =
        amount_basis_points(view_importance(view, edge->weight, edge->base), view->total);
    int32_t delta = shown_delta(view, edge->weight, edge->base);
    uint32_t width = 60 + 44 * points / 1000; /* hundredths of a point */
    struct dot_colour line =
        view->compare ? dot_shade_change(MORE_LINE, LESS_LINE, delta) : dot_shade(LINE, points);

    fprintf(out, "n%" PRIu32 " -> n%" PRIu32 " [label=\"%s", dot_box_of(graph, edge->from),
            edge->to, EDGE_GAPS[width / 200]);
    put_edge_label(graph, edge, options, out);
    fprintf(out, "\", weight=%" PRIu32 ", penwidth=%" PRIu32 ".%02" PRIu32, 1 + points / 100,
            width / 100, width % 100);
    fprintf(out, ", color=\"#%02" PRIx32 "%02" PRIx32 "%02" PRIx32 "\"", line.red, line.green,
            line.blue);
    fputs(", id=", out);
    dot_edge_id(graph, edge, options->ids, out);
    if (rows > 1)
        fprintf(out, ", minlen=%" PRIu32, rows);
    if (edge->low_trust)
        fputs(", style=dotted", out);
    else if (edge->residual)
        fputs(", style=dashed", out);
    fputs(", tooltip=\"", out);
    put_edge_tooltip(graph, edge, out);
    fputs("\", labeltooltip=\"", out);
    put_edge_tooltip(graph, edge, out);
    fputs("\"];\n", out);
}

static enum status put_edges(const struct callgraph *graph, const struct dot_options *options,
                             FILE *out)
{
    uint32_t *rows = calloc(graph->edge_count + 1, sizeof(*rows));
    enum status status = rows ? dot_box_rows(graph, rows) : STATUS_NO_MEMORY;

    for (size_t i = 0; i < graph->edge_count && status == STATUS_OK; i++)
        if (graph->nodes[graph->edges[i].to].outer == CALLGRAPH_NONE)
            put_edge(graph, &graph->edges[i], rows[i], options, out);
    free(rows);
    return status;
}

enum status dot_write(const struct callgraph *graph, const struct dot_options *options, FILE *out)
{
    enum status status = put_head(graph, options, out);

    if (status == STATUS_OK)
        status = put_nodes(graph, options, out);
    if (status == STATUS_OK)
        status = put_edges(graph, options, out);
    if (status != STATUS_OK)
        return status;
    fputs("}\n", out);
    return text_finish(out);
}

enum status dot_graph_create(const struct view *view, const struct callgraph_options *trimming,
                             const struct dot_options *options, struct callgraph **out)
{
    struct callgraph_options how = *trimming;

    how.runs = !view->compare && !view->has_calls && !options->label_calls &&
               options->cluster != CLUSTER_FILE;
    return callgraph_create(view, &how, out);
}
