/* SPDX-License-Identifier: MIT */
#include "output/threads/waits_dot.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/text.h"
#include "graph/amount.h"
#include "output/dot.h"
#include "output/picture.h"
#include "output/threads/output_waits.h"

enum mark { MARK_NONE, MARK_POSSIBLE, MARK_DEADLOCK };

struct dot_edge {
    uint32_t node, group;
    bool held; /* "held by", else "waits for" */
    bool inferred;
    enum mark mark;
    uint32_t threads; /* threads that the edge stands for */
    uint64_t ns;
    uint32_t chain; /* of the thread with the most time; HISTORY_NONE */
    uint64_t chain_ns;
};

struct waits_dot_writer {
    const struct waits_dot *dot;
    const struct wait_graph *graph;
    const struct history *history;
    bool by_identity, has_times;
    bool *shown;        /* by node */
    uint32_t *held_red; /* by node: the thread that holds it in a deadlock; HISTORY_NONE */
    struct dot_edge *edges;
    size_t edge_count;
    uint32_t *group_threads; /* by group: threads of it that have an edge */
    enum mark *group_mark;
    size_t left_out;
    uint64_t longest_ns; /* of an edge */
    FILE *out;
};

static enum wait_kind kind_of(const struct waits_dot_writer *w, uint32_t node)
{
    return w->history->waits->objects[w->graph->nodes[node].object].kind;
}

static bool is_certain(const struct deadlock *deadlock)
{
    return deadlock->proved && !deadlock->inferred && !deadlock->timed;
}

static enum mark mark_of(const struct waits_dot_writer *w, uint32_t thread)
{
    const struct deadlocks *deadlocks = w->dot->deadlocks;
    uint32_t d = deadlocks->of_thread[thread];

    if (d == WAIT_GRAPH_NONE)
        return MARK_NONE;
    for (uint32_t i = 0; i < deadlocks->list[d].count; i++)
        if (deadlocks->members[deadlocks->list[d].first + i] == thread)
            return is_certain(&deadlocks->list[d]) ? MARK_DEADLOCK : MARK_POSSIBLE;
    return MARK_NONE;
}

static bool passes(const struct waits_dot_writer *w, uint32_t thread)
{
    const struct history_thread *t = &w->history->threads[thread];

    return !w->dot->filter || graph_filter_thread(w->dot->filter, t->tid, t->name ? t->name : "");
}

static bool node_passes(const struct waits_dot_writer *w, const struct wait_node *node)
{
    for (uint32_t i = 0; i < node->wait_count; i++)
        if (passes(w, w->graph->waits[node->first_wait + i].thread))
            return true;
    for (uint32_t i = 0; i < node->hold_count; i++)
        if (passes(w, w->graph->holds[node->first_hold + i].thread))
            return true;
    return false;
}

/* Chooses objects of deadlocks in any case, then those that threads share, then descriptors. */
static void choose_nodes(struct waits_dot_writer *w)
{
    size_t count = 0;

    for (uint32_t i = 0; i < w->graph->node_count; i++) {
        w->shown[i] = w->held_red[i] != HISTORY_NONE;
        count += w->shown[i];
    }
    for (int outside = 0; outside < 2; outside++) {
        for (uint32_t i = 0; i < w->graph->node_count; i++) {
            if (wait_is_for_threads(kind_of(w, i)) == outside || w->shown[i] ||
                !node_passes(w, &w->graph->nodes[i]))
                continue;
            if (w->dot->objects_max && count >= w->dot->objects_max) {
                w->left_out++;
            } else {
                w->shown[i] = true;
                count++;
            }
        }
    }
}

static void mark_nodes(struct waits_dot_writer *w)
{
    const struct deadlocks *deadlocks = w->dot->deadlocks;

    for (size_t i = 0; i < w->graph->node_count; i++)
        w->held_red[i] = HISTORY_NONE;
    for (size_t i = 0; i < deadlocks->member_count; i++) {
        uint32_t thread = deadlocks->members[i];
        const struct span *span = wait_graph_last(w->graph, thread);
        uint32_t object = w->history->waits->list[span->wait].object;
        uint32_t node = wait_graph_node(w->graph, w->history->threads[thread].process, object);

        if (node != WAIT_GRAPH_NONE)
            w->held_red[node] = deadlocks->owner[thread];
    }
}

static uint32_t group_of(const struct waits_dot_writer *w, uint32_t thread)
{
    return w->by_identity ? w->dot->words.identities->of_thread[thread] : thread;
}

