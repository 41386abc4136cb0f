/* SPDX-License-Identifier: MIT */
#include "output/html/page_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "output/html/page_timeline.h"

#define UNIT_FEW_PIECES 30000
#define WIDTH_STEP      2
#define TIME_MAX_NS     (UINT64_C(1) << 62) /* no time is greater; twice that overflows */

void page_pieces_deinit(struct page_pieces *pieces)
{
    for (size_t i = 0; i < pieces->part_count && pieces->parts; i++)
        free(pieces->parts[i].rows);
    free(pieces->parts);
    *pieces = (struct page_pieces){.parts = NULL};
}

/* Makes the timeline of one snapshot's rows, on its clock. */
static enum status make_part(const struct timeline *timeline, uint32_t snapshot,
                             struct timeline *part)
{
    const struct history *history = timeline->history;
    uint32_t process = 0;

    while (process < history->process_count && history->processes[process].snapshot != snapshot)
        process++;
    *part = process < history->process_count
                ? timeline_of_process(timeline, process, history_zero_ns(history, process))
                : *timeline;
    part->row_count = 0;
    part->rows = calloc(timeline->row_count + 1, sizeof(*part->rows));
    if (!part->rows)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < timeline->row_count; i++) {
        const uint32_t of = history->threads[timeline->rows[i].thread].process;

        if (history->processes[of].snapshot == snapshot)
            part->rows[part->row_count++] = timeline->rows[i];
    }
    return STATUS_OK;
}

static bool same(const struct page_piece *a, const struct page_piece *b)
{
    return a->end_ns == b->start_ns && a->state == b->state && a->wait == b->wait &&
           a->function == b->function;
}

static bool next_of_timeline(struct page_pieces *pieces, struct timeline_piece *piece)
{
    return pieces->are_merged ? timeline_next_function(&pieces->cursor, piece)
                              : timeline_next_stretch(&pieces->cursor, piece);
}

static struct page_piece as_page_piece(const struct timeline_piece *piece, uint64_t zero_ns)
{
    return (struct page_piece){.start_ns =
                                   piece->start_ns > zero_ns ? piece->start_ns - zero_ns : 0,
                               .end_ns = piece->end_ns - zero_ns,
                               .cpu_ns = piece->cpu_ns,
                               .untold_ns = piece->untold_ns,
                               .state = piece->state,
                               .wait = piece->wait,
                               .function = piece->function,
                               .goes_on = piece->goes_on};
}

static bool is_in_time(const struct page_pieces *pieces, const struct timeline_piece *piece)
{
    return piece->end_ns >= pieces->zero_ns && piece->end_ns - pieces->zero_ns <= TIME_MAX_NS;
}

/*
 * Finds the next wait that is only a moment of the timeline: at the thread's last sample, or the
 * thread ran for most of the time after it. The timeline has no piece for it.
 */
static bool find_moment(struct page_pieces *pieces)
{
    const struct history_thread *thread = pieces->cursor.thread;
    const uint32_t index = (uint32_t)(thread - pieces->history->threads);

    while (!pieces->has_moment && !pieces->width_ns && pieces->span < thread->span_count) {
        const size_t span = pieces->span++;
        struct timeline_piece piece;

        if (thread->spans[span].wait == WAIT_NONE)
            continue;
        piece = timeline_waited(pieces->cursor.timeline, index, span);
        pieces->has_moment = piece.end_ns == piece.start_ns && is_in_time(pieces, &piece);
        pieces->moment = as_page_piece(&piece, pieces->zero_ns);
    }
    return pieces->has_moment;
}

static bool find_after(struct page_pieces *pieces)
{
    struct timeline_piece piece;

    while (!pieces->has_after && next_of_timeline(pieces, &piece))
        if (is_in_time(pieces, &piece)) {
            pieces->after = as_page_piece(&piece, pieces->zero_ns);
            pieces->has_after = true;
        }
    return pieces->has_after;
}

