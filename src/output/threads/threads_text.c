/* SPDX-License-Identifier: MIT */
#include "output/threads/threads_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/amount.h"
#include "output/threads/output_report.h"
#include "output/tree.h"
#include "threads/report_text.h"
#include "threads/tally.h"
#include "threads/task_words.h"

struct threads_text_writer {
    const struct report *report;
    bool *last;                     /* by node: it is its parent's last node */
    bool *has_kids;                 /* by node: nodes are shown below it */
    bool open[TREE_INDENT_MAX + 1]; /* by level: nodes follow there */
    FILE *out;
};

struct sums { /* over the threads of a node that are shown */
    uint32_t process;
    uint64_t samples, cpu_ns, start_ns, end_ns;
    uint32_t unsampled;
    bool cpu_unknown;            /* not all of some threads' CPU time is known */
    bool start_known, end_known; /* of all threads */
};

static struct sums sum_up(const struct report *report, const struct hierarchy_node *node)
{
    struct sums sums = {.process = node->process,
                        .start_ns = UINT64_MAX,
                        .start_known = true,
                        .end_known = true};

    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t index = report->hierarchy->order[node->first + i];
        const struct history_thread *thread = &report->history->threads[index];

        if (!report->shown[index])
            continue;
        sums.samples += thread->samples;
        sums.cpu_ns += thread->cpu_ns;
        sums.unsampled += thread->samples == 0;
        sums.cpu_unknown |= !tally_is_cpu_known(thread);
        sums.start_known &= !thread->found_running;
        sums.end_known &= thread->end_ns != 0;
        if (thread->found_ns < sums.start_ns)
            sums.start_ns = thread->found_ns;
        if (thread->end_ns > sums.end_ns)
            sums.end_ns = thread->end_ns;
    }
    return sums;
}

/* Writes a time since its snapshot's first sample; first threads may begin before that. */
static void put_time(const struct threads_text_writer *w, uint32_t process, bool known,
                     uint64_t time_ns)
{
    uint64_t zero_ns = history_zero_ns(w->report->history, process);
    uint64_t ms = (time_ns > zero_ns ? time_ns - zero_ns : zero_ns - time_ns) / 1000000;
    char text[32];

    snprintf(text, sizeof(text), "%s%" PRIu64 ".%03" PRIu64 " s",
             time_ns < zero_ns && ms ? "-" : "", ms / 1000, ms % 1000);
    fprintf(w->out, " %10s", known ? text : "-");
}

static void put_numbers(const struct threads_text_writer *w, uint32_t threads,
                        const struct sums *sums)
{
    fprintf(w->out, "%7" PRIu32 " %8" PRIu64, threads, sums->samples);
    if (w->report->is_core)
        return;
    fputc(' ', w->out);
    report_put_cpu(sums->cpu_ns, sums->cpu_unknown, 10, w->out);
    put_time(w, sums->process, sums->start_known, sums->start_ns);
    put_time(w, sums->process, sums->end_known, sums->end_ns);
}

static unsigned column(const struct threads_text_writer *w)
{
    return w->report->is_core ? 18 : 51;
}

static uint32_t level_of(const struct hierarchy_node *node)
{
    return node->depth < TREE_INDENT_MAX ? node->depth : TREE_INDENT_MAX;
}

static void put_bars(const struct threads_text_writer *w, uint32_t level)
{
    for (uint32_t i = 0; i < level; i++)
        fputs(w->open[i] ? "|   " : "    ", w->out);
}

/* Begins a further line about a node. */
static void put_margin(const struct threads_text_writer *w, uint32_t id)
{
    fprintf(w->out, "%*s", (int)column(w), "");
    put_bars(w, level_of(&w->report->hierarchy->nodes[id]) + 1);
    fputs(w->has_kids[id] ? "|  " : "   ", w->out);
}

/* Writes pthread_create ← spawn ← main, on as many lines as needed. */
static enum status put_chain(const struct threads_text_writer *w, uint32_t id,
                             const struct report_chain *chain)
{
    struct threads_text_writer inner = *w;
    struct report_layout layout = {.words_max = SIZE_MAX, .brief = true};
    char *margin = NULL;
    size_t size = 0;
    enum status status = STATUS_NO_MEMORY;

    put_margin(w, id);
    inner.out = open_memstream(&margin, &size);
    if (inner.out) {
        put_margin(&inner, id);
        status = text_close(inner.out, &margin);
    }
    layout.margin = margin;
    layout.width = report_text_columns(w->report->columns) + size / 2;
    if (status == STATUS_OK)
        status = report_put_frames(w->report, chain->frames, chain->count, &layout, w->out);
    free(margin);
    if (chain->left_out)
        fprintf(w->out, " ← … %zu more", chain->left_out);
    else if (!chain->complete)
        fprintf(w->out, " ← ? (%s)", stop_reason_name(chain->stop));
    fputc('\n', w->out);
    return status;
}

static enum status put_creation(const struct threads_text_writer *w, uint32_t id)
{
    const struct identity *identity =
        &w->report->identities->list[w->report->hierarchy->nodes[id].identity];
    struct report_chain chain;
    enum status status = STATUS_OK;

