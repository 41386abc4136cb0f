/* SPDX-License-Identifier: MIT */
#include "output/threads/waits_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/text.h"
#include "output/threads/output_waits.h"
#include "output/threads/waits_writer.h"

/* Writes the chain of the thread that is joined, of several the one that was for longest. */
static enum status put_joined(struct waits_writer *w, const struct wait_node *node)
{
    const struct hold_edge *hold = &w->graph->holds[node->first_hold];

    return node->hold_count ? waits_put_unknown(w, 6, "does:", hold->thread, hold->chain)
                            : STATUS_OK;
}

static enum status put_holders(struct waits_writer *w, const struct wait_node *node)
{
    enum status status = STATUS_OK;

    if (waits_node_kind(w, node) == WAIT_JOIN) /* its name is that of the holder */
        return put_joined(w, node);
    for (uint32_t i = 0;
         i < node->hold_count && i < WAITS_REPORT_HOLDERS_MAX && status == STATUS_OK; i++) {
        const struct hold_edge *hold = &w->graph->holds[node->first_hold + i];
        char words[AMOUNT_TEXT_MAX + 32], time[AMOUNT_TEXT_MAX];

        report_text_begin(&w->text, 6, 8);
        report_text_put(&w->text, "", "held by");
        status = waits_put_thread(w, " ", hold->thread);
        if (w->has_times) {
            snprintf(words, sizeof(words), "for %s",
                     amount_weight(time, WEIGHT_WALL, hold->held_ns));
            report_text_put(&w->text, " ", words);
        }
        if (hold->inferred)
            report_text_put(&w->text, " ", "[inferred]");
        report_text_end(&w->text);
        if (status == STATUS_OK)
            status = waits_put_unknown(w, 8, "took in:", hold->thread, hold->take_chain);
        if (status == STATUS_OK)
            status = waits_put_unknown(w, 8, "does:", hold->thread, hold->chain);
    }
    if (node->hold_count > WAITS_REPORT_HOLDERS_MAX)
        fprintf(w->out, "      and by %" PRIu32 " more\n",
                node->hold_count - WAITS_REPORT_HOLDERS_MAX);
    return status;
}

/*
 * Writes the numbers of a node. Samples see the least number of waits, unless they saw all of the
 * time. The average is the number of waiting threads, over the whole time.
 */
static void put_numbers(struct waits_writer *w, const struct wait_node *node)
{
    uint64_t first_ns = history_first_ns(w->history, node->process);
    uint64_t duration = history_last_ns(w->history, node->process) - first_ns;
    uint64_t average = duration / 100 ? node->wait_ns / (duration / 100) : 0;
    char time[AMOUNT_TEXT_MAX], waits[AMOUNT_TEXT_MAX];

    snprintf(waits, sizeof(waits), "%s%" PRIu64, waits_count_sign(node), node->waits);
    if (w->has_times)
        fprintf(w->out, "  %*s %*s %9" PRIu64 ".%02" PRIu64,
                amount_width(amount_weight(time, WEIGHT_WALL, node->wait_ns), 10), time,
                amount_width(waits, 8), waits, average / 100, average % 100);
    fprintf(w->out, "%s%8" PRIu32 " %8" PRIu32 "  ", w->has_times ? " " : "  ", node->wait_count,
            node->waiters_max);
}

/* Writes the doubt of the last waits, if all waiters have one. */
static void put_doubt(struct waits_writer *w, const struct wait_node *node)
{
    const struct wait *waits = w->history->waits->list;
    const char *doubt = NULL;
    char words[96];

    for (uint32_t i = 0; i < node->wait_count && !node->joined; i++) {
        doubt = waits[w->graph->waits[node->first_wait + i].wait].doubt;
        if (!doubt)
            return;
    }
    if (doubt) {
        snprintf(words, sizeof(words), "[%s]", doubt);
        waits_put_sentence(w, words);
    }
}

static enum status put_node(struct waits_writer *w, const struct wait_node *node)
{
    const struct wait_edge *longest = &w->graph->waits[node->first_wait];
    size_t column;
    enum status status;

    put_numbers(w, node);
    column = w->has_times ? 54 : 21;
    report_text_begin(&w->text, 0, column);
    w->text.column = column;
    status = waits_put_words(w, "", wait_words_nodes(&w->report->words, node));
    put_doubt(w, node);
    report_text_end(&w->text);
    if (status == STATUS_OK && !waits_is_known(w, longest->thread, longest->chain))
        status = waits_put_chain(w, 6, "waits in:", HISTORY_NONE, longest->chain);
    return status == STATUS_OK ? put_holders(w, node) : status;
}

static void put_table_head(struct waits_writer *w, bool locks)
{
    const char *what = locks ? "Locks" : "Other objects";

    if (w->has_times)
        fprintf(w->out, "%s, by the time that threads %s\n  %10s %8s %12s %8s %8s  object\n", what,
                locks ? "lost in waiting for them" : "waited for them", locks ? "lost" : "waited",
                "waits", "avg waiting", "threads", "at once");
    else
        fprintf(w->out, "%s that are waited for\n  %8s %8s  object\n", what, "threads", "at once");
}

/* Writes the table of locks, or of other objects that threads share. */
static enum status put_nodes(struct waits_writer *w, bool locks)
{
    enum status status = STATUS_OK;
    size_t shown = 0, left_out = 0;

    for (size_t i = 0; i < w->graph->node_count && status == STATUS_OK; i++) {
        const struct wait_node *node = &w->graph->nodes[i];

        if (!wait_is_for_threads(waits_node_kind(w, node)) ||
            wait_is_lock(waits_node_kind(w, node)) != locks || !waits_shows_node(w, node))
            continue;
        if (shown == WAITS_REPORT_OBJECTS_MAX) {
            left_out++;
            continue;
        }
        if (shown++ == 0)
            put_table_head(w, locks);
        status = put_node(w, node);
    }
    if (left_out)
        fprintf(w->out, "  ... and %zu more\n", left_out);
    if (shown)
        fputc('\n', w->out);
    return status;
}

