/* SPDX-License-Identifier: MIT */
#include "threads/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/text.h"

#define GAPS_MAX        65536 /* times between samples from which the period is found */
#define NAME_MAX_KERNEL 15    /* bytes that a thread's name has at most: TASK_COMM_LEN */

static enum status find_functions(struct timeline *timeline)
{
    size_t count = timeline->profile->chain_count;

    timeline->functions = malloc((count ? count : 1) * sizeof(*timeline->functions));
    if (!timeline->functions)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        timeline->functions[i] = user_function_of(timeline->profile, i);
    return STATUS_OK;
}

static size_t put_gap(struct sort_item *gaps, size_t count, uint64_t gap_ns)
{
    if (gap_ns > 0 && count < GAPS_MAX)
        gaps[count++].key = gap_ns;
    return count;
}

/* Sets the period to the median of the times between a thread's samples, some of which are long. */
static enum status find_period(struct timeline *timeline)
{
    const struct history *history = timeline->history;
    struct sort_item *gaps = calloc(GAPS_MAX, sizeof(*gaps));
    size_t count = 0;
    enum status status;

    if (!gaps)
        return STATUS_NO_MEMORY;
    for (size_t t = 0; t < history->thread_count; t++)
        for (size_t i = 0; i < history->threads[t].span_count; i++) {
            const struct span *span = &history->threads[t].spans[i];

            if (span->samples > 1)
                count =
                    put_gap(gaps, count, (span->seen_ns - span->start_ns) / (span->samples - 1));
            if (i + 1 < history->threads[t].span_count)
                count = put_gap(gaps, count, span->end_ns - span->seen_ns);
        }
    status = sort_items(gaps, count);
    timeline->period_ns = count ? gaps[count / 2].key : timeline->end_ns - timeline->start_ns + 1;
    free(gaps);
    return status;
}

/*
 * Whether blocked threads were sampled again while they were idle. With --on-cpu there are few
 * such repeats: of threads that were slow to stop.
 */
static bool repeats_idle(const struct history *history)
{
    uint64_t spans = 0, repeats = 0;

    for (size_t t = 0; t < history->thread_count; t++)
        for (size_t i = 0; i < history->threads[t].span_count; i++)
            if (!snap_state_is_runnable(history->threads[t].spans[i].state)) {
                repeats += history->threads[t].spans[i].samples - 1;
                spans++;
            }
    return spans > 0 && repeats >= spans / 8 + 1;
}

static uint64_t tid_key(uint32_t pid, uint32_t tid)
{
    return (uint64_t)pid << 32 | tid;
}

static enum status find_tids(struct timeline *timeline)
{
    for (size_t i = 0; i < timeline->history->thread_count; i++) {
        const struct history_thread *thread = &timeline->history->threads[i];
        uint64_t *last = map_put(&timeline->by_tid, tid_key(thread->pid, thread->tid), i);

        if (!last)
            return STATUS_NO_MEMORY;
        *last = i;
    }
    return STATUS_OK;
}

/* Makes the rows, in the order of the hierarchy, of threads with samples. */
static enum status find_rows(struct timeline *timeline)
{
    const struct report *report = timeline->source.report;
    const struct hierarchy *hierarchy = report->hierarchy;

    timeline->rows = calloc(timeline->history->thread_count + 1, sizeof(*timeline->rows));
    if (!timeline->rows)
        return STATUS_NO_MEMORY;
    for (uint32_t n = 0; n < hierarchy->count; n++) {
        const struct hierarchy_node *node = &hierarchy->nodes[n];

        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            uint32_t thread = hierarchy->order[i];

            if (!report->shown[thread])
                continue;
            if (timeline->history->threads[thread].span_count == 0)
                timeline->unsampled++;
            else
                timeline->rows[timeline->row_count++] =
                    (struct timeline_row){.thread = thread, .depth = node->depth, .node = n};
        }
    }
    return STATUS_OK;
}

/* A part begins at --from: its first samples have the CPU time since then. */
static uint64_t start_of(const struct history *history, uint64_t first_ns, uint64_t zero_ns)
{
    const uint64_t from_ns = history->window.from_ns;

    if (first_ns <= zero_ns)
        return zero_ns;
    return from_ns && from_ns < first_ns - zero_ns ? zero_ns + from_ns : first_ns;
}

enum status timeline_create(const struct timeline_source *source, struct timeline **out)
{
    struct timeline *timeline = calloc(1, sizeof(*timeline));
    enum status status;

