/* SPDX-License-Identifier: MIT */
#include "tools/cgtop/top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/plural.h"

#define CHUNK      (64u << 10)
#define CHUNKS_MAX 64u /* taken at most before keys are looked at again */
/* Refreshing takes at most 1/COST_PART of a CPU. */
#define COST_PART  40u
#define FIRST_PART 5u /* part of the delay that the first refreshes wait */

/* Notes why the capture has ended. */
static void note_end(struct top *top)
{
    struct feed_end end;

    feed_ended(&top->feed, &end);
    top->has_ended = true;
    if (end.status != STATUS_OK)
        snprintf(top->ended, sizeof(top->ended), "capture failed: %.300s", end.diag.what);
    else if (end.result.end == SNAP_END_EXIT)
        snprintf(top->ended, sizeof(top->ended), "process has ended");
    else
        snprintf(top->ended, sizeof(top->ended), "capture has ended");
}

enum status top_take(struct top *top, struct diag *diag)
{
    static uint8_t chunk[CHUNK];
    enum status status = STATUS_OK;

    for (unsigned i = 0; i < CHUNKS_MAX && status == STATUS_OK; i++) {
        const ssize_t n = read(top->feed.data_fd, chunk, sizeof(chunk));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return STATUS_OK;
        if (n == 0) {
            note_end(top);
            return STATUS_OK;
        }
        status = recent_push(top->recent, chunk, (size_t)n, clock_now_ns(), diag);
        top->is_stale = true;
    }
    return status;
}

static void count_threads(struct top *top)
{
    const struct history *history = &top->moment->history;

    top->counts = (struct top_counts){0};
    for (size_t i = 0; i < history->thread_count; i++) {
        const struct history_thread *thread = &history->threads[i];
        const char state = thread->span_count ? thread->spans[thread->span_count - 1].state : 0;

        if (thread->end_ns)
            top->counts.ended++;
        else if (state == 'R')
            top->counts.running++;
        else if (state == SNAP_STATE_READY)
            top->counts.ready++;
        else
            top->counts.waiting++;
    }
}

/* Moves the cursor to the row that was chosen, by its key. */
static void find_cursor(struct top *top)
{
    struct top_place *place = &top->places[top->list];

    if (place->cursor > 0)
        for (size_t i = 0; i < top->rows.count; i++)
            if (top->rows.list[i].key == place->key) {
                place->cursor = i;
                break;
            }
    if (place->cursor >= top->rows.count)
        place->cursor = top->rows.count ? top->rows.count - 1 : 0;
    top_keep_in_sight(top);
}

enum status top_order_rows(struct top *top)
{
    const struct top_place *place = &top->places[top->list];
    const struct rows_wanted wanted = {.moment = top->moment,
                                       .aspect = &top->aspect,
                                       .order = place->order,
                                       .is_reversed = place->is_reversed,
                                       .folded = &top->folded,
                                       .is_filtered = top->pattern[0] || top->filter.has_tid,
                                       .with_ended = top->has_ended};
    enum status status = STATUS_OK;

    if (!top->moment)
        return STATUS_OK;
    switch (top->list) {
    case TOP_FUNCTIONS:
        status = rows_of_functions(&top->rows, &wanted);
        break;
    case TOP_TREE:
        status = rows_of_tree(&top->rows, &wanted);
        break;
    case TOP_THREADS:
        status = rows_of_threads(&top->rows, &wanted);
        break;
    }
    find_cursor(top);
    return status;
}

enum status top_look(struct top *top)
{
    enum status status;

    rows_clear(&top->rows);
    aspect_deinit(&top->aspect);
    if (!top->moment)
        return STATUS_OK;
    if (!top->weight_given)
        top->weight = moment_weight(top->moment);
    status = aspect_make(&top->aspect, top->moment, top->weight, &top->filter);
    return status == STATUS_OK ? top_order_rows(top) : status;
}

static void forget_moment(struct top *top)
{
    rows_clear(&top->rows);
    aspect_deinit(&top->aspect);
    if (top->moment)
        moment_deinit(top->moment);
    free(top->moment);
    top->moment = NULL;
}

/* Replaces the snapshot by the present one and makes a moment of it; then adds its SUMMARY. */
static enum status read_moment(struct top *top, struct moment *moment, struct diag *diag)
{
    uint64_t size;
    enum status status;

    if (lseek(top->snapshot_fd, 0, SEEK_SET) != 0 || ftruncate(top->snapshot_fd, 0) != 0) {
        diag_set(diag, NULL, "cannot keep a snapshot in memory: %s", strerror(errno));
        return STATUS_IO;
    }
    status = recent_write(top->recent, top->snapshot_fd, &size, diag);
    if (status != STATUS_OK)
        return status;
    status =
        moment_read(moment, &top->engine, top->snapshot_fd, top->options.capture.rate_mhz, diag);
    if (status != STATUS_OK)
        return status;
    moment->summary.bytes_written = size;
    if (lseek(top->snapshot_fd, 0, SEEK_END) != (off_t)size)
        return STATUS_IO;
    return recent_write_summary(top->recent, top->snapshot_fd, &moment->summary, diag);
}

static enum status make_moment(struct top *top, struct diag *diag)
{
    struct moment *moment = calloc(1, sizeof(*moment));
    enum status status = moment ? read_moment(top, moment, diag) : STATUS_NO_MEMORY;

    forget_moment(top);
    top->moment = moment;
    if (status != STATUS_OK)
        return status;
    count_threads(top);
    return top_look(top);
}

enum status top_refresh(struct top *top, struct diag *diag)
{
    const uint64_t start_ns = cgtop_used_ns();
    uint64_t delay_ns = top->options.delay_ns;
    enum status status = STATUS_OK;

    if (top->is_stale && recent_has_begun(top->recent)) {
        status = make_moment(top, diag);
        top->is_stale = false;
        if (status == STATUS_NO_MEMORY)
            diag_set(diag, NULL, "%s", status_name(status));
        if (status == STATUS_OK && engine_is_due(&top->engine, recent_memory(top->recent))) {
            forget_moment(top);
            engine_close(&top->engine);
            status = make_moment(top, diag);
        }
    } else if (top->moment) {
        status = top_order_rows(top);
    }
    top->cost_ns = cgtop_used_ns() - start_ns;
    /* At first each moment has much more than the one before. */
    if (!top->moment || top->moment->ingest.duration_ns < delay_ns)
        delay_ns /= FIRST_PART;
    top->refresh_ns = top->cost_ns * COST_PART;
    if (top->refresh_ns < delay_ns)
        top->refresh_ns = delay_ns;
    top->refresh_ns += clock_now_ns();
    return status;
}