static void add_edge(struct waits_dot_writer *w, struct dot_edge edge, uint32_t thread)
{
    edge.group = group_of(w, thread);
    edge.threads = 1;
    edge.chain_ns = edge.ns;
    w->edges[w->edge_count++] = edge;
}

/* Whether to draw an edge to the holder. The name of a node of joined threads tells these. */
static bool shows_hold(const struct waits_dot_writer *w, const struct hold_edge *hold)
{
    return w->shown[hold->node] && (w->by_identity || w->graph->nodes[hold->node].joined < 2);
}

static void collect_edges(struct waits_dot_writer *w)
{
    for (size_t i = 0; i < w->graph->wait_count; i++) {
        const struct wait_edge *wait = &w->graph->waits[i];

        if (w->shown[wait->node])
            add_edge(w,
                     (struct dot_edge){.node = wait->node,
                                       .mark = wait->at_end ? mark_of(w, wait->thread) : MARK_NONE,
                                       .ns = wait->wait_ns,
                                       .chain = wait->chain},
                     wait->thread);
    }
    for (size_t i = 0; i < w->graph->hold_count; i++) {
        const struct hold_edge *hold = &w->graph->holds[i];
        bool red = w->held_red[hold->node] == hold->thread;

        if (shows_hold(w, hold))
            add_edge(w,
                     (struct dot_edge){.node = hold->node,
                                       .held = true,
                                       .inferred = hold->inferred,
                                       .mark = red ? mark_of(w, hold->thread) : MARK_NONE,
                                       .ns = hold->held_ns,
                                       .chain = hold->take_chain != HISTORY_NONE ? hold->take_chain
                                                                                 : hold->chain},
                     hold->thread);
    }
}

static int compare_edges(const void *a, const void *b)
{
    const struct dot_edge *ea = a, *eb = b;

    if (ea->node != eb->node)
        return ea->node < eb->node ? -1 : 1;
    if (ea->held != eb->held)
        return ea->held ? 1 : -1;
    if (ea->group != eb->group)
        return ea->group < eb->group ? -1 : 1;
    if (ea->ns != eb->ns)
        return ea->ns > eb->ns ? -1 : 1;
    return ea->chain < eb->chain ? -1 : ea->chain > eb->chain;
}

/* Merges the edges of a group's threads. */
static void merge_edges(struct waits_dot_writer *w)
{
    size_t count = 0;

    qsort(w->edges, w->edge_count, sizeof(*w->edges), compare_edges);
    for (size_t i = 0; i < w->edge_count; i++) {
        const struct dot_edge *edge = &w->edges[i];
        struct dot_edge *last = count ? &w->edges[count - 1] : NULL;

        if (last && last->node == edge->node && last->held == edge->held &&
            last->group == edge->group) {
            last->threads += edge->threads;
            last->ns = weight_add(last->ns, edge->ns);
            last->inferred &= edge->inferred;
            if (edge->mark > last->mark)
                last->mark = edge->mark;
        } else {
            w->edges[count++] = *edge;
        }
    }
    w->edge_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct dot_edge *edge = &w->edges[i];

        w->group_threads[edge->group]++;
        if (edge->mark > w->group_mark[edge->group])
            w->group_mark[edge->group] = edge->mark;
        if (edge->ns > w->longest_ns)
            w->longest_ns = edge->ns;
    }
}

static const char *mark_attributes(enum mark mark)
{
    switch (mark) {
    case MARK_NONE:
        return "";
    case MARK_POSSIBLE:
        return ", color=\"#d9822b\", fontcolor=\"#a85d12\"";
    case MARK_DEADLOCK:
        return ", color=\"#c0281c\", fontcolor=\"#a01c12\"";
    }
    return "";
}

static enum status put_words(struct waits_dot_writer *w, char *words)
{
    if (!words)
        return STATUS_NO_MEMORY;
    dot_put_text(w->out, words);
    free(words);
    return STATUS_OK;
}

static enum status put_head(struct waits_dot_writer *w)
{
    const struct deadlocks *deadlocks = w->dot->deadlocks;
    char *title = text_clean(w->dot->title ? w->dot->title : "", TEXT_REPLACE_CONTROLS);
    size_t proved = 0;