    if (!timeline)
        return STATUS_NO_MEMORY;
    *timeline = (struct timeline){.source = *source,
                                  .history = source->report->history,
                                  .profile = source->report->profile,
                                  .zero_ns = source->report->history->zero_ns,
                                  .start_ns = start_of(source->report->history,
                                                       source->report->history->first_ns,
                                                       source->report->history->zero_ns),
                                  .end_ns = source->report->history->last_ns,
                                  .period_ns = source->period_ns,
                                  .sees_idle = repeats_idle(source->report->history)};
    status = find_functions(timeline);
    if (status == STATUS_OK && !timeline->period_ns)
        status = find_period(timeline);
    if (status == STATUS_OK)
        status = find_rows(timeline);
    if (status == STATUS_OK)
        status = find_tids(timeline);
    if (status == STATUS_OK)
        *out = timeline;
    else
        timeline_destroy(timeline);
    return status;
}

void timeline_destroy(struct timeline *timeline)
{
    if (!timeline)
        return;
    free(timeline->rows);
    free(timeline->functions);
    map_deinit(&timeline->by_tid);
    free(timeline);
}

static enum timeline_state wait_state(enum wait_kind kind)
{
    if (wait_is_lock(kind))
        return TIMELINE_LOCK;
    if (wait_is_for_threads(kind) || kind == WAIT_CHILD || kind == WAIT_SIGNAL)
        return TIMELINE_THREADS;
    if (kind <= WAIT_CONNECT)
        return TIMELINE_IO;
    return kind == WAIT_SLEEP ? TIMELINE_SLEEPING : TIMELINE_BLOCKED;
}

enum timeline_state timeline_span_state(const struct timeline *timeline, const struct span *span)
{
    const struct waits *waits = timeline->history->waits;

    switch (span->state) {
    case 'R':
        return TIMELINE_RUNNING;
    case SNAP_STATE_READY:
        return TIMELINE_READY;
    case 'T':
    case 't':
        return TIMELINE_STOPPED;
    case 'S':
    case 'D':
    case 'I':
        if (waits && span->wait < waits->count)
            return wait_state(waits->list[span->wait].kind);
        return span->state == 'D' ? TIMELINE_IO : TIMELINE_BLOCKED;
    default:
        return TIMELINE_UNKNOWN;
    }
}

/*
 * Whether the thread wanted a CPU all the time: it was runnable at the beginning and at the end
 * (for a tail: in `next`), and idle threads were sampled, or it was found ready.
 */
static bool wants_cpu(const struct timeline *timeline, const struct span *span, bool is_tail,
                      const struct span *next)
{
    if (!snap_state_is_runnable(span->state) ||
        (is_tail && (!next || !snap_state_is_runnable(next->state))))
        return false;
    return timeline->sees_idle || span->state == SNAP_STATE_READY ||
           (is_tail && next->state == SNAP_STATE_READY);
}

/* Fills the piece from a span's first sample to its last, or (`is_tail`) to the next span. */
static void fill_piece(const struct timeline_cursor *cursor, const struct span *span, bool is_tail,
                       struct timeline_piece *piece)
{
    const struct timeline *timeline = cursor->timeline;
    bool is_last = cursor->next + 1 == cursor->thread->span_count;
    const struct span *next = is_last ? NULL : span + 1;
    uint64_t length_ns;

    *piece = (struct timeline_piece){
        .start_ns = is_tail ? span->seen_ns : span->start_ns,
        .end_ns = is_tail ? span->end_ns : span->seen_ns,
        .cpu_ns = !is_tail ? span->cpu_ns - span->cpu_before_ns
                  : next   ? next->cpu_before_ns
                           : 0,
        .state = timeline_span_state(timeline, span),
        .wait = span->wait,
        .chain = span->chain,
        .function = timeline->functions[span->chain],
        .wants_cpu = wants_cpu(timeline, span, is_tail, next),
    };
    if (piece->end_ns <= piece->start_ns)
        return;
    length_ns = piece->end_ns - piece->start_ns;
    if (timeline->source.on_cpu_only && piece->state == TIMELINE_RUNNING)
        piece->cpu_ns = length_ns;
    if (piece->cpu_ns > length_ns)
        piece->cpu_ns = length_ns;
    if (piece->wants_cpu && piece->cpu_ns < length_ns - piece->cpu_ns) {
        piece->state = TIMELINE_READY;
    } else if (piece->state != TIMELINE_RUNNING && piece->cpu_ns > length_ns - piece->cpu_ns) {
        bool was_ready = piece->state == TIMELINE_READY;

        piece->state = TIMELINE_RUNNING;
        if (was_ready)
            return;
        piece->wait = WAIT_NONE;
        piece->chain = HISTORY_NONE;
        piece->function = TIMELINE_NO_FUNCTION;
    }
}

