/* SPDX-License-Identifier: MIT */
#include "threads/concurrency.h"

#include <stdlib.h>

#include "base/vec.h"
#include "graph/amount.h"

/* The time between two changes of what any thread did. */
struct concurrency_step {
    uint64_t start_ns, end_ns;
    uint64_t running, ready;
};

struct sink {
    enum status (*step)(void *context, const struct concurrency_step *step);
    void *context;
};

/* A row's position in time. */
struct runner {
    struct timeline_cursor cursor;
    struct timeline_piece piece;
    bool begun; /* the piece is counted; else it is ahead */
};

struct concurrency_walk {
    struct runner *runners;
    uint32_t *heap; /* runners by their next change, the earliest first */
    size_t heap_len;
    uint64_t at_ns, running, ready;
};

/* Returns part/whole in 1/CONCURRENCY_ONE; part <= whole. */
static uint64_t share_of_one(uint64_t part, uint64_t whole)
{
    while (whole >> 47) {
        whole >>= 1;
        part >>= 1;
    }
    return part * CONCURRENCY_ONE / whole;
}

static uint64_t running_of(const struct timeline_piece *piece)
{
    return share_of_one(piece->cpu_ns, piece->end_ns - piece->start_ns);
}

static uint64_t ready_of(const struct timeline_piece *piece)
{
    return piece->wants_cpu ? CONCURRENCY_ONE - running_of(piece) : 0;
}

static uint64_t next_change(const struct concurrency_walk *walk, size_t place)
{
    const struct runner *runner = &walk->runners[walk->heap[place]];

    return runner->begun ? runner->piece.end_ns : runner->piece.start_ns;
}

static void sift_down(struct concurrency_walk *walk, size_t place)
{
    for (;;) {
        size_t least = place;

        for (size_t child = 2 * place + 1; child <= 2 * place + 2; child++)
            if (child < walk->heap_len && next_change(walk, child) < next_change(walk, least))
                least = child;
        if (least == place)
            return;
        uint32_t other = walk->heap[least];

        walk->heap[least] = walk->heap[place];
        walk->heap[place] = other;
        place = least;
    }
}

/* Makes the earliest change. */
static void change_first(struct concurrency_walk *walk)
{
    struct runner *runner = &walk->runners[walk->heap[0]];

    if (!runner->begun) {
        runner->begun = true;
        walk->running += running_of(&runner->piece);
        walk->ready += ready_of(&runner->piece);
    } else {
        runner->begun = false;
        walk->running -= running_of(&runner->piece);
        walk->ready -= ready_of(&runner->piece);
        if (!timeline_next(&runner->cursor, &runner->piece))
            walk->heap[0] = walk->heap[--walk->heap_len];
    }
    sift_down(walk, 0);
}

static enum status step_to(struct concurrency_walk *walk, uint64_t end_ns, const struct sink *sink)
{
    const struct concurrency_step step = {.start_ns = walk->at_ns,
                                          .end_ns = end_ns,
                                          .running = walk->running,
                                          .ready = walk->ready};

    if (end_ns <= walk->at_ns)
        return STATUS_OK;
    walk->at_ns = end_ns;
    return sink->step(sink->context, &step);
}

static enum status walk_init(struct concurrency_walk *walk, const struct timeline *timeline)
{
    *walk = (struct concurrency_walk){.at_ns = timeline->start_ns};
    walk->runners = calloc(timeline->row_count + 1, sizeof(*walk->runners));
    walk->heap = calloc(timeline->row_count + 1, sizeof(*walk->heap));
    if (!walk->runners || !walk->heap)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        struct runner *runner = &walk->runners[i];

        timeline_begin(timeline, timeline->rows[i].thread, &runner->cursor);
        if (timeline_next(&runner->cursor, &runner->piece))
            walk->heap[walk->heap_len++] = i;
    }
    for (size_t i = walk->heap_len / 2 + 1; i-- > 0;)
        sift_down(walk, i);
    return STATUS_OK;
}

static enum status walk_all(const struct timeline *timeline, const struct sink *sink)
{
    struct concurrency_walk walk;
    enum status status = walk_init(&walk, timeline);

    while (status == STATUS_OK && walk.heap_len > 0) {
        status = step_to(&walk, next_change(&walk, 0), sink);
        change_first(&walk);
    }
    if (status == STATUS_OK)
        status = step_to(&walk, timeline->end_ns, sink);
    free(walk.runners);
    free(walk.heap);
    return status;
}

/* Returns time_ns * part / CONCURRENCY_ONE without overflow of the product. */
static uint64_t part_of(uint64_t time_ns, uint64_t part)
{
    return (time_ns >> 16) * part + (((time_ns & 0xffff) * part) >> 16);
}

struct levels {
    struct concurrency *out;
    size_t cap;
};

static enum status add_level(struct levels *levels, size_t level, uint64_t time_ns)
{
    struct concurrency *out = levels->out;

