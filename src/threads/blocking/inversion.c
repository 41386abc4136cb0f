/* SPDX-License-Identifier: MIT */
#include "threads/blocking/inversion.h"

#include <stdlib.h>

#include "base/search.h"

/* A task by its own priority: the higher, the higher the rank. */
struct ranked {
    uint32_t process, thread;
    int64_t rank;
};

struct ranking {
    struct ranked *list; /* sorted by process, then rank, then thread */
    size_t count;
};

static int64_t rank_of(const struct history_task *task, int32_t priority)
{
    return task->low_first ? -(int64_t)priority : priority;
}

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static enum status rank_tasks(const struct history *history, struct ranking *out)
{
    *out = (struct ranking){.list = malloc((history->thread_count + 1) * sizeof(*out->list))};
    if (!out->list)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < history->thread_count; i++) {
        const struct history_thread *thread = &history->threads[i];

        if (thread->task.is_known)
            out->list[out->count++] =
                (struct ranked){.process = thread->process,
                                .thread = i,
                                .rank = rank_of(&thread->task, thread->task.own_priority)};
    }
    qsort(out->list, out->count, sizeof(*out->list), compare_ranked);
    return STATUS_OK;
}

/* Whether both spans were seen at one moment, and from when to when. */
static bool overlap(const struct span *a, const struct span *b, uint64_t *start, uint64_t *seen)
{
    *start = a->start_ns > b->start_ns ? a->start_ns : b->start_ns;
    *seen = a->seen_ns < b->seen_ns ? a->seen_ns : b->seen_ns;
    return *start <= *seen;
}

static uint64_t length(const struct span *a, const struct span *b, uint64_t start)
{
    const uint64_t end = a->end_ns < b->end_ns ? a->end_ns : b->end_ns;

    return end > start ? end - start : 0;
}

static struct inversion *find(struct inversions *out, const struct inversion *like)
{
    for (size_t i = 0; i < out->count; i++) {
        struct inversion *known = &out->list[i];

        if (known->waiter == like->waiter && known->holder == like->holder &&
            known->runner == like->runner && known->wait == like->wait)
            return known;
    }
    if (out->count == INVERSIONS_MAX) {
        out->is_cut = true;
        return NULL;
    }
    out->list[out->count] = *like;
    return &out->list[out->count++];
}

static bool take_step(struct inversions *out)
{
    if (out->steps_left > 0)
        return out->steps_left--;
    out->is_cut = true;
    return false;
}

/* Whether the thread runs at that time. */
static bool runs_at(const struct wait_graph *graph, uint32_t thread, uint64_t time_ns)
{
    const struct span *span = wait_graph_span(graph, thread, time_ns);

    return span && span->state == 'R';
}

/* Adds the spans in which `like->runner` runs during the waiter's span. */
static void add_runs(const struct wait_graph *graph, const struct span *waits,
                     const struct inversion *like, struct inversions *out)
{
    const struct history_thread *runner = &graph->history->threads[like->runner];
    size_t i = wait_graph_spans_before(runner, waits->start_ns);

    for (i = i > 0 ? i - 1 : 0; i < runner->span_count && take_step(out); i++) {
        const struct span *runs = &runner->spans[i];
        struct inversion *inversion;
        uint64_t start, seen;

        if (runs->start_ns > waits->seen_ns)
            return;
        if (runs->state != 'R' || !overlap(waits, runs, &start, &seen) ||
            runs_at(graph, like->holder, start))
            continue;
        inversion = find(out, like);
        if (!inversion)
            return;
        inversion->ns += length(waits, runs, start);
        if (seen > inversion->last_ns)
            inversion->last_ns = seen;
    }
}

/* Adds inversions by the waiter's process's threads whose own priority is between the two. */
static void add_runners(const struct wait_graph *graph, const struct ranking *ranking,
                        uint32_t waiter, uint32_t holder, const struct span *waits,
                        struct inversions *out)
{
    const struct history_thread *threads = graph->history->threads;
    const struct history_task *high = &threads[waiter].task, *low = &threads[holder].task;
    const int64_t above = rank_of(high, low->own_priority);
    const int64_t below = rank_of(high, high->own_priority);
    const uint32_t process = threads[waiter].process;
    const struct ranked *list = ranking->list;

    for (size_t i = SEARCH_FIRST(k, 0, ranking->count,
                                 list[k].process < process ||
                                     (list[k].process == process && list[k].rank <= above));
         i < ranking->count && list[i].process == process && list[i].rank < below && take_step(out);
         i++) {
        struct inversion like = {.waiter = waiter,
                                 .holder = holder,
                                 .runner = list[i].thread,
                                 .wait = waits->wait,
                                 .is_raised = rank_of(high, low->priority) >= below};

        add_runs(graph, waits, &like, out);
    }
}

static int compare(const void *a, const void *b)
{
    const struct inversion *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    if (x->waiter != y->waiter)
        return x->waiter < y->waiter ? -1 : 1;
    if (x->runner != y->runner)
        return x->runner < y->runner ? -1 : 1;
    return x->wait < y->wait ? -1 : x->wait > y->wait;
}

enum status inversions_find(const struct wait_graph *graph, struct inversions *out)
{
    const struct history *history = graph->history;
    struct ranking ranking;
    enum status status = rank_tasks(history, &ranking);

    out->count = 0;
    out->is_cut = false;
    if (status != STATUS_OK)
        return status;
    out->steps_left = history->thread_count;
    for (size_t i = 0; i < history->thread_count; i++)
        out->steps_left += history->threads[i].span_count;
    out->steps_left *= INVERSION_STEPS;
    for (size_t i = 0; i < graph->record_count; i++) {
        const struct wait_record *record = &graph->records[i];
        const struct span *span = wait_graph_record_span(graph, record);

        if (record->owner == HISTORY_NONE || record->owner == record->thread ||
            history->waits->list[span->wait].kind != WAIT_MUTEX ||
            !history->threads[record->thread].task.is_known ||
            !history->threads[record->owner].task.is_known)
            continue;
        add_runners(graph, &ranking, record->thread, record->owner, span, out);
    }
    if (out->count)
        qsort(out->list, out->count, sizeof(out->list[0]), compare);
    free(ranking.list);
    return STATUS_OK;
}