static struct timeline_piece unseen(uint64_t start_ns, uint64_t end_ns)
{
    return (struct timeline_piece){.start_ns = start_ns,
                                   .end_ns = end_ns,
                                   .state = TIMELINE_UNKNOWN,
                                   .wait = WAIT_NONE,
                                   .chain = HISTORY_NONE,
                                   .function = TIMELINE_NO_FUNCTION};
}

/* Whether samples `gap_ns` apart have others missing between them. */
static bool is_long(const struct timeline *timeline, uint64_t gap_ns)
{
    return gap_ns / TIMELINE_PERIODS_UNSEEN > timeline->period_ns;
}

/* Shortens the piece to one period with the state that the sample found. */
static void fill_moment(const struct timeline_cursor *cursor, const struct span *span,
                        struct timeline_piece *piece)
{
    const struct timeline *timeline = cursor->timeline;

    piece->end_ns = piece->start_ns + timeline->period_ns;
    piece->state = timeline_span_state(timeline, span);
    piece->wait = span->wait;
    piece->chain = span->chain;
    piece->function = timeline->functions[span->chain];
    if (piece->cpu_ns > timeline->period_ns)
        piece->cpu_ns = timeline->period_ns;
}

/*
 * Makes one of a span's four parts: 0 and 1 between its samples, 2 and 3 after its last. If samples
 * are far apart, 0 and 2 are one period, and 1 and 3 the rest, which is not known.
 */
static void make_part(struct timeline_cursor *cursor, struct timeline_piece *piece)
{
    const struct timeline *timeline = cursor->timeline;
    const struct span *span = &cursor->thread->spans[cursor->next];
    bool is_tail = cursor->part >= 2, is_rest = cursor->part % 2;
    uint64_t start_ns = is_tail ? span->seen_ns : span->start_ns;
    uint64_t end_ns = is_tail ? span->end_ns : span->seen_ns;
    uint64_t gaps = is_tail || span->samples < 2 ? 1 : span->samples - 1;
    bool is_unseen;

    fill_piece(cursor, span, is_tail, piece);
    /* A repeat says that the thread has not run since the sample before. */
    is_unseen = end_ns > start_ns && is_long(timeline, (end_ns - start_ns) / gaps) &&
                !piece->wants_cpu && (is_tail || snap_state_is_runnable(span->state));
    if (is_unseen && !is_rest)
        fill_moment(cursor, span, piece);
    else if (is_rest)
        *piece = unseen(is_unseen ? start_ns + timeline->period_ns : end_ns, end_ns);
}

void timeline_begin(const struct timeline *timeline, uint32_t thread,
                    struct timeline_cursor *cursor)
{
    const struct history_thread *found = &timeline->history->threads[thread];

    *cursor = (struct timeline_cursor){.timeline = timeline, .thread = found};
    cursor->at_ns = found->found_ns > timeline->start_ns ? found->found_ns : timeline->start_ns;
    if (found->span_count && found->spans[0].start_ns > cursor->at_ns) {
        uint64_t length_ns = found->spans[0].start_ns - cursor->at_ns;
        uint64_t cpu_ns = found->spans[0].cpu_before_ns;

        cursor->ahead = unseen(cursor->at_ns, found->spans[0].start_ns);
        if (!timeline->source.on_cpu_only)
            cursor->ahead.cpu_ns = cpu_ns < length_ns ? cpu_ns : length_ns;
        cursor->has_ahead = true;
    }
}