    if (!identity->creation_known)
        return STATUS_OK;
    put_margin(w, id);
    fputs(identity->is_main ? "forked in " : "made in ", w->out);
    if (identity->site_frame != IDENTITY_NONE)
        status = report_put_site(w->report, identity->site_frame, w->out);
    else
        fputs("a function without a name", w->out);
    fputc('\n', w->out);
    if (status != STATUS_OK)
        return status;
    report_creation_chain(w->report, identity, &chain);
    return put_chain(w, id, &chain);
}

/* Writes what is not certain about a node, in brackets. */
static void put_doubts(const struct threads_text_writer *w, const struct identity *identity,
                       const struct sums *sums, uint32_t threads)
{
    const struct history *history = w->report->history;
    const bool is_board =
        history->processes[sums->process].is_board; /* creations are not seen on boards */
    const char *before = "  [";

    if (!identity->creation_known && !identity->is_main && !is_board) {
        fprintf(w->out, "%screation not seen", before);
        before = ", ";
        if (identity->start_frame == IDENTITY_NONE)
            fputs(", known by its name alone", w->out);
    } else if (!identity->is_main && !is_board && identity->start_frame == IDENTITY_NONE) {
        fprintf(w->out, "%sstart routine not seen", before);
        before = ", ";
    }
    if (identity->start_inferred) {
        fprintf(w->out, "%sstart routine inferred", before);
        before = ", ";
    }
    if (sums->unsampled && threads == 1)
        fprintf(w->out, "%snever sampled", before);
    else if (sums->unsampled)
        fprintf(w->out, "%s%" PRIu32 " never sampled", before, sums->unsampled);
    if (sums->unsampled || *before == ',')
        fputc(']', w->out);
}

/* Writes tids: "7–9" if they follow each other, else "7 … 12". */
static void put_tids(const struct threads_text_writer *w, const struct hierarchy_node *node)
{
    uint32_t least = UINT32_MAX, most = 0, count = 0;

    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t index = w->report->hierarchy->order[node->first + i];
        uint32_t tid = w->report->history->threads[index].tid;

        if (!w->report->shown[index])
            continue;
        least = tid < least ? tid : least;
        most = tid > most ? tid : most;
        count++;
    }
    fprintf(w->out, "  %s%" PRIu32, least == most ? "tid " : "tids ", least);
    if (most > least)
        fprintf(w->out, "%s%" PRIu32, most - least == count - 1 ? "–" : " … ", most);
}

static enum status put_threads(const struct threads_text_writer *w, uint32_t id)
{
    const struct hierarchy_node *node = &w->report->hierarchy->nodes[id];
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        uint32_t index = w->report->hierarchy->order[node->first + i];
        const struct history_thread *thread = &w->report->history->threads[index];
        const struct sums sums = {.process = thread->process,
                                  .samples = thread->samples,
                                  .cpu_ns = thread->cpu_ns,
                                  .unsampled = thread->samples == 0,
                                  .cpu_unknown = !tally_is_cpu_known(thread),
                                  .start_ns = thread->found_ns,
                                  .end_ns = thread->end_ns,
                                  .start_known = !thread->found_running,
                                  .end_known = thread->end_ns != 0};

        if (!w->report->shown[index])
            continue;
        put_numbers(w, 1, &sums);
        fputs("  ", w->out);
        put_bars(w, level_of(node) + 1);
        fprintf(w->out, "   tid %" PRIu32 " \"", thread->tid);
        status = text_put_clean(thread->name, w->out);
        fputs("\"\n", w->out);
    }
    return status;
}

static enum status put_quoted_names(const struct threads_text_writer *w,
                                    const struct hierarchy_node *node, const char *before,
                                    const char *behind)
{
    enum status status;

    fprintf(w->out, "%s\"", before);
    status = report_put_names(w->report, node, w->out);
    fprintf(w->out, "\"%s", behind);
    return status;
}

static enum status put_head_line(struct threads_text_writer *w, uint32_t id)
{
    const struct hierarchy_node *node = &w->report->hierarchy->nodes[id];
    const struct identity *identity = &w->report->identities->list[node->identity];
    uint32_t threads = w->report->node_shown[id], level = level_of(node);
    struct sums sums = sum_up(w->report, node);
    const bool names_first = threads && report_names_are_first(identity);
    enum status status = STATUS_OK;

    if (threads)
        put_numbers(w, threads, &sums);
    else
        fprintf(w->out, "%*s", (int)column(w) - 2, "");
    fputs("  ", w->out);
    put_bars(w, level);
    fputs(w->last[id] ? "`-- " : "|-- ", w->out);
    if (node->depth > TREE_INDENT_MAX)
        fprintf(w->out, "[level %" PRIu32 "] ", node->depth);
    w->open[level] = !w->last[id];
    if (names_first)
        status = put_quoted_names(w, node, "", " ");
    fputs(identity->name, w->out);
    if (threads > 1)
        fprintf(w->out, " ×%" PRIu32, threads);
    if (threads && !names_first)
        status = put_quoted_names(w, node, "  ", "");
    if (threads)
        put_tids(w, node);
    fprintf(w->out, "  #%s", identity->hash);
    put_doubts(w, identity, &sums, threads);
    fputc('\n', w->out);
    return status;
}

