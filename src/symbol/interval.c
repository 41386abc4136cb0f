#include "symbol/interval.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/vec.h"

static int compare_intervals(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

void interval_sort(struct interval *intervals, size_t count)
{
    if (count > 0)
        qsort(intervals, count, sizeof(*intervals), compare_intervals);
}

struct interval_set {
    struct interval_piece *pieces;
    size_t count, cap;
};

/* A binary heap of the intervals that have begun, the best one on top; ended ones leave when they
 * get there. */
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

static enum status emit(struct interval_set *set, uint64_t start, uint64_t end, uint32_t id)
{
    struct interval_piece *last = set->count ? &set->pieces[set->count - 1] : NULL;

    if (last && last->id == id && last->end == start) {
        last->end = end;
        return STATUS_OK;
    }
    if (vec_reserve(&set->pieces, &set->cap, set->count + 1, sizeof(*last)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    set->pieces[set->count++] = (struct interval_piece){.start = start, .end = end, .id = id};
    return STATUS_OK;
}

/* Emits what is best from *pos up to `until`, where the next interval begins. */
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
    free(set->pieces);
    free(set);
}

enum status interval_set_find(const struct interval_set *set, uint64_t addr, uint32_t *id)
{
    size_t low = 0, high = set->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (set->pieces[middle].end <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == set->count || set->pieces[low].start > addr)
        return STATUS_NOT_FOUND;
    *id = set->pieces[low].id;
    return STATUS_OK;
}

const struct interval_piece *interval_set_pieces(const struct interval_set *set, size_t *count)
{
    *count = set->count;
    return set->pieces;
}
