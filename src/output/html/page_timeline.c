/* SPDX-License-Identifier: MIT */
#include "output/html/page_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "output/html/page_pieces.h"
#include "output/html/page_text.h"
#include "threads/concurrency.h"
#include "threads/tally.h"

#define HUNDREDTHS 100u /* of a thread, in the curve */

/* The state of writing pieces. */
struct piece_writer {
    const struct timeline *timeline;
    struct page_wait_list *waits;
    struct page_column *gap, *length, *state, *text, *wait, *goes_on, *cpu, *untold;
    uint64_t unit_ns;
    uint64_t cpu_ns, untold_ns; /* of the thread, not written yet */
    uint32_t thread;            /* of the history: the pieces' thread */
    struct map text_of;         /* function -> its place in texts */
    json_t *texts;
};

static enum status find_text(struct piece_writer *w, uint32_t function, uint64_t *number)
{
    const uint64_t known = map_len(&w->text_of);
    uint64_t *place = map_put(&w->text_of, function, known);
    char *text;
    json_t *value;

    if (!place)
        return STATUS_NO_MEMORY;
    *number = *place;
    if (*place != known)
        return STATUS_OK;
    text = timeline_function_text(w->timeline, function);
    value = text ? json_of_text(text) : NULL;
    free(text);
    return value && json_array_append_new(w->texts, value) == 0 ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Takes the whole units of a time; the rest is written with the next piece. */
static uint64_t take_units(uint64_t *time_ns, uint64_t unit_ns)
{
    const uint64_t units = *time_ns / unit_ns;

    *time_ns %= unit_ns;
    return units;
}

/*
 * Rounds starts and ends, not lengths, so that errors do not add up. Leaves out pieces without a
 * length, but for beginnings of waits, which are counted.
 */
static enum status put_piece(struct piece_writer *w, const struct page_piece *piece, uint64_t *at)
{
    const uint64_t start = piece->start_ns / w->unit_ns, end = piece->end_ns / w->unit_ns;
    uint64_t text = 0;
    uint32_t wait = 0;
    enum status status = STATUS_OK;

    w->cpu_ns += piece->cpu_ns;
    w->untold_ns += piece->untold_ns;
    if (end <= start && (piece->wait == WAIT_NONE || piece->goes_on))
        return STATUS_OK;
    if (piece->function != TIMELINE_NO_FUNCTION) {
        status = find_text(w, piece->function, &text);
        text++;
    }
    if (status == STATUS_OK && piece->wait != WAIT_NONE) {
        status = page_wait_list_find(w->waits, w->thread, piece->wait, &wait);
        wait++;
    }
    page_column_put(w->gap, start - *at);
    page_column_put(w->length, end - start);
    page_column_put(w->state, piece->state);
    page_column_put(w->text, text);
    page_column_put(w->wait, wait);
    page_column_put(w->goes_on, piece->goes_on);
    page_column_put(w->cpu, take_units(&w->cpu_ns, w->unit_ns));
    page_column_put(w->untold, take_units(&w->untold_ns, w->unit_ns));
    *at = end;
    return status;
}

static enum status put_thread(struct piece_writer *w, struct page_pieces *pieces, size_t thread,
                              uint64_t *count)
{
    const uint64_t before = w->gap->count;
    struct page_piece piece;
    uint64_t at = 0;
    enum status status = STATUS_OK;

    w->cpu_ns = w->untold_ns = 0;
    page_pieces_begin(pieces, thread);
    while (status == STATUS_OK && page_pieces_next(pieces, &piece))
        status = put_piece(w, &piece, &at);
    *count = w->gap->count - before;
    return status;
}

/* Puts each thread's time by state, as -f stats has it. */
static void put_thread_states(const struct page_threads *threads, const struct timeline *timeline,
                              struct page_columns *columns)
{
    struct page_column *column = page_columns_add(columns, "thread.state_ns", COLUMN_VARINT);