    if (time_ns == 0)
        return STATUS_OK;
    if (vec_reserve(&out->level_ns, &levels->cap, level + 1, sizeof(*out->level_ns)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    while (out->level_count <= level)
        out->level_ns[out->level_count++] = 0;
    out->level_ns[level] += time_ns;
    return STATUS_OK;
}

static enum status count_levels(void *context, const struct concurrency_step *step)
{
    struct levels *levels = context;
    uint64_t time_ns = step->end_ns - step->start_ns;
    size_t level = (size_t)(step->running / CONCURRENCY_ONE);
    uint64_t above_ns = part_of(time_ns, step->running % CONCURRENCY_ONE);
    enum status status = add_level(levels, level, time_ns - above_ns);

    levels->out->total_ns += time_ns;
    levels->out->cpu_ns += level * time_ns + above_ns;
    return status == STATUS_OK ? add_level(levels, level + 1, above_ns) : status;
}

enum status concurrency_create(const struct timeline *timeline, struct concurrency *out)
{
    struct levels levels = {.out = out};
    const struct sink sink = {.step = count_levels, .context = &levels};
    enum status status;

    *out = (struct concurrency){.level_count = 0};
    status = vec_reserve(&out->level_ns, &levels.cap, 1, sizeof(*out->level_ns));
    if (status != STATUS_OK)
        return status;
    out->level_ns[0] = 0;
    out->level_count = 1;
    status = walk_all(timeline, &sink);
    if (status != STATUS_OK)
        concurrency_deinit(out);
    return status;
}

void concurrency_deinit(struct concurrency *concurrency)
{
    free(concurrency->level_ns);
    concurrency->level_ns = NULL;
}

uint64_t concurrency_average(const struct concurrency *concurrency)
{
    uint64_t total_ns = concurrency->total_ns, cpu_ns = concurrency->cpu_ns;

    if (total_ns == 0)
        return 0;
    return cpu_ns / total_ns * 100 + (amount_basis_points(cpu_ns % total_ns, total_ns) + 50) / 100;
}

struct bins {
    struct concurrency_bin *list;
    size_t count;
    uint64_t start_ns, length_ns; /* of all bins */
};

/* Returns the beginning of bin i, after that of the first one; rounded down. */
static uint64_t bin_start(const struct bins *bins, size_t i)
{
    uint64_t whole = bins->length_ns / bins->count, rest = bins->length_ns % bins->count;

    return whole * i + rest * i / bins->count;
}

/* Adds threads × ns to the bins. */
static enum status fill_bins(void *context, const struct concurrency_step *step)
{
    struct bins *bins = context;
    uint64_t start_ns = step->start_ns - bins->start_ns, end_ns = step->end_ns - bins->start_ns;
    size_t i = bins->length_ns ? (size_t)share_of_one(start_ns, bins->length_ns) : 0;

    i = (size_t)((uint64_t)i * bins->count / CONCURRENCY_ONE);
    while (i > 0 && bin_start(bins, i) > start_ns)
        i--;
    for (; i < bins->count && bin_start(bins, i) < end_ns; i++) {
        uint64_t from_ns = bin_start(bins, i), to_ns = bin_start(bins, i + 1);

        if (from_ns < start_ns)
            from_ns = start_ns;
        if (to_ns > end_ns)
            to_ns = end_ns;
        if (to_ns <= from_ns)
            continue;
        bins->list[i].running += part_of(to_ns - from_ns, step->running);
        bins->list[i].ready += part_of(to_ns - from_ns, step->ready);
    }
    return STATUS_OK;
}

/* Returns threads × ns / ns, in 1/CONCURRENCY_ONE. */
static uint64_t average_of(uint64_t sum_ns, uint64_t length_ns)
{
    uint64_t whole = length_ns ? sum_ns / length_ns : 0;

    return length_ns ? whole * CONCURRENCY_ONE + share_of_one(sum_ns % length_ns, length_ns) : 0;
}

/* Returns how much of a bin the timeline covers. */
static uint64_t bin_length(const struct bins *bins, const struct timeline *timeline, size_t i)
{
    uint64_t from_ns = bins->start_ns + bin_start(bins, i);
    uint64_t to_ns = bins->start_ns + bin_start(bins, i + 1);

    if (from_ns < timeline->start_ns)
        from_ns = timeline->start_ns;
    if (to_ns > timeline->end_ns)
        to_ns = timeline->end_ns;
    return to_ns > from_ns ? to_ns - from_ns : 0;
}

static enum status fill(const struct timeline *timeline, struct bins *bins)
{
    const struct sink sink = {.step = fill_bins, .context = bins};
    struct concurrency_bin *list = bins->list;
    enum status status;

    for (size_t i = 0; i < bins->count; i++)
        list[i] = (struct concurrency_bin){.running = 0};
    status = walk_all(timeline, &sink);
    for (size_t i = 0; i < bins->count; i++) {
        uint64_t length_ns = bin_length(bins, timeline, i);

        list[i].running = average_of(list[i].running, length_ns);
        list[i].ready = average_of(list[i].ready, length_ns);
    }
    return status;
}

enum status concurrency_bins(const struct timeline *timeline, struct concurrency_bin *list,
                             size_t count)
{
    struct bins bins = {.list = list,
                        .count = count,
                        .start_ns = timeline->start_ns,
                        .length_ns = timeline->end_ns - timeline->start_ns};

    return fill(timeline, &bins);
}

enum status concurrency_bins_of_width(const struct timeline *timeline, uint64_t start_ns,
                                      uint64_t width_ns, struct concurrency_bin *list, size_t count)
{
    struct bins bins = {.list = list,
                        .count = count,
                        .start_ns = start_ns,
                        .length_ns = width_ns * count};

    return fill(timeline, &bins);
}