    if (!title)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < deadlocks->count; i++)
        proved += is_certain(&deadlocks->list[i]);
    fputs("digraph waits {\nrankdir=LR; labelloc=t; labeljust=l; fontname=\"Helvetica\"; "
          "label=\"",
          w->out);
    dot_put_text(w->out, title);
    free(title);
    fputs("\\l", w->out);
    dot_put_lines(w->out, w->dot->caveats);
    if (history_lacks_states(w->history))
        fputs("what threads wait for is not known of this capture\\l", w->out);
    fputs("boxes: threads; ellipses: what they wait for; dashed: who holds it\\l", w->out);
    if (proved)
        fprintf(w->out, "red: deadlock%s (%zu)\\l", plural(proved), proved);
    if (deadlocks->count > proved)
        fprintf(w->out, "orange: possible, likely or temporary deadlock%s (%zu)\\l",
                plural(deadlocks->count - proved), deadlocks->count - proved);
    if (w->left_out)
        fprintf(w->out, "%zu more object%s left out\\l", w->left_out,
                w->left_out == 1 ? " is" : "s are");
    fputs("\";\nnode [fontname=\"Helvetica\", fontsize=11, style=filled, "
          "fillcolor=\"#f7f8fa\", color=\"#7c8590\"];\n"
          "edge [fontname=\"Helvetica\", fontsize=10, color=\"#7c8590\"];\n",
          w->out);
    return STATUS_OK;
}

/* An identity of 64 threads is "run_worker ×64". */
static enum status put_group(struct waits_dot_writer *w, uint32_t group)
{
    enum status status = STATUS_OK;

    fprintf(w->out, "t%" PRIu32 " [shape=box, label=\"", group);
    if (w->by_identity) {
        const struct identity *identity = &w->dot->words.identities->list[group];

        dot_put_text(w->out, identity_label(identity));
        if (identity->thread_count > 1)
            fprintf(w->out, " \xc3\x97%" PRIu32, identity->thread_count);
    } else {
        status = put_words(w, wait_words_thread(&w->dot->words, group));
    }
    fprintf(w->out, "\"%s%s];\n", mark_attributes(w->group_mark[group]),
            w->group_mark[group] ? ", penwidth=3" : "");
    return status;
}

static enum status put_node(struct waits_dot_writer *w, uint32_t i)
{
    const struct wait_node *node = &w->graph->nodes[i];
    enum mark mark = w->held_red[i] == HISTORY_NONE ? MARK_NONE : mark_of(w, w->held_red[i]);
    char time[AMOUNT_TEXT_MAX];
    enum status status;

    fprintf(w->out, "o%" PRIu32 " [shape=ellipse, label=\"", i);
    status = put_words(w, wait_words_nodes(&w->dot->words, node));
    if (w->has_times)
        fprintf(w->out, "\\n%s", amount_weight(time, WEIGHT_WALL, node->wait_ns));
    if (node->waiters_max > 1)
        fprintf(w->out, "\\n%" PRIu32 " at once", node->waiters_max);
    fprintf(w->out, "\"%s%s];\n", mark_attributes(mark), mark ? ", penwidth=3" : "");
    return status;
}

static enum status put_function(void *context, const char *text, bool is_program)
{
    const struct waits_dot_writer *w = context;

    (void)is_program;
    fputs("\\n", w->out);
    dot_put_text(w->out, text);
    return STATUS_OK;
}

static enum status put_edge(struct waits_dot_writer *w, const struct dot_edge *edge)
{
    uint32_t points = amount_basis_points(edge->ns, w->longest_ns);
    uint32_t width = edge->mark ? 300 : 80 + points / 40; /* hundredths of a point */
    char time[AMOUNT_TEXT_MAX];
    enum status status = STATUS_OK;

    if (edge->held)
        fprintf(w->out, "o%" PRIu32 " -> t%" PRIu32 " [", edge->node, edge->group);
    else
        fprintf(w->out, "t%" PRIu32 " -> o%" PRIu32 " [", edge->group, edge->node);
    fprintf(w->out, "style=\"%s%s\", label=\" %s",
            edge->inferred ? "dotted"
            : edge->held   ? "dashed"
                           : "solid",
            edge->mark ? ",bold" : "",
            !edge->held                           ? "waits"
            : kind_of(w, edge->node) == WAIT_JOIN ? "the end of"
                                                  : "held by");
    if (w->has_times)
        fprintf(w->out, " %s", amount_weight(time, WEIGHT_WALL, edge->ns));
    if (edge->threads > 1)
        fprintf(w->out, " \xc3\x97%" PRIu32, edge->threads);
    fprintf(w->out, "\", penwidth=%" PRIu32 ".%02" PRIu32 "%s", width / 100, width % 100,
            mark_attributes(edge->mark));
    if (edge->chain != HISTORY_NONE) {
        fprintf(w->out, ", tooltip=\"%s",
                !edge->held                           ? "waits in"
                : kind_of(w, edge->node) == WAIT_JOIN ? "does"
                                                      : "holds it in");
        status = wait_words_chain(&w->dot->words, edge->chain, put_function, w);
        fputc('"', w->out);
    }
    fputs("];\n", w->out);
    return status;
}

