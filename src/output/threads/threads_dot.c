/* SPDX-License-Identifier: MIT */
#include "output/threads/threads_dot.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/label.h"
#include "base/plural.h"
#include "base/text.h"
#include "output/dot.h"
#include "output/picture.h"
#include "output/threads/output_report.h"
#include "threads/tally.h"

#define TOOLTIP_WIDTH 60

struct threads_dot_writer {
    const struct report *report;
    bool *taken; /* by node of the hierarchy */
    size_t left_out;
    FILE *out;
};

/* Takes nodes depth by depth, so that the tree has no loose parts. */
static enum status take_nodes(struct threads_dot_writer *w, uint32_t limit)
{
    const struct hierarchy *tree = w->report->hierarchy;
    uint32_t *at_depth, cut = 0, taken = 0, kept = 0;

    w->taken = calloc(tree->count + 1, sizeof(*w->taken));
    at_depth = calloc(tree->count + 1, sizeof(*at_depth));
    if (!w->taken || !at_depth) {
        free(at_depth);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < tree->count; i++)
        if (w->report->node_kept[i]) {
            at_depth[tree->nodes[i].depth]++;
            kept++;
        }
    if (limit == 0)
        limit = UINT32_MAX;
    while (cut < tree->count && at_depth[cut] <= limit - taken)
        taken += at_depth[cut++];
    /* As many as there is room for of the first depth that is too wide. */
    for (size_t i = 0; i < tree->count; i++) {
        uint32_t depth = tree->nodes[i].depth;

        if (!w->report->node_kept[i] || depth > cut || (depth == cut && taken == limit))
            continue;
        w->taken[i] = true;
        taken += depth == cut;
    }
    w->left_out = kept - taken;
    free(at_depth);
    return STATUS_OK;
}

static enum status put_clean(const struct threads_dot_writer *w, const char *text)
{
    char *clean = text_clean(text, TEXT_REPLACE_CONTROLS);

    if (!clean)
        return STATUS_NO_MEMORY;
    dot_put_text(w->out, clean);
    free(clean);
    return STATUS_OK;
}

/* Creations are not seen on boards. */
static bool is_dashed(const struct threads_dot_writer *w, const struct identity *identity)
{
    const struct history *history = w->report->history;
    const uint32_t process = history->threads[identity->first_thread].process;

    return !identity->creation_known && !identity->is_main && !history->processes[process].is_board;
}

/* Puts the output of a function of the report into a label. */
static enum status put_made(const struct threads_dot_writer *w,
                            enum status (*put)(const struct report *report, uint32_t id, FILE *out),
                            uint32_t id)
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    enum status status = memory ? put(w->report, id, memory) : STATUS_NO_MEMORY;

    if (memory && text_close(memory, &text) != STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        dot_put_text(w->out, text);
    free(text);
    return status;
}

static enum status put_names(const struct report *report, uint32_t id, FILE *out)
{
    return report_put_names(report, &report->hierarchy->nodes[id], out);
}

static enum status put_chain(const struct report *report, uint32_t identity, FILE *out)
{
    const struct report_layout layout = {.margin = "",
                                         .width = TOOLTIP_WIDTH,
                                         .words_max = SIZE_MAX,
                                         .brief = true};
    struct report_chain made;
    enum status status;

    report_creation_chain(report, &report->identities->list[identity], &made);
    status = report_put_frames(report, made.frames, made.count, &layout, out);
    if (made.left_out)
        fprintf(out, "\n← … %zu more", made.left_out);
    return status;
}

static bool has_dashed(const struct threads_dot_writer *w)
{
    const struct hierarchy *tree = w->report->hierarchy;

    for (size_t i = 0; i < tree->count; i++)
        if (w->taken[i] && is_dashed(w, &w->report->identities->list[tree->nodes[i].identity]))
            return true;
    return false;
}

static enum status put_head(const struct threads_dot_writer *w)
{
    const struct report *report = w->report;
    enum status status = STATUS_OK;

    fputs("digraph threads {\n"
          "graph [fontname=\"Helvetica,Arial,sans-serif\", fontsize=14, labelloc=t, labeljust=l, "
          "rankdir=LR, nodesep=0.2, ranksep=0.7, pad=0.2, bgcolor=white, tooltip=\" \", label=\"",
          w->out);
    if (report->title) {
        status = put_clean(w, report->title);
        fputs("\\l", w->out);
    }
    report_put_counts(report, w->out);
    fputs("\\l", w->out);
    dot_put_lines(w->out, report->caveats);
    if (w->left_out)
        fprintf(w->out, "left out: %zu kind%s of threads lower in the tree\\l", w->left_out,
                plural(w->left_out));
    if (has_dashed(w))
        fputs("dashed: their creation was not seen\\l", w->out);
    fputs("\"];\n"
          "node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica,Arial,sans-serif\", "
          "margin=\"0.14,0.07\", height=0.3, fillcolor=\"#f2f4f7\", color=\"#8c949e\"];\n"
          "edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, fontcolor=\"#404448\", "
          "color=\"#8c949e\", arrowsize=0.7];\n",
          w->out);
    return status;
}

static enum status put_process(const struct threads_dot_writer *w, uint32_t id)
{
    const struct history_process *process = &w->report->history->processes[id];
    enum status status;

    fprintf(w->out, "p%" PRIu32 " [label=\"", id);
    status = put_clean(w, process->exe[0]     ? history_process_name(process)
                          : process->is_board ? "board"
                                              : "process");
    if (!process->is_board)
        fprintf(w->out, "\\npid %" PRIu32, process->pid);
    fputs("\", shape=folder, style=filled, fillcolor=\"#dfe7f2\", tooltip=\"", w->out);
    if (status == STATUS_OK)
        status = put_clean(w, process->exe);
    fputs(" \"];\n", w->out);
    return status;
}

