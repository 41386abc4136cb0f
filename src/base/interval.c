/* SPDX-License-Identifier: MIT */
#include "base/interval.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/large.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/vec.h"

#define GAP UINT32_MAX

enum status interval_sort(struct interval *intervals, size_t count)
{
    struct sort_item *order = large_alloc((count + 1) * sizeof(*order));
    struct interval *sorted = large_alloc((count + 1) * sizeof(*sorted));
    enum status status = order && sorted ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        order[i] = (struct sort_item){.key = intervals[i].start, .id = (uint32_t)i};
    if (status == STATUS_OK)
        status = sort_items(order, count);
    if (status == STATUS_OK && count > 0) {
        for (size_t i = 0; i < count; i++)
            sorted[i] = intervals[order[i].id];
        memcpy(intervals, sorted, count * sizeof(*intervals));
    }
    free(order);
    free(sorted);
    return status;
}

/* Piece i is [starts[i], starts[i + 1]). Pieces with the id GAP are gaps; the last one is. */
struct interval_set {
    uint64_t *starts;
    uint32_t *ids;
    size_t count, start_cap, id_cap;
};

/*
 * A binary heap of the intervals that have begun, the best one on top. Those that have ended are
 * removed when they get to the top.
 */
struct sweep {
    const struct interval **heap;
    size_t count;
    struct interval_set *set;
};

static bool is_better(const struct interval *a, const struct interval *b)
{
    if (a->group != b->group)
        return a->group < b->group;
    if (a->start != b->start)
        return a->start > b->start;
    if (a->rank != b->rank)
        return a->rank > b->rank;
    if (a->end != b->end)
        return a->end < b->end;
    return a->id < b->id;
}

static void heap_push(struct sweep *sweep, const struct interval *interval)
{
    size_t at = sweep->count++;

    while (at > 0 && is_better(interval, sweep->heap[(at - 1) / 2])) {
        sweep->heap[at] = sweep->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    sweep->heap[at] = interval;
}

static void heap_pop(struct sweep *sweep)
{
    const struct interval *moved = sweep->heap[--sweep->count];
    size_t at = 0;

    for (;;) {
        size_t child = 2 * at + 1;

        if (child >= sweep->count)
            break;
        if (child + 1 < sweep->count && is_better(sweep->heap[child + 1], sweep->heap[child]))
            child++;
        if (!is_better(sweep->heap[child], moved))
            break;
        sweep->heap[at] = sweep->heap[child];
        at = child;
    }
    if (sweep->count > 0)
        sweep->heap[at] = moved;
}

static enum status begin_piece(struct interval_set *set, uint64_t start, uint32_t id)
{
    if (vec_reserve(&set->starts, &set->start_cap, set->count + 1, sizeof(*set->starts)) !=
            STATUS_OK ||
        vec_reserve(&set->ids, &set->id_cap, set->count + 1, sizeof(*set->ids)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    set->starts[set->count] = start;
    set->ids[set->count++] = id;
    return STATUS_OK;
}

/* Appends a piece. A gap begins at `end`, unless another piece is appended there. */
static enum status emit(struct interval_set *set, uint64_t start, uint64_t end, uint32_t id)
{
    enum status status = STATUS_OK;

    if (set->count > 0 && set->starts[set->count - 1] == start) {
        set->count--;
        if (set->count > 0 && set->ids[set->count - 1] == id)
            return begin_piece(set, end, GAP);
    }
    status = begin_piece(set, start, id);
    return status == STATUS_OK ? begin_piece(set, end, GAP) : status;
}

/* Appends the pieces of the best intervals from *pos to `until`, where the next interval begins. */
static enum status advance(struct sweep *sweep, uint64_t *pos, uint64_t until)
{
    while (sweep->count > 0 && *pos < until) {
        const struct interval *top = sweep->heap[0];
        uint64_t end = top->end < until ? top->end : until;

        if (top->end <= *pos) {
            heap_pop(sweep);
            continue;
        }
        if (emit(sweep->set, *pos, end, top->id) != STATUS_OK)
            return STATUS_NO_MEMORY;
        *pos = end;
    }
    *pos = until;
    return STATUS_OK;
}

/* Frees the memory that is reserved and not used. */
static void shrink(struct interval_set *set)
{
    uint64_t *starts = realloc(set->starts, (set->count + 1) * sizeof(*starts));
    uint32_t *ids = realloc(set->ids, (set->count + 1) * sizeof(*ids));

    set->starts = starts ? starts : set->starts;
    set->ids = ids ? ids : set->ids;
    set->start_cap = set->id_cap = set->count;
}

enum status interval_set_create(const struct interval *intervals, size_t count,
                                struct interval_set **out)
{
    struct interval_set *set = calloc(1, sizeof(*set));
    struct sweep sweep = {.heap = calloc(count + 1, sizeof(*sweep.heap)), .set = set};
    enum status status = set && sweep.heap ? STATUS_OK : STATUS_NO_MEMORY;
    uint64_t pos = 0;

    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = advance(&sweep, &pos, intervals[i].start);
        if (intervals[i].start < intervals[i].end)
            heap_push(&sweep, &intervals[i]);
    }
    if (status == STATUS_OK)
        status = advance(&sweep, &pos, UINT64_MAX);
    free(sweep.heap);
    if (status == STATUS_OK)
        shrink(set);
    if (status != STATUS_OK) {
        interval_set_destroy(set);
        return status;
    }
    *out = set;
    return STATUS_OK;
}

void interval_set_destroy(struct interval_set *set)
{
    if (!set)
        return;
    free(set->starts);
    free(set->ids);
    free(set);
}

/* Sets *out to the index of the piece, or gap, that contains `addr`. False: `addr` is below all. */
static bool find_piece(const struct interval_set *set, uint64_t addr, size_t *out)
{
    size_t at = SEARCH_FIRST(i, 0, set->count, set->starts[i] <= addr);

    *out = at - 1;
    return at > 0;
}

enum status interval_set_find(const struct interval_set *set, uint64_t addr, uint32_t *id)
{
    size_t at;

    if (!find_piece(set, addr, &at) || set->ids[at] == GAP)
        return STATUS_NOT_FOUND;
    *id = set->ids[at];
    return STATUS_OK;
}

enum status interval_set_piece(const struct interval_set *set, uint64_t addr,
                               struct interval_piece *out)
{
    size_t at;

    return find_piece(set, addr, &at) && interval_set_next(set, &at, out) && out->start <= addr
               ? STATUS_OK
               : STATUS_NOT_FOUND;
}

void interval_set_rename(struct interval_set *set, const uint32_t *ids)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->ids[i] != GAP)
            set->ids[i] = ids[set->ids[i]];
}

bool interval_set_next(const struct interval_set *set, size_t *at, struct interval_piece *out)
{
    while (*at < set->count && set->ids[*at] == GAP)
        ++*at;
    if (*at == set->count)
        return false;
    *out = (struct interval_piece){.start = set->starts[*at],
                                   .end = set->starts[*at + 1],
                                   .id = set->ids[*at]};
    ++*at;
    return true;
}
