/* SPDX-License-Identifier: MIT */
#include "threads/blocking/lock_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

struct order_finder {
    const struct wait_graph *graph;
    const struct history *history;
    const struct deadlocks *deadlocks;
    struct lock_orders *out;
    uint32_t *first;   /* by node, and one more: its first order in the list */
    uint32_t *reached; /* by node: the order by which the search reached it */
    uint32_t *queue;
    bool *in_circle; /* by node */
};

void lock_orders_destroy(struct lock_orders *orders)
{
    if (!orders)
        return;
    free(orders->list);
    free(orders->circles);
    free(orders->steps);
    free(orders);
}

static bool is_lock(enum wait_kind kind)
{
    return kind == WAIT_MUTEX || kind == WAIT_RWLOCK_READ || kind == WAIT_RWLOCK_WRITE;
}

static int compare_orders(const void *a, const void *b)
{
    const struct lock_order *oa = a, *ob = b;

    if (oa->from != ob->from)
        return oa->from < ob->from ? -1 : 1;
    if (oa->to != ob->to)
        return oa->to < ob->to ? -1 : 1;
    if (oa->thread != ob->thread)
        return oa->thread < ob->thread ? -1 : 1;
    if (oa->time_ns != ob->time_ns)
        return oa->time_ns < ob->time_ns ? -1 : 1;
    return oa->chain < ob->chain ? -1 : oa->chain > ob->chain;
}

/*
 * Returns the span in which the owner of what `record` waits for waited itself when the owner was
 * read: the owner held one lock while it waited for the other. NULL: none.
 */
static const struct span *owners_wait(const struct order_finder *f,
                                      const struct wait_record *record)
{
    const struct history_thread *threads = f->history->threads;
    const struct span *span = &threads[record->thread].spans[record->span], *owners;
    bool moment = f->history->processes[threads[record->thread].process].one_moment;
    uint64_t time_ns = moment ? span->start_ns : span->read_ns;

    if (record->owner == HISTORY_NONE || record->owner == record->thread ||
        (!moment && !span->read_ns))
        return NULL;
    owners = wait_graph_span(f->graph, record->owner, time_ns);
    if (!owners || owners->wait == WAIT_NONE ||
        !is_lock(f->history->waits->list[owners->wait].kind))
        return NULL;
    if (!moment &&
        (owners->samples < 2 || owners->start_ns >= time_ns || owners->seen_ns < time_ns))
        return NULL;
    if (f->deadlocks->of_thread[record->owner] != WAIT_GRAPH_NONE &&
        owners == wait_graph_last(f->graph, record->owner))
        return NULL;
    return owners;
}

/* Adds an order unless it repeats the last one, as most do. */
static enum status add_order(struct order_finder *f, struct lock_order order)
{
    struct lock_orders *out = f->out;
    const struct lock_order *last = out->count ? &out->list[out->count - 1] : NULL;

    if (last && last->from == order.from && last->to == order.to && last->thread == order.thread)
        return STATUS_OK;
    if (vec_reserve(&out->list, &out->cap, out->count + 1, sizeof(order)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    out->list[out->count++] = order;
    return STATUS_OK;
}

static enum status collect(struct order_finder *f)
{
    const struct wait_graph *graph = f->graph;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < graph->record_count && status == STATUS_OK; i++) {
        const struct wait_record *record = &graph->records[i];
        const struct span *owners = owners_wait(f, record);
        uint32_t to;

        if (!owners)
            continue;
        to = wait_graph_node(graph, graph->nodes[record->node].process,
                             f->history->waits->list[owners->wait].object);
        if (to != WAIT_GRAPH_NONE && to != record->node)
            status = add_order(f, (struct lock_order){.from = record->node,
                                                      .to = to,
                                                      .thread = record->owner,
                                                      .chain = owners->chain,
                                                      .time_ns = owners->start_ns});
    }
    return status;
}

static void make_distinct(struct order_finder *f)
{
    struct lock_orders *out = f->out;
    size_t count = 0;

    if (out->count)
        qsort(out->list, out->count, sizeof(*out->list), compare_orders);
    for (size_t i = 0; i < out->count; i++) {
        const struct lock_order *last = count ? &out->list[count - 1] : NULL;

        if (last && last->from == out->list[i].from && last->to == out->list[i].to &&
            last->thread == out->list[i].thread)
            continue;
        out->list[count++] = out->list[i];
    }
    out->count = count;
}

static enum status index_orders(struct order_finder *f)
{
    size_t nodes = f->graph->node_count;

    f->first = calloc(nodes + 1, sizeof(*f->first));
    f->reached = calloc(nodes + 1, sizeof(*f->reached));
    f->queue = calloc(nodes + 1, sizeof(*f->queue));
    f->in_circle = calloc(nodes + 1, sizeof(*f->in_circle));
    if (!f->first || !f->reached || !f->queue || !f->in_circle)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < f->out->count; i++)
        f->first[f->out->list[i].from + 1]++;
    for (size_t i = 0; i < nodes; i++)
        f->first[i + 1] += f->first[i];
    return STATUS_OK;
}