static enum status put_step(struct waits_writer *w, const struct lock_order *order)
{
    const struct wait_node *from = &w->graph->nodes[order->from];
    const struct wait_node *to = &w->graph->nodes[order->to];
    const struct hold_edge *hold = waits_find_hold(w, order->from, order->thread);
    uint64_t zero_ns = history_zero_ns(w->history, from->process);
    char time[AMOUNT_TEXT_MAX], at[AMOUNT_TEXT_MAX + 16];
    enum status status;

    report_text_begin(&w->text, 4, 8);
    status = waits_put_thread(w, "", order->thread);
    report_text_put(&w->text, " ", "held");
    if (status == STATUS_OK)
        status = waits_put_node_name(w, " ", from->object);
    report_text_put(&w->text, ", ", "waited for");
    if (status == STATUS_OK)
        status = waits_put_node_name(w, " ", to->object);
    if (w->has_times) {
        snprintf(at, sizeof(at), "at %s",
                 amount_weight(time, WEIGHT_WALL, order->time_ns - zero_ns));
        report_text_put(&w->text, ", ", at);
    }
    report_text_end(&w->text);
    if (status == STATUS_OK)
        status = waits_put_chain(w, 8, "waits in:", order->thread, order->chain);
    return status == STATUS_OK && hold
               ? waits_put_chain(w, 8, "took in:", order->thread, hold->take_chain)
               : status;
}

static enum status put_orders(struct waits_writer *w)
{
    const struct lock_orders *orders = w->report->orders;
    enum status status = STATUS_OK;

    if (orders->circle_count)
        fputs("Locks taken in contradictory orders: a deadlock may come of it\n", w->out);
    for (size_t i = 0; i < orders->circle_count && status == STATUS_OK; i++) {
        const struct lock_circle *circle = &orders->circles[i];

        fprintf(w->out, "  %zu.\n", i + 1);
        for (uint32_t s = 0; s < circle->count && status == STATUS_OK; s++)
            status = put_step(w, &orders->list[orders->steps[circle->first + s]]);
    }
    if (orders->circle_count)
        fputc('\n', w->out);
    return status;
}

static bool is_of_boards(const struct history *history)
{
    for (size_t i = 0; i < history->process_count; i++)
        if (!history->processes[i].is_board)
            return false;
    return history->process_count > 0;
}

static enum status put_head(struct waits_writer *w)
{
    char *title = text_clean(w->report->title ? w->report->title : "", TEXT_REPLACE_CONTROLS);
    const struct window *window = &w->history->window;
    char time[AMOUNT_TEXT_MAX], part[WINDOW_TEXT_MAX];

    if (!title)
        return STATUS_NO_MEMORY;
    if (title[0])
        fprintf(w->out, "%s\n", title);
    free(title);
    fprintf(w->out, "%zu thread%s, %s", w->history->thread_count, plural(w->history->thread_count),
            w->has_times           ? ""
            : w->history->is_apart ? "one look"
                                   : "one moment");
    if (window_is_part(window))
        fprintf(w->out, "%s%s", w->has_times ? "" : ", ", window_text(part, window));
    else if (w->has_times)
        fputs(amount_weight(time, WEIGHT_WALL, history_length_ns(w->history)), w->out);
    fprintf(w->out, "; what is not marked as inferred was read from %s or the object itself\n",
            is_of_boards(w->history) ? "the RTOS" : "the kernel");
    if (w->report->caveats)
        fputs(w->report->caveats, w->out);
    if (w->history->full)
        fputs("The history is full: what came later is missing.\n", w->out);
    fputc('\n', w->out);
    return STATUS_OK;
}

enum status waits_report_write(const struct waits_report *report, FILE *out)
{
    struct waits_writer w = {.report = report,
                             .graph = report->words.graph,
                             .history = report->words.history,
                             .text = {.out = out, .columns = report->columns},
                             .out = out,
                             .has_times = history_has_times(report->words.history)};
    enum status status = put_head(&w);

    if (status == STATUS_OK)
        status = waits_put_deadlocks(&w);
    if (status == STATUS_OK)
        status = waits_put_inversions(&w);
    if (status == STATUS_OK)
        status = waits_put_blocked(&w);
    if (status == STATUS_OK)
        status = put_nodes(&w, true);
    if (status == STATUS_OK)
        status = put_nodes(&w, false);
    if (status == STATUS_OK)
        status = put_orders(&w);
    if (status == STATUS_OK)
        status = waits_put_rest(&w);
    map_deinit(&w.told);
    map_deinit(&w.chains);
    map_deinit(&w.places);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    struct output_waits waits;
    enum status status = output_waits_init(&waits, o);

    (void)diag;
    if (status == STATUS_OK) {
        const struct waits_report report = {.words = waits.words,
                                            .deadlocks = waits.deadlocks,
                                            .orders = waits.orders,
                                            .filter = o->filter,
                                            .title = o->title,
                                            .columns = o->columns,
                                            .caveats = o->caveats};

        status = waits_report_write(&report, o->file);
    }
    output_waits_deinit(&waits);
    return status;
}

const struct output_format output_format_waits = {
    .name = "waits",
    .help = "deadlocks, and who waits for whom and how long",
    .begins = OUTPUT_BEGINS_THREADS,
    .medium = MEDIUM_TEXT,
    .needs = NEEDS_HISTORY | NEEDS_LINES,
    .honours = HONOURS(VARIABLES),
    .finish = finish,
};
