/* SPDX-License-Identifier: MIT */
#include "snapshot/import/perf/order.h"

#include <stdlib.h>

#include "base/vec.h"

void perf_order_deinit(struct perf_order *order, struct perf_reader *reader)
{
    for (size_t i = 0; i < order->count; i++)
        perf_record_release(reader, &order->heap[i].record);
    free(order->heap);
}

static bool before(const struct perf_waiting *a, const struct perf_waiting *b)
{
    return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->seq < b->seq;
}

enum status perf_order_put(struct perf_order *order, uint64_t time_ns,
                           const struct perf_record *record)
{
    struct perf_waiting one = {.time_ns = time_ns, .seq = order->seq++, .record = *record};
    size_t i = order->count;

    if (vec_reserve(&order->heap, &order->cap, order->count + 1, sizeof(*order->heap)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    perf_record_hold(record);
    order->count++;
    for (; i > 0 && before(&one, &order->heap[(i - 1) / 2]); i = (i - 1) / 2)
        order->heap[i] = order->heap[(i - 1) / 2];
    order->heap[i] = one;
    if (time_ns > order->newest_ns)
        order->newest_ns = time_ns;
    order->late += time_ns < order->taken_ns;
    return STATUS_OK;
}

void perf_order_round(struct perf_order *order)
{
    order->ready_ns = order->round_ns;
    order->round_ns = order->newest_ns;
}

void perf_order_end(struct perf_order *order)
{
    order->ready_ns = UINT64_MAX;
}

static void remove_first(struct perf_order *order)
{
    struct perf_waiting last = order->heap[--order->count];
    size_t i = 0, child;

    while ((child = 2 * i + 1) < order->count) {
        if (child + 1 < order->count && before(&order->heap[child + 1], &order->heap[child]))
            child++;
        if (!before(&order->heap[child], &last))
            break;
        order->heap[i] = order->heap[child];
        i = child;
    }
    if (order->count > 0)
        order->heap[i] = last;
}

bool perf_order_take(struct perf_order *order, const struct perf_reader *reader,
                     struct perf_record *record)
{
    if (order->count == 0)
        return false;
    if (order->heap[0].time_ns > order->ready_ns && order->count <= PERF_ORDER_MAX &&
        reader->held <= PERF_HELD_MAX)
        return false;
    if (order->heap[0].time_ns > order->taken_ns)
        order->taken_ns = order->heap[0].time_ns;
    *record = order->heap[0].record;
    remove_first(order);
    return true;
}
