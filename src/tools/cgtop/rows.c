/* SPDX-License-Identifier: MIT */
#include "tools/cgtop/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "threads/tally.h"

void rows_clear(struct shown_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->list[i].what);
        free(rows->list[i].in);
    }
    rows->count = 0;
}

void rows_deinit(struct shown_rows *rows)
{
    rows_clear(rows);
    free(rows->list);
    *rows = (struct shown_rows){0};
}

static enum status add(struct shown_rows *rows, const struct shown_row *row)
{
    enum status status = vec_reserve(&rows->list, &rows->cap, rows->count + 1, sizeof(*rows->list));

    if (status == STATUS_OK)
        rows->list[rows->count++] = *row;
    return status;
}

static int compare_amounts(uint64_t a, uint64_t b)
{
    return a != b ? (a > b ? -1 : 1) : 0;
}

/* Compares for an order: amounts descending; names, tids and states ascending. */
static int compare_by(enum top_order order, const struct shown_row *a, const struct shown_row *b)
{
    switch (order) {
    case ORDER_SELF:
        return compare_amounts(a->self, b->self);
    case ORDER_TOTAL:
        return compare_amounts(a->total, b->total);
    case ORDER_NAME:
        return strcmp(a->name, b->name);
    case ORDER_TID:
        return compare_amounts(b->tid, a->tid);
    case ORDER_STATE:
        return compare_amounts(b->state, a->state);
    case ORDER_CPU:
        return compare_amounts(a->cpu_ns, b->cpu_ns);
    }
    return 0;
}

static int compare_rows(const void *a, const void *b, void *context)
{
    static const enum top_order next[] = {ORDER_SELF, ORDER_TOTAL, ORDER_CPU, ORDER_TID,
                                          ORDER_NAME};
    const struct rows_wanted *wanted = context;
    const struct shown_row *x = a, *y = b;
    int order = compare_by(wanted->order, x, y);

    if (wanted->is_reversed)
        order = -order;
    for (size_t i = 0; !order && i < sizeof(next) / sizeof(next[0]); i++)
        order = compare_by(next[i], x, y);
    return order ? order : compare_amounts(y->key, x->key);
}

static void sort(struct shown_rows *rows, const struct rows_wanted *wanted)
{
    struct rows_wanted context = *wanted;

    if (rows->count)
        qsort_r(rows->list, rows->count, sizeof(*rows->list), compare_rows, &context);
}

static uint64_t key_of(const struct view_node *node)
{
    return hash_words(hash_text(node->label), hash_text(node->module));
}

enum status rows_of_functions(struct shown_rows *rows, const struct rows_wanted *wanted)
{
    const struct aspect *aspect = wanted->aspect;
    enum status status = STATUS_OK;

    rows_clear(rows);
    for (size_t i = 0; i < aspect->graph->node_count && status == STATUS_OK; i++) {
        const struct callgraph_node *node = &aspect->graph->nodes[i];
        const struct view_node *named = &aspect->view->nodes[node->view_node];
        const struct shown_row row = {.key = key_of(named),
                                      .self = node->self,
                                      .total = node->total,
                                      .name = named->label,
                                      .module = text_basename(named->module)};

        if (node->total)
            status = add(rows, &row);
    }
    sort(rows, wanted);
    return status;
}

/* Returns for each thread whether the aspect shows a sample of it; malloc'ed. NULL: no memory. */
static bool *find_shown(const struct rows_wanted *wanted)
{
    const struct moment *moment = wanted->moment;
    const struct history *history = &moment->history;
    bool *shown = calloc(history->thread_count + 1, sizeof(*shown));

    for (size_t i = 0; shown && i < moment->profile->cell_count; i++) {
        const uint32_t thread = moment->profile->cells[i].thread;
        const uint32_t known = thread < history->profile_thread_count
                                   ? history->by_profile_thread[thread]
                                   : 0; /* + 1 */

        if (known && wanted->aspect->view->cell_shown[i])
            shown[known - 1] = true;
    }
    return shown;
}

/* Finds the last piece of the thread's timeline with a known state, else the first one. */
static bool last_piece(const struct timeline *timeline, uint32_t thread,
                       struct timeline_piece *last)
{
    struct timeline_cursor cursor;
    struct timeline_piece piece;
    bool found = false;

    timeline_begin(timeline, thread, &cursor);
    while (timeline_next(&cursor, &piece)) {
        if (piece.state == TIMELINE_UNKNOWN && found)
            continue;
        *last = piece;
        found = true;
    }
    return found;
}

/* Makes a piece of the thread's last span, for a thread with no piece in the timeline. */
static void only_span(const struct timeline *timeline, const struct history_thread *thread,
                      struct timeline_piece *piece)
{
    const struct span *span = &thread->spans[thread->span_count - 1];

    *piece = (struct timeline_piece){.state = TIMELINE_BLOCKED,
                                     .wait = span->wait,
                                     .chain = span->chain,
                                     .function = timeline->functions[span->chain]};
    if (span->state == SNAP_STATE_READY)
        piece->state = TIMELINE_READY;
    else if (span->state == 'R')
        piece->state = TIMELINE_RUNNING;
}

static bool is_waiting(enum timeline_state state)
{
    return state != TIMELINE_RUNNING && state != TIMELINE_READY && state != TIMELINE_UNKNOWN;
}

static enum status make_thread(const struct moment *moment, uint32_t index, struct shown_row *row)
{
    const struct history_thread *thread = &moment->history.threads[index];
    struct tally tally;
    struct timeline_piece piece;

    if (!last_piece(moment->timeline, index, &piece))
        only_span(moment->timeline, thread, &piece);
    tally_threads(moment->timeline, &index, 1, &tally);
    *row = (struct shown_row){.key = thread->tid,
                              .name = thread->name,
                              .thread = index,
                              .tid = thread->tid,
                              .cpu_ns = tally.by_samples ? 0 : tally.by_state[TIMELINE_RUNNING],
                              .wall_ns = tally.by_samples ? 0 : tally.total,
                              .state = piece.state,
                              .has_ended = thread->end_ns != 0};
    row->what = is_waiting(piece.state) ? timeline_wait_text(moment->timeline, &piece) : strdup("");
    row->in = timeline_function_text(moment->timeline, piece.function);
    return row->what && row->in ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status rows_of_threads(struct shown_rows *rows, const struct rows_wanted *wanted)
{
    const struct history *history = &wanted->moment->history;
    bool *shown = find_shown(wanted);
    enum status status = shown ? STATUS_OK : STATUS_NO_MEMORY;

    rows_clear(rows);
    for (size_t i = 0; i < history->thread_count && status == STATUS_OK; i++) {
        const struct history_thread *thread = &history->threads[i];
        struct shown_row row;

        if (!thread->span_count || (thread->end_ns && !wanted->with_ended) ||
            (wanted->is_filtered && !shown[i]))
            continue;
        status = make_thread(wanted->moment, (uint32_t)i, &row);
        if (status == STATUS_OK)
            status = add(rows, &row);
        if (status != STATUS_OK) {
            free(row.what);
            free(row.in);
        }
    }
    free(shown);
    sort(rows, wanted);
    return status;
}