/* As timeline_next, without cursor->ahead. */
static bool next_piece(struct timeline_cursor *cursor, struct timeline_piece *piece)
{
    while (cursor->next < cursor->thread->span_count) {
        make_part(cursor, piece);
        if (cursor->part == 0)
            cursor->has_run = !cursor->thread->spans[cursor->next].goes_on;
        if (++cursor->part == 4) {
            cursor->part = 0;
            cursor->next++;
        }
        /* Times of a damaged file may go back. */
        if (piece->start_ns < cursor->at_ns)
            piece->start_ns = cursor->at_ns;
        if (piece->end_ns > cursor->timeline->end_ns)
            piece->end_ns = cursor->timeline->end_ns;
        if (piece->end_ns <= piece->start_ns)
            continue;
        cursor->at_ns = piece->end_ns;
        if (piece->cpu_ns > piece->end_ns - piece->start_ns)
            piece->cpu_ns = piece->end_ns - piece->start_ns;
        if (piece->state == TIMELINE_RUNNING && !piece->wants_cpu)
            piece->untold_ns = piece->end_ns - piece->start_ns - piece->cpu_ns;
        piece->goes_on = !cursor->has_run;
        cursor->has_run = false;
        return true;
    }
    return false;
}

bool timeline_next(struct timeline_cursor *cursor, struct timeline_piece *piece)
{
    if (!cursor->has_ahead)
        return next_piece(cursor, piece);
    *piece = cursor->ahead;
    cursor->has_ahead = false;
    cursor->at_ns = piece->end_ns;
    return true;
}

void timeline_add_states(const struct timeline_piece *piece, uint64_t ns[TIMELINE_STATE_COUNT])
{
    const uint64_t rest_ns = piece->end_ns - piece->start_ns - piece->cpu_ns - piece->untold_ns;
    const enum timeline_state rest =
        piece->state == TIMELINE_RUNNING ? TIMELINE_READY : piece->state;

    ns[TIMELINE_RUNNING] = weight_add(ns[TIMELINE_RUNNING], piece->cpu_ns);
    ns[TIMELINE_UNKNOWN] = weight_add(ns[TIMELINE_UNKNOWN], piece->untold_ns);
    ns[rest] = weight_add(ns[rest], rest_ns);
}

struct timeline_piece timeline_waited(const struct timeline *timeline, uint32_t thread, size_t span)
{
    struct timeline_cursor cursor = {.timeline = timeline,
                                     .thread = &timeline->history->threads[thread],
                                     .next = span};
    const struct span *given = &cursor.thread->spans[span];
    struct timeline_piece part;
    struct timeline_piece found = {.start_ns = given->start_ns,
                                   .end_ns = given->start_ns,
                                   .state = timeline_span_state(timeline, given),
                                   .wait = given->wait,
                                   .chain = given->chain,
                                   .function = timeline->functions[given->chain]};

    /* The known parts: between its samples, and after its last. */
    for (cursor.part = 0; cursor.part < 4; cursor.part += 2) {
        make_part(&cursor, &part);
        if (part.end_ns <= part.start_ns || part.wait == WAIT_NONE)
            continue;
        if (found.end_ns == found.start_ns)
            found = part;
        found.cpu_ns += found.start_ns == part.start_ns ? 0 : part.cpu_ns;
        found.end_ns = part.end_ns;
    }
    found.goes_on = given->goes_on;
    return found;
}

struct timeline timeline_of_process(const struct timeline *timeline, uint32_t process,
                                    uint64_t zero_ns)
{
    struct timeline part = *timeline;

    part.zero_ns = zero_ns;
    part.start_ns =
        start_of(timeline->history, history_first_ns(timeline->history, process), zero_ns);
    part.end_ns = history_last_ns(timeline->history, process);
    return part;
}

static bool same_state(const struct timeline_piece *a, const struct timeline_piece *b)
{
    return a->end_ns == b->start_ns && a->state == b->state && a->wait == b->wait;
}

static bool same_function(const struct timeline_piece *a, const struct timeline_piece *b)
{
    return same_state(a, b) && a->function == b->function;
}

static bool same_chain(const struct timeline_piece *a, const struct timeline_piece *b)
{
    return same_state(a, b) && a->chain == b->chain;
}

static bool same_stretch(const struct timeline_piece *a, const struct timeline_piece *b)
{
    return same_function(a, b) && (b->goes_on || b->wait == WAIT_NONE);
}

static bool next_merged(struct timeline_cursor *cursor,
                        bool (*same)(const struct timeline_piece *, const struct timeline_piece *),
                        struct timeline_piece *piece)
{
    if (!timeline_next(cursor, piece))
        return false;
    while (next_piece(cursor, &cursor->ahead)) {
        if (!same(piece, &cursor->ahead)) {
            cursor->has_ahead = true;
            break;
        }
        piece->end_ns = cursor->ahead.end_ns;
        piece->cpu_ns += cursor->ahead.cpu_ns;
        piece->untold_ns += cursor->ahead.untold_ns;
        piece->wants_cpu &= cursor->ahead.wants_cpu;
    }
    return true;
}