/*
 * Adds a circle if it can be of two threads: chooses for each step a thread other than the first
 * step's, if there is one.
 */
static enum status add_circle(struct order_finder *f, uint32_t *steps, uint32_t count)
{
    struct lock_orders *out = f->out;
    struct lock_circle circle = {.first = (uint32_t)out->step_count, .count = count};
    const uint32_t thread = out->list[steps[0]].thread;
    bool differs = false;

    for (uint32_t i = 1; i < count; i++) {
        uint32_t step = steps[i];

        while (step + 1 < out->count && out->list[step].thread == thread &&
               out->list[step + 1].from == out->list[step].from &&
               out->list[step + 1].to == out->list[step].to)
            step++;
        steps[i] = step;
        differs |= out->list[step].thread != thread;
    }
    if (!differs && count > 0 && steps[0] + 1 < out->count) {
        const struct lock_order *order = &out->list[steps[0]];

        differs = order[1].from == order->from && order[1].to == order->to;
        steps[0] += differs;
    }
    for (uint32_t i = 0; i < count; i++)
        f->in_circle[out->list[steps[i]].from] = true;
    if (!differs || out->circle_count >= LOCK_ORDER_CIRCLES_MAX)
        return STATUS_OK;
    if (vec_reserve(&out->steps, &out->step_cap, out->step_count + count, sizeof(*steps)) !=
            STATUS_OK ||
        vec_reserve(&out->circles, &out->circle_cap, out->circle_count + 1, sizeof(circle)) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    memcpy(out->steps + out->step_count, steps, count * sizeof(*steps));
    out->step_count += count;
    out->circles[out->circle_count++] = circle;
    return STATUS_OK;
}

/* Returns the first order from one node to another; the count: none. */
static size_t find_order(const struct order_finder *f, uint32_t from, uint32_t to)
{
    size_t end = f->first[from + 1];
    size_t at = SEARCH_FIRST(i, f->first[from], end, f->out->list[i].to < to);

    return at < end && f->out->list[at].to == to ? at : f->out->count;
}

static enum status find_pairs(struct order_finder *f)
{
    const struct lock_orders *out = f->out;
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < out->count && status == STATUS_OK; i++) {
        const struct lock_order *order = &out->list[i];
        size_t back = order->from < order->to ? find_order(f, order->to, order->from) : out->count;
        uint32_t steps[2] = {i, (uint32_t)back};

        if (back < out->count && find_order(f, order->from, order->to) == i)
            status = add_circle(f, steps, 2);
    }
    return status;
}

/* Finds the shortest circle through a node, breadth first. */
static enum status search_circle(struct order_finder *f, uint32_t start)
{
    const struct lock_orders *out = f->out;
    size_t head = 0, tail = 0;
    uint32_t *steps, count = 0;
    enum status status;

    memset(f->reached, 0xff, f->graph->node_count * sizeof(*f->reached));
    f->queue[tail++] = start;
    while (head < tail && f->reached[start] == UINT32_MAX) {
        uint32_t node = f->queue[head++];

        for (uint32_t i = f->first[node]; i < f->first[node + 1]; i++) {
            uint32_t to = out->list[i].to;

            if (f->reached[to] != UINT32_MAX)
                continue;
            f->reached[to] = i;
            if (to != start)
                f->queue[tail++] = to;
        }
    }
    if (f->reached[start] == UINT32_MAX)
        return STATUS_OK;
    for (uint32_t node = start; count == 0 || node != start; count++)
        node = out->list[f->reached[node]].from;
    steps = calloc(count, sizeof(*steps));
    if (!steps)
        return STATUS_NO_MEMORY;
    for (uint32_t node = start, i = count; i-- > 0; node = out->list[steps[i]].from)
        steps[i] = f->reached[node];
    status = add_circle(f, steps, count);
    free(steps);
    return status;
}

/* Searches circles from nodes that are in none yet, a limited number of times. */
static enum status find_longer(struct order_finder *f)
{
    unsigned searches = 0;
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < f->graph->node_count && status == STATUS_OK; i++)
        if (!f->in_circle[i] && f->first[i] < f->first[i + 1] &&
            searches++ < LOCK_ORDER_CIRCLES_MAX * 4)
            status = search_circle(f, i);
    return status;
}

enum status lock_orders_find(const struct wait_graph *graph, const struct deadlocks *deadlocks,
                             struct lock_orders **out)
{
    struct order_finder f = {.graph = graph, .history = graph->history, .deadlocks = deadlocks};
    enum status status;

    *out = NULL;
    f.out = calloc(1, sizeof(*f.out));
    status = f.out ? collect(&f) : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        make_distinct(&f);
        status = index_orders(&f);
    }
    if (status == STATUS_OK)
        status = find_pairs(&f);
    if (status == STATUS_OK)
        status = find_longer(&f);
    free(f.first);
    free(f.reached);
    free(f.queue);
    free(f.in_circle);
    if (status != STATUS_OK) {
        lock_orders_destroy(f.out);
        return status;
    }
    *out = f.out;
    return STATUS_OK;
}