/* Sets *out to the next piece of the timeline, or wait of a moment, that is not joined. */
static bool next_whole(struct page_pieces *pieces, struct page_piece *out)
{
    if (!pieces->cursor.timeline)
        return false;
    if (find_after(pieces) &&
        !(find_moment(pieces) && pieces->moment.start_ns <= pieces->after.start_ns)) {
        *out = pieces->after;
        pieces->has_after = false;
        pieces->at_ns = out->end_ns;
        return true;
    }
    if (!find_moment(pieces))
        return false;
    *out = pieces->moment;
    pieces->has_moment = false;
    if (out->start_ns < pieces->at_ns) /* the moment is within a piece of the timeline */
        out->start_ns = out->end_ns = pieces->at_ns;
    return true;
}

/* Makes sure that `ahead` has the rest of a piece, or the next one. */
static bool look_ahead(struct page_pieces *pieces)
{
    pieces->has_ahead = pieces->has_ahead || next_whole(pieces, &pieces->ahead);
    return pieces->has_ahead;
}

/* An interval: how long each state was, and its longest piece. */
struct piece_interval {
    uint64_t state_ns[TIMELINE_STATE_COUNT], longest_ns[TIMELINE_STATE_COUNT];
    uint64_t cpu_ns, untold_ns;
    struct page_piece longest[TIMELINE_STATE_COUNT];
};

/* Takes the share of the first `length_ns` of `whole_ns` from a time, as if it were even. */
static uint64_t take_share(uint64_t *time_ns, uint64_t length_ns, uint64_t whole_ns)
{
    const uint64_t part_ns =
        length_ns < whole_ns ? (uint64_t)((double)*time_ns * ((double)length_ns / (double)whole_ns))
                             : *time_ns;
    const uint64_t taken_ns = part_ns < *time_ns ? part_ns : *time_ns;

    *time_ns -= taken_ns;
    return taken_ns;
}

/* Moves the part of `ahead` up to `end_ns` to the interval; returns where the part ends. */
static uint64_t take_part(struct page_pieces *pieces, uint64_t end_ns,
                          struct piece_interval *interval)
{
    struct page_piece *piece = &pieces->ahead;
    const uint64_t to_ns = piece->end_ns < end_ns ? piece->end_ns : end_ns;
    const uint64_t length_ns = to_ns - piece->start_ns;

    interval->state_ns[piece->state] += length_ns;
    if (length_ns > interval->longest_ns[piece->state]) {
        interval->longest_ns[piece->state] = length_ns;
        interval->longest[piece->state] = *piece;
    }
    interval->cpu_ns += take_share(&piece->cpu_ns, length_ns, piece->end_ns - piece->start_ns);
    interval->untold_ns +=
        take_share(&piece->untold_ns, length_ns, piece->end_ns - piece->start_ns);
    piece->start_ns = to_ns;
    piece->goes_on = true;
    pieces->has_ahead = piece->end_ns > to_ns;
    return to_ns;
}

/* Sets *out to the next interval, or to several that one piece fills. */
static bool next_interval(struct page_pieces *pieces, struct page_piece *out)
{
    struct piece_interval interval = {.state_ns = {0}};
    uint64_t start_ns, end_ns, to_ns = 0;
    enum timeline_state most = 0;

    if (!look_ahead(pieces))
        return false;
    start_ns = pieces->ahead.start_ns;
    end_ns = (start_ns / pieces->width_ns + 1) * pieces->width_ns;
    if (pieces->ahead.end_ns >= end_ns) { /* up to the last interval's end that it reaches */
        const uint64_t whole_ns = pieces->ahead.end_ns - start_ns;

        *out = pieces->ahead;
        out->end_ns = pieces->ahead.end_ns / pieces->width_ns * pieces->width_ns;
        out->cpu_ns = take_share(&pieces->ahead.cpu_ns, out->end_ns - start_ns, whole_ns);
        out->untold_ns = take_share(&pieces->ahead.untold_ns, out->end_ns - start_ns, whole_ns);
        pieces->ahead.start_ns = out->end_ns;
        pieces->ahead.goes_on = true;
        pieces->has_ahead = pieces->ahead.end_ns > out->end_ns;
        return true;
    }
    while (look_ahead(pieces) && pieces->ahead.start_ns < end_ns)
        to_ns = take_part(pieces, end_ns, &interval);
    for (enum timeline_state state = 1; state < TIMELINE_STATE_COUNT; state++)
        if (interval.state_ns[state] > interval.state_ns[most])
            most = state;
    *out = interval.longest[most];
    out->start_ns = start_ns;
    out->end_ns = to_ns;
    out->cpu_ns = interval.cpu_ns;
    out->untold_ns = most == TIMELINE_RUNNING ? interval.untold_ns : 0;
    return true;
}