bool timeline_next_state(struct timeline_cursor *cursor, struct timeline_piece *piece)
{
    return next_merged(cursor, same_state, piece);
}

bool timeline_next_function(struct timeline_cursor *cursor, struct timeline_piece *piece)
{
    return next_merged(cursor, same_function, piece);
}

bool timeline_next_chain(struct timeline_cursor *cursor, struct timeline_piece *piece)
{
    return next_merged(cursor, same_chain, piece);
}

bool timeline_next_stretch(struct timeline_cursor *cursor, struct timeline_piece *piece)
{
    return next_merged(cursor, same_stretch, piece);
}

const char *timeline_state_name(enum timeline_state state)
{
    switch (state) {
    case TIMELINE_RUNNING:
        return "running";
    case TIMELINE_READY:
        return "ready (no CPU)";
    case TIMELINE_LOCK:
        return "waits for a lock";
    case TIMELINE_THREADS:
        return "waits for threads";
    case TIMELINE_IO:
        return "waits for I/O";
    case TIMELINE_SLEEPING:
        return "sleeping";
    case TIMELINE_BLOCKED:
        return "blocked";
    case TIMELINE_STOPPED:
        return "stopped";
    case TIMELINE_UNKNOWN:
        return "not sampled";
    }
    return "";
}

/* Returns the name of the last thread with the tid; "": not known. */
static const char *name_of_tid(const struct timeline *timeline, uint32_t pid, uint32_t tid)
{
    const uint64_t *thread = map_get(&timeline->by_tid, tid_key(pid, tid));

    return thread ? timeline->history->threads[*thread].name : "";
}

char *timeline_wait_text(const struct timeline *timeline, const struct timeline_piece *piece)
{
    const struct waits *waits = timeline->history->waits;
    const struct wait *wait =
        waits && piece->wait < waits->count ? &waits->list[piece->wait] : NULL;
    const struct wait_object *object = NULL;
    char *raw = NULL, *name = NULL, *clean;
    int length;

    if (!wait)
        return strdup(timeline_state_name(piece->state));
    if (wait->object < waits->object_count)
        object = &waits->objects[wait->object];
    name = object ? wait_object_text(object) : strdup("");
    if (!name)
        return NULL;
    /* For a join the object is the thread itself. */
    if (object && wait->owner_tid && wait->kind != WAIT_JOIN) {
        const char *owner = name_of_tid(timeline, object->pid, wait->owner_tid);

        length = asprintf(&raw, "%s %s, %sheld by %s (%" PRIu32 ")", wait_kind_name(wait->kind),
                          name, wait->owner_evidence == WAIT_INFERRED ? "probably " : "", owner,
                          wait->owner_tid);
    } else {
        length = asprintf(&raw, "%s%s%s", wait_kind_name(wait->kind), object ? " " : "", name);
    }
    free(name);
    if (length < 0)
        return NULL;
    clean = text_clean(raw, TEXT_REPLACE_CONTROLS);
    free(raw);
    return clean;
}

char *timeline_function_text(const struct timeline *timeline, uint32_t function)
{
    if (function == TIMELINE_NO_FUNCTION)
        return strdup("");
    return text_clean(names_function(timeline->source.names, function)->name,
                      TEXT_REPLACE_CONTROLS);
}

char *timeline_thread_text(const struct timeline *timeline, uint32_t thread)
{
    const struct history *history = timeline->history;
    const struct history_thread *found = &history->threads[thread];
    const struct identities *identities = timeline->source.report->identities;
    const struct history_process *process = &history->processes[found->process];
    const char *identity = identities->list[identities->of_thread[thread]].name;
    const char *name = history_thread_name(history, found);
    const bool titled = name != found->name;
    const bool named =
        titled || (name[0] && strcmp(name, identity) != 0 &&
                   strncmp(name, text_basename(process->exe), NAME_MAX_KERNEL) != 0 &&
                   strncmp(name, history_process_name(process), NAME_MAX_KERNEL) != 0);
    char *raw, *clean;

    if ((named ? asprintf(&raw, "\"%s\" %s (%" PRIu32 ")", name, identity, found->tid)
               : asprintf(&raw, "%s (%" PRIu32 ")", identity, found->tid)) < 0)
        return NULL;
    clean = text_clean(raw, TEXT_REPLACE_CONTROLS);
    free(raw);
    return clean;
}