static enum status put_label(const struct threads_dot_writer *w, const char *name)
{
    char *label = label_shorten(name);

    if (!label)
        return STATUS_NO_MEMORY;
    dot_put_text(w->out, label);
    free(label);
    return STATUS_OK;
}

static void put_sums(const struct threads_dot_writer *w, uint32_t id)
{
    const struct hierarchy_node *node = &w->report->hierarchy->nodes[id];
    uint64_t samples = 0, cpu_ns = 0;
    bool cpu_unknown = false;

    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t thread = w->report->hierarchy->order[node->first + i];

        if (!w->report->shown[thread])
            continue;
        samples += w->report->history->threads[thread].samples;
        cpu_ns += w->report->history->threads[thread].cpu_ns;
        cpu_unknown |= !tally_is_cpu_known(&w->report->history->threads[thread]);
    }
    fprintf(w->out, "\\n%" PRIu64 " sample%s", samples, plural(samples));
    if (w->report->is_core)
        return;
    fputs(", CPU ", w->out);
    report_put_cpu(cpu_ns, cpu_unknown, 0, w->out);
}

static enum status put_node(const struct threads_dot_writer *w, uint32_t id)
{
    const struct hierarchy_node *node = &w->report->hierarchy->nodes[id];
    const struct identity *identity = &w->report->identities->list[node->identity];
    uint32_t threads = w->report->node_shown[id];
    const bool names_first = threads && report_names_are_first(identity);
    enum status status = STATUS_OK;

    fprintf(w->out, "n%" PRIu32 " [label=\"", id);
    if (names_first) {
        status = put_made(w, put_names, id);
        fputs("\\n", w->out);
    }
    if (status == STATUS_OK)
        status = put_label(w, identity->name);
    if (threads > 1)
        fprintf(w->out, " ×%" PRIu32, threads);
    if (status == STATUS_OK && threads && !names_first) {
        fputs("\\n", w->out);
        status = put_made(w, put_names, id);
    }
    if (threads)
        put_sums(w, id);
    fprintf(w->out, "\", tooltip=\"#%s", identity->hash);
    if (status == STATUS_OK && identity->creation_known) {
        fputs("\\n", w->out);
        status = put_made(w, put_chain, node->identity);
    }
    fputc('"', w->out);
    if (threads > 1)
        fputs(", peripheries=2, fillcolor=\"#fdeed0\"", w->out);
    fputs("];\n", w->out);
    return status;
}

static enum status put_edge(const struct threads_dot_writer *w, uint32_t id)
{
    const struct hierarchy_node *node = &w->report->hierarchy->nodes[id];
    const struct identity *identity = &w->report->identities->list[node->identity];
    bool from_process = node->parent == HIERARCHY_NONE;
    enum status status = STATUS_OK;

    fprintf(w->out, "%c%" PRIu32 " -> n%" PRIu32 " [", from_process ? 'p' : 'n',
            from_process ? node->process : node->parent, id);
    if (identity->creation_known && identity->site_frame != IDENTITY_NONE) {
        fputs("label=\"", w->out);
        status = put_made(w, report_put_site, identity->site_frame);
        fputs("\"", w->out);
    } else if (is_dashed(w, identity)) {
        fputs("style=dashed", w->out);
    }
    fputs("];\n", w->out);
    return status;
}

enum status threads_dot_write(const struct report *report, uint32_t nodes, FILE *out)
{
    const struct hierarchy *tree = report->hierarchy;
    struct threads_dot_writer w = {.report = report, .out = out};
    uint32_t process = HIERARCHY_NONE;
    enum status status = take_nodes(&w, nodes);

    if (status == STATUS_OK)
        status = put_head(&w);
    for (uint32_t i = 0; i < tree->count && status == STATUS_OK; i++) {
        if (!w.taken[i])
            continue;
        if (tree->nodes[i].process != process) {
            process = tree->nodes[i].process;
            status = put_process(&w, process);
        }
        if (status == STATUS_OK)
            status = put_node(&w, i);
        if (status == STATUS_OK)
            status = put_edge(&w, i);
    }
    fputs("}\n", out);
    free(w.taken);
    return status == STATUS_OK ? text_finish(out) : status;
}

struct report_graph {
    const struct report *report;
    uint32_t nodes;
};

static enum status write_graph(const void *context, FILE *out)
{
    const struct report_graph *graph = context;

    return threads_dot_write(graph->report, graph->nodes, out);
}

static enum status finish(struct output *o, struct diag *diag)
{
    struct report report;
    const struct report_graph graph = {.report = &report, .nodes = o->trimming->nodes};
    enum status status = output_report_init(&report, o);

    if (status == STATUS_OK)
        status = picture_write(o, write_graph, &graph, diag);
    report_deinit(&report);
    return status;
}

const struct output_format output_format_threads_dot = {
    .name = "threads-dot",
    .help = "which thread made which, as text for Graphviz",
    .begins = "^digraph ",
    .needs = NEEDS_HISTORY | NEEDS_LINES,
    .honours = HONOURS(NODES),
    .finish = finish,
};

const struct output_format output_format_threads_svg = {
    .name = "threads-svg",
    .help = "which thread made which, drawn as SVG",
    .begins = "^<(\\?xml|svg) ",
    .needs = NEEDS_HISTORY | NEEDS_LINES,
    .honours = HONOURS(NODES),
    .drawing = DRAWN_SVG,
    .finish = finish,
};