/* Writes the RTOS's words about each thread of a node. */
static enum status put_tasks(const struct threads_text_writer *w, uint32_t id)
{
    const struct hierarchy_node *node = &w->report->hierarchy->nodes[id];
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        uint32_t index = w->report->hierarchy->order[node->first + i];
        const struct history_thread *thread = &w->report->history->threads[index];
        char text[TASK_WORDS_MAX];

        if (!w->report->shown[index] || !thread->task.is_known)
            continue;
        put_margin(w, id);
        if (w->report->node_shown[id] > 1) {
            status = text_put_clean(thread->name, w->out);
            fputs(": ", w->out);
        }
        fprintf(w->out, "%s\n", task_words(text, &thread->task));
    }
    return status;
}

static enum status put_node(struct threads_text_writer *w, uint32_t id)
{
    enum status status = put_head_line(w, id);

    if (status == STATUS_OK)
        status = put_creation(w, id);
    if (status == STATUS_OK)
        status = put_tasks(w, id);
    if (status == STATUS_OK && w->report->verbose && w->report->node_shown[id] > 1)
        status = put_threads(w, id);
    if (status == STATUS_OK && ferror(w->out))
        status = STATUS_IO;
    return status;
}

static enum status put_process(const struct threads_text_writer *w, uint32_t id)
{
    const struct history_process *process = &w->report->history->processes[id];
    const char *called = process->program.title ? process->program.title : process->program.started;
    enum status status = STATUS_OK;

    if (process->is_board)
        fprintf(w->out, "%*sboard", (int)column(w), "");
    else
        fprintf(w->out, "%*sprocess %" PRIu32, (int)column(w), "", process->pid);
    if (process->exe[0]) {
        fputc(' ', w->out);
        status = text_put_clean(process->exe, w->out);
    }
    if (status == STATUS_OK && called) {
        fputs("  \"", w->out);
        status = text_put_clean(called, w->out);
        fputc('"', w->out);
    }
    fputc('\n', w->out);
    return status;
}

/* Finds the last kept node of each parent. */
static void find_last(const struct report *report, bool *last, bool *has_kids)
{
    const struct hierarchy *tree = report->hierarchy;
    uint32_t process = HIERARCHY_NONE;

    for (size_t i = tree->count; i-- > 0;) {
        const struct hierarchy_node *node = &tree->nodes[i];

        if (!report->node_kept[i])
            continue;
        if (node->parent != HIERARCHY_NONE) {
            last[i] = !has_kids[node->parent];
            has_kids[node->parent] = true;
        } else {
            last[i] = node->process != process;
            process = node->process;
        }
    }
}

static enum status put_head(const struct threads_text_writer *w)
{
    const struct report *report = w->report;
    const struct history *history = report->history;
    bool is_part = window_is_part(&history->window);
    enum status status = STATUS_OK;
    char number[AMOUNT_TEXT_MAX], part[WINDOW_TEXT_MAX];

    if (report->title) {
        status = text_put_clean(report->title, w->out);
        fputc('\n', w->out);
    }
    report_put_counts(report, w->out);
    if (!report->is_core)
        fprintf(w->out, ", %s; times count from the %sfirst sample",
                is_part ? window_text(part, &history->window)
                        : amount_weight(number, WEIGHT_WALL, history_length_ns(history)),
                is_part ? "capture's " : "");
    fprintf(w->out, "\n%s\n%7s %8s", report->caveats ? report->caveats : "", "threads", "samples");
    if (!report->is_core)
        fprintf(w->out, " %10s %10s %10s", "CPU time", "start", "end");
    fputs("  thread\n", w->out);
    return status;
}

enum status threads_text_write(const struct report *report, FILE *out)
{
    const struct hierarchy *tree = report->hierarchy;
    struct threads_text_writer w = {.report = report, .out = out};
    uint32_t process = HIERARCHY_NONE;
    enum status status = STATUS_NO_MEMORY;

    w.last = calloc(tree->count + 1, sizeof(*w.last));
    w.has_kids = calloc(tree->count + 1, sizeof(*w.has_kids));
    if (w.last && w.has_kids) {
        find_last(report, w.last, w.has_kids);
        status = put_head(&w);
    }
    for (uint32_t i = 0; i < tree->count && status == STATUS_OK; i++) {
        if (!report->node_kept[i])
            continue;
        if (tree->nodes[i].process != process) {
            process = tree->nodes[i].process;
            status = put_process(&w, process);
        }
        if (status == STATUS_OK)
            status = put_node(&w, i);
    }
    free(w.last);
    free(w.has_kids);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    (void)diag;
    return output_report_write(o, threads_text_write);
}

const struct output_format output_format_threads = {
    .name = "threads",
    .help = "which thread made which, as an indented text",
    .begins = OUTPUT_BEGINS_THREADS,
    .medium = MEDIUM_TEXT,
    .needs = NEEDS_HISTORY | NEEDS_LINES,
    .finish = finish,
};