    for (size_t i = 0; i < page_threads_count(threads); i++) {
        struct tally tally = {.samples = 0};

        if (i < threads->count && threads->list[i].history != PAGE_NONE)
            tally_threads(timeline, &threads->list[i].history, 1, &tally);
        for (enum timeline_state state = 0; state < TIMELINE_STATE_COUNT; state++)
            page_column_put(column, tally.by_samples ? 0 : tally.by_state[state]);
    }
}

static enum status put_pieces(const struct page_threads *threads, struct page_pieces *pieces,
                              struct piece_writer *w, struct page_columns *columns)
{
    struct page_column *counts = page_columns_add(columns, "thread.pieces", COLUMN_VARINT);
    enum status status = STATUS_OK;

    w->gap = page_columns_add(columns, "piece.gap", COLUMN_VARINT);
    w->length = page_columns_add(columns, "piece.length", COLUMN_VARINT);
    w->state = page_columns_add(columns, "piece.state", COLUMN_U8);
    w->text = page_columns_add(columns, "piece.text", COLUMN_VARINT);
    w->wait = page_columns_add(columns, "piece.wait", COLUMN_VARINT);
    w->goes_on = page_columns_add(columns, "piece.goes_on", COLUMN_U8);
    w->cpu = page_columns_add(columns, "piece.cpu", COLUMN_VARINT);
    w->untold = page_columns_add(columns, "piece.untold", COLUMN_VARINT);
    for (size_t i = 0; i < threads->count && status == STATUS_OK; i++) {
        uint64_t count = 0;

        w->thread = threads->list[i].history;
        status = put_thread(w, pieces, i, &count);
        page_column_put(counts, count);
    }
    if (threads->rest)
        page_column_put(counts, 0);
    return status;
}

static void put_states(struct json_line *head)
{
    json_t *list = json_array();

    for (enum timeline_state state = 0; state < TIMELINE_STATE_COUNT; state++)
        page_append(head, list, json_string(timeline_state_name(state)));
    json_line_put(head, "timeline_states", list);
}

static uint64_t hundredths(uint64_t threads)
{
    return (threads * HUNDREDTHS + CONCURRENCY_ONE / 2) / CONCURRENCY_ONE;
}

/* Puts how many threads ran, summed up over the snapshots. */
static enum status put_curve(const struct page_pieces *pieces, const struct page_entries *entries,
                             struct page_columns *columns)
{
    const size_t count = (size_t)entries->buckets;
    struct page_column *running = page_columns_add(columns, "curve.running", COLUMN_VARINT);
    struct page_column *ready = page_columns_add(columns, "curve.ready", COLUMN_VARINT);
    struct concurrency_bin *sum = calloc(count, sizeof(*sum)), *bins = calloc(count, sizeof(*bins));
    enum status status = sum && bins ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t s = 0; s < pieces->part_count && status == STATUS_OK; s++) {
        const struct timeline *part = &pieces->parts[s];

        if (!part->row_count)
            continue;
        status = concurrency_bins_of_width(part, part->zero_ns + entries->from_ns,
                                           entries->bucket_ns, bins, count);
        for (size_t i = 0; i < count && status == STATUS_OK; i++) {
            sum[i].running += bins[i].running;
            sum[i].ready += bins[i].ready;
        }
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        page_column_put(running, hundredths(sum[i].running));
        page_column_put(ready, hundredths(sum[i].ready));
    }
    free(sum);
    free(bins);
    return status;
}

enum status page_timeline_write(const struct page_threads *threads,
                                const struct page_entries *entries,
                                const struct output_timeline *made, struct page_wait_list *waits,
                                struct json_line *head, struct page_columns *columns)
{
    struct piece_writer writer = {.timeline = made->timeline, .waits = waits};
    struct page_pieces pieces;
    enum status status = page_pieces_init(&pieces, threads, made->timeline, entries->bucket_ns);

    writer.texts = json_array();
    writer.unit_ns = pieces.unit_ns;
    put_states(head);
    if (status == STATUS_OK)
        status = put_pieces(threads, &pieces, &writer, columns);
    if (status == STATUS_OK)
        status = put_curve(&pieces, entries, columns);
    put_thread_states(threads, made->timeline, columns);
    json_line_put(head, "piece_unit_ns", json_of_number(pieces.unit_ns));
    if (pieces.width_ns)
        json_line_put(head, "coarse", json_true());
    json_line_put(head, "texts", writer.texts);
    page_pieces_deinit(&pieces);
    map_deinit(&writer.text_of);
    return status;
}