/* Sets *out to the next intervals that are alike. */
static bool next_joined(struct page_pieces *pieces, struct page_piece *out)
{
    if (!pieces->has_joined && !next_interval(pieces, &pieces->joined))
        return false;
    *out = pieces->joined;
    while ((pieces->has_joined = next_interval(pieces, &pieces->joined)) &&
           same(out, &pieces->joined)) {
        out->end_ns = pieces->joined.end_ns;
        out->cpu_ns += pieces->joined.cpu_ns;
        out->untold_ns += pieces->joined.untold_ns;
    }
    return true;
}

void page_pieces_begin(struct page_pieces *pieces, size_t thread)
{
    const uint32_t index = pieces->threads->list[thread].history;

    pieces->has_ahead = pieces->has_joined = pieces->has_after = pieces->has_moment = false;
    pieces->span = 0;
    pieces->at_ns = 0;
    pieces->cursor.timeline = NULL;
    if (index == PAGE_NONE)
        return;
    const uint32_t process = pieces->history->threads[index].process;
    const struct timeline *part = &pieces->parts[pieces->history->processes[process].snapshot];

    pieces->zero_ns = part->zero_ns;
    if (pieces->history->threads[index].span_count)
        timeline_begin(part, index, &pieces->cursor);
}

bool page_pieces_next(struct page_pieces *pieces, struct page_piece *piece)
{
    return pieces->width_ns ? next_joined(pieces, piece) : next_whole(pieces, piece);
}

/* Counts pieces, up to most + 1. */
static size_t count_pieces(struct page_pieces *pieces, size_t most)
{
    struct page_piece piece;
    size_t count = 0;

    for (size_t i = 0; i < pieces->threads->count && count <= most; i++) {
        page_pieces_begin(pieces, i);
        while (count <= most && page_pieces_next(pieces, &piece))
            count++;
    }
    return count;
}

/* Merges waits if there are too many pieces, then widens intervals as needed. */
static void choose_width(struct page_pieces *pieces, uint64_t width_ns)
{
    const size_t most =
        pieces->threads->count > PAGE_PIECES_MAX ? pieces->threads->count : PAGE_PIECES_MAX;
    size_t count = count_pieces(pieces, most);

    if (count > most) {
        pieces->are_merged = true;
        count = count_pieces(pieces, most);
    }
    pieces->unit_ns = count <= UNIT_FEW_PIECES ? 1000 : 10000;
    for (; count > most; width_ns *= WIDTH_STEP) {
        pieces->width_ns = width_ns;
        count = count_pieces(pieces, most);
    }
}

enum status page_pieces_init(struct page_pieces *pieces, const struct page_threads *threads,
                             const struct timeline *timeline, uint64_t width_ns)
{
    const struct history *history = timeline->history;
    enum status status = STATUS_OK;

    *pieces = (struct page_pieces){.threads = threads, .history = history};
    for (size_t i = 0; i < history->process_count; i++)
        if (history->processes[i].snapshot >= pieces->part_count)
            pieces->part_count = (size_t)history->processes[i].snapshot + 1;
    pieces->parts = calloc(pieces->part_count + 1, sizeof(*pieces->parts));
    if (!pieces->parts)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < pieces->part_count && status == STATUS_OK; i++)
        status = make_part(timeline, i, &pieces->parts[i]);
    if (status == STATUS_OK)
        choose_width(pieces, width_ns);
    return status;
}