static enum status put_all(struct waits_dot_writer *w, size_t group_count)
{
    enum status status = put_head(w);

    for (uint32_t i = 0; i < group_count && status == STATUS_OK; i++)
        if (w->group_threads[i])
            status = put_group(w, i);
    for (uint32_t i = 0; i < w->graph->node_count && status == STATUS_OK; i++)
        if (w->shown[i])
            status = put_node(w, i);
    for (size_t i = 0; i < w->edge_count && status == STATUS_OK; i++)
        status = put_edge(w, &w->edges[i]);
    fputs("}\n", w->out);
    return status;
}

/* Whether more threads than WAITS_DOT_THREADS_MAX waited. */
static bool are_many(const struct wait_graph *graph)
{
    uint32_t count = 0;
    bool *seen = calloc(graph->history->thread_count + 1, sizeof(*seen));

    for (size_t i = 0; seen && i < graph->wait_count; i++) {
        count += !seen[graph->waits[i].thread];
        seen[graph->waits[i].thread] = true;
    }
    free(seen);
    return count > WAITS_DOT_THREADS_MAX;
}

enum status waits_dot_write(const struct waits_dot *dot, FILE *out)
{
    const struct wait_graph *graph = dot->words.graph;
    struct waits_dot_writer w = {.dot = dot,
                                 .graph = graph,
                                 .history = dot->words.history,
                                 .out = out};
    size_t groups = w.history->thread_count;
    enum status status = STATUS_NO_MEMORY;

    w.has_times = history_has_times(w.history);
    w.by_identity = dot->words.identities && are_many(graph);
    if (w.by_identity)
        groups = dot->words.identities->count;
    w.shown = calloc(graph->node_count + 1, sizeof(*w.shown));
    w.held_red = calloc(graph->node_count + 1, sizeof(*w.held_red));
    w.edges = calloc(graph->wait_count + graph->hold_count + 1, sizeof(*w.edges));
    w.group_threads = calloc(groups + 1, sizeof(*w.group_threads));
    w.group_mark = calloc(groups + 1, sizeof(*w.group_mark));
    if (w.shown && w.held_red && w.edges && w.group_threads && w.group_mark) {
        mark_nodes(&w);
        choose_nodes(&w);
        collect_edges(&w);
        merge_edges(&w);
        status = put_all(&w, groups);
    }
    free(w.shown);
    free(w.held_red);
    free(w.edges);
    free(w.group_threads);
    free(w.group_mark);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status write_graph(const void *context, FILE *out)
{
    return waits_dot_write(context, out);
}

static enum status finish(struct output *o, struct diag *diag)
{
    struct output_waits waits;
    enum status status = output_waits_init(&waits, o);

    if (status == STATUS_OK) {
        const struct waits_dot dot = {.words = waits.words,
                                      .deadlocks = waits.deadlocks,
                                      .filter = o->filter,
                                      .title = o->title,
                                      .caveats = o->caveats,
                                      .objects_max = o->trimming->nodes};

        status = picture_write(o, write_graph, &dot, diag);
    }
    output_waits_deinit(&waits);
    return status;
}

const struct output_format output_format_waits_dot = {
    .name = "waits-dot",
    .help = "who waits for whom, as text for Graphviz",
    .begins = "^digraph ",
    .needs = NEEDS_HISTORY | NEEDS_LINES,
    .honours = HONOURS(NODES) | HONOURS(VARIABLES),
    .finish = finish,
};

const struct output_format output_format_waits_svg = {
    .name = "waits-svg",
    .help = "who waits for whom, drawn as SVG",
    .begins = "^<(\\?xml|svg) ",
    .needs = NEEDS_HISTORY | NEEDS_LINES,
    .honours = HONOURS(NODES) | HONOURS(VARIABLES),
    .drawing = DRAWN_SVG,
    .finish = finish,
};
