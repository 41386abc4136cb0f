/* SPDX-License-Identifier: MIT */
#include "snapshot/import/perf/layout.h"

#include <stdlib.h>

#include "base/vec.h"

void perf_layout_deinit(struct perf_layout *l)
{
    free(l->sorted);
    free(l->heap);
}

static int compare(const void *a, const void *b)
{
    const struct perf_layout_entry *x = a, *y = b;

    if (x->start_addr != y->start_addr)
        return x->start_addr < y->start_addr ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

enum status perf_layout_begin(struct perf_layout *l, const struct perf_maps *maps)
{
    size_t count = maps->count;

    l->count = l->next = l->heap_count = 0;
    l->addr = 0;
    if (vec_reserve(&l->sorted, &l->sorted_cap, count, sizeof(*l->sorted)) != STATUS_OK ||
        vec_reserve(&l->heap, &l->heap_cap, count, sizeof(*l->heap)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    l->list = maps->list;
    l->count = count;
    for (size_t i = 0; i < count; i++)
        l->sorted[i] = (struct perf_layout_entry){maps->list[i].start_addr, (uint32_t)i};
    if (count > 1)
        qsort(l->sorted, count, sizeof(*l->sorted), compare);
    return STATUS_OK;
}

static void push(struct perf_layout *l)
{
    uint32_t index = l->sorted[l->next++].index;
    size_t i = l->heap_count++;

    for (; i > 0 && l->heap[(i - 1) / 2] < index; i = (i - 1) / 2)
        l->heap[i] = l->heap[(i - 1) / 2];
    l->heap[i] = index;
}

static void pop(struct perf_layout *l)
{
    uint32_t last = l->heap[--l->heap_count];
    size_t i = 0, child;

    while ((child = 2 * i + 1) < l->heap_count) {
        if (child + 1 < l->heap_count && l->heap[child + 1] > l->heap[child])
            child++;
        if (l->heap[child] <= last)
            break;
        l->heap[i] = l->heap[child];
        i = child;
    }
    l->heap[i] = last;
}

/* Goes to the next address where something is mapped: the newest there is the first in the heap. */
static bool find_mapped(struct perf_layout *l)
{
    do {
        while (l->heap_count > 0 && l->list[l->heap[0]].end_addr <= l->addr)
            pop(l);
        if (l->heap_count == 0 && l->next == l->count)
            return false;
        if (l->heap_count == 0)
            l->addr = l->sorted[l->next].start_addr;
        while (l->next < l->count && l->sorted[l->next].start_addr <= l->addr)
            push(l);
    } while (l->list[l->heap[0]].end_addr <= l->addr);
    return true;
}

bool perf_layout_next(struct perf_layout *l, struct perf_map *out)
{
    uint32_t newest;

    if (!find_mapped(l))
        return false;
    newest = l->heap[0];
    *out = l->list[newest];
    out->file_off += l->addr - out->start_addr;
    out->start_addr = l->addr;
    for (; l->next < l->count && l->sorted[l->next].start_addr < out->end_addr; push(l))
        if (l->sorted[l->next].index > newest) {
            out->end_addr = l->sorted[l->next].start_addr;
            break;
        }
    l->addr = out->end_addr;
    return true;
}
