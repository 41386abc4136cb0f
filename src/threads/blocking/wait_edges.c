/* SPDX-License-Identifier: MIT */
#include "threads/blocking/wait_edges.h"

#include <stdlib.h>

#include "base/vec.h"
#include "threads/blocking/wait_holds.h"

/* Whether a record continues the wait of the one before: the thread has not run in between. */
static bool goes_on(const struct wait_graph *graph, const struct wait_record *record,
                    uint64_t start_ns)
{
    return wait_graph_record_span(graph, record)->goes_on && record > graph->records &&
           record[-1].node == record->node && record[-1].thread == record->thread &&
           record[-1].span + 1 == record->span &&
           wait_graph_waited(graph, record->thread, record[-1].span).end_ns == start_ns;
}

static enum status collect_waits(const struct wait_graph *graph, size_t first, size_t last,
                                 struct stretches *waits)
{
    enum status status = STATUS_OK;

    waits->count = 0;
    for (size_t i = first; i < last && status == STATUS_OK; i++) {
        const struct wait_record *record = &graph->records[i];
        const struct span *span = wait_graph_record_span(graph, record);
        const struct waited waited = wait_graph_waited(graph, record->thread, record->span);
        const struct stretch stretch = {.start_ns = waited.start_ns,
                                        .end_ns = waited.end_ns,
                                        .waited_ns = waited.ns,
                                        .seen_ns = span->seen_ns < waited.end_ns ? span->seen_ns
                                                                                 : waited.end_ns,
                                        .node = record->node,
                                        .thread = record->thread,
                                        .wait = span->wait,
                                        .chain = span->chain,
                                        .take_chain = HISTORY_NONE,
                                        .goes_on = goes_on(graph, record, waited.start_ns)};

        status = stretches_add(waits, stretch);
    }
    return status;
}

static enum status add_wait_edge(struct wait_graph *graph, const struct stretch *list, size_t count,
                                 struct chain_time *times)
{
    const struct span *last = wait_graph_last(graph, list->thread);
    struct wait_edge edge = {.node = list->node, .thread = list->thread};
    struct chain_time chain;
    uint64_t one_ns = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t ns = list[i].waited_ns;

        times[i] = (struct chain_time){.chain = list[i].chain, .ns = ns};
        edge.wait_ns = weight_add(edge.wait_ns, ns);
        edge.count += !list[i].goes_on;
        one_ns = list[i].goes_on ? weight_add(one_ns, ns) : ns;
        if (one_ns > edge.longest_ns)
            edge.longest_ns = one_ns;
    }
    chain = chain_times_heaviest(times, count);
    edge.chain = chain.chain;
    edge.chain_ns = chain.ns;
    edge.wait = list[count - 1].wait;
    edge.at_end = last && wait_graph_wait(graph, last)->object == graph->nodes[list->node].object;
    edge.is_all = edge.at_end && edge.count == 1 &&
                  list->start_ns <= graph->history->threads[list->thread].spans->start_ns;
    graph->nodes[list->node].waiters_end += edge.at_end;
    graph->nodes[list->node].waits += edge.count;
    graph->nodes[list->node].all_seen &= edge.is_all;
    if (vec_reserve(&graph->waits, &graph->wait_cap, graph->wait_count + 1, sizeof(edge)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    graph->waits[graph->wait_count++] = edge;
    return STATUS_OK;
}

static bool same_holder(const struct wait_graph *graph, const struct hold_episode *episode,
                        const struct stretch *stretch)
{
    const struct wait *list = graph->history->waits->list;
    const struct wait *a = &list[episode->wait], *b = &list[stretch->wait];

    return episode->owner == stretch->thread &&
           (stretch->thread != HISTORY_NONE ||
            (a->owner_tid == b->owner_tid && a->readers == b->readers));
}

/* Makes episodes from stretches in the order of time, joining those of one holder. */
static enum status add_episodes(struct wait_graph *graph, struct wait_node *node,
                                const struct stretches *holds)
{
    node->first_episode = (uint32_t)graph->episode_count;
    for (size_t i = 0; i < holds->count; i++) {
        const struct stretch *hold = &holds->list[i];
        struct hold_episode *last =
            node->episode_count ? &graph->episodes[graph->episode_count - 1] : NULL;

        if (hold->end_ns <= hold->start_ns)
            continue;
        if (last && hold->start_ns <= last->end_ns && same_holder(graph, last, hold)) {
            last->end_ns = hold->end_ns > last->end_ns ? hold->end_ns : last->end_ns;
            last->inferred &= hold->inferred;
            continue;
        }
        if (vec_reserve(&graph->episodes, &graph->episode_cap, graph->episode_count + 1,
                        sizeof(*graph->episodes)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        graph->episodes[graph->episode_count++] = (struct hold_episode){.start_ns = hold->start_ns,
                                                                        .end_ns = hold->end_ns,
                                                                        .owner = hold->thread,
                                                                        .wait = hold->wait,
                                                                        .waiter = hold->waiter,
                                                                        .inferred = hold->inferred};
        node->episode_count++;
    }
    return STATUS_OK;
}

static enum status add_hold_edge(struct wait_graph *graph, const struct stretch *list, size_t count,
                                 struct chain_time *times)
{
    struct hold_edge edge = {.node = list->node,
                             .thread = list->thread,
                             .held_ns = stretches_covered(list, count),
                             .inferred = true};

    if (list->thread == HISTORY_NONE)
        return STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        times[i] = (struct chain_time){.chain = list[i].take_chain};
        edge.inferred &= list[i].inferred;
    }
    edge.take_chain = chain_times_heaviest(times, count).chain;
    if (wait_holds_chain(graph, list, count, &edge.chain) != STATUS_OK ||
        vec_reserve(&graph->holds, &graph->hold_cap, graph->hold_count + 1, sizeof(edge)) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    graph->holds[graph->hold_count++] = edge;
    return STATUS_OK;
}

/* Adds an edge for each thread of the stretches. */
static enum status add_edges(struct wait_graph *graph, struct stretches *from,
                             enum status (*add)(struct wait_graph *graph,
                                                const struct stretch *list, size_t count,
                                                struct chain_time *times))
{
    struct chain_time *times = calloc(from->count + 1, sizeof(*times));
    enum status status = times ? STATUS_OK : STATUS_NO_MEMORY;

    if (from->count)
        qsort(from->list, from->count, sizeof(*from->list), stretch_compare);
    for (size_t i = 0, end; i < from->count && status == STATUS_OK; i = end) {
        for (end = i; end < from->count && from->list[end].thread == from->list[i].thread;)
            end++;
        status = add(graph, from->list + i, end - i, times);
    }
    free(times);
    return status;
}

static int compare_times(const void *a, const void *b)
{
    const uint64_t ta = *(const uint64_t *)a, tb = *(const uint64_t *)b;

    return ta < tb ? -1 : ta > tb;
}

/*
 * Returns until when the thread was seen waiting: between that and its next sample it may have got
 * the object. A wait that was seen at one moment lasts 1 ns.
 */
static uint64_t seen_end(const struct stretches *waits, size_t i)
{
    const struct stretch *wait = &waits->list[i];
    bool goes_on = i + 1 < waits->count && waits->list[i + 1].goes_on;
    uint64_t end_ns = goes_on ? wait->end_ns : wait->seen_ns;

    return end_ns > wait->start_ns ? end_ns : wait->start_ns + 1;
}

/* Rounded to the nearest. It tells about waits that are shorter than the time between samples. */
static uint32_t mean_waiters(const struct wait_graph *graph, const struct wait_node *node)
{
    uint64_t half_ns = history_length_ns(graph->history) / 2;
    uint64_t halves = half_ns ? node->wait_ns / half_ns : 0;

    return halves / 2 <= graph->history->thread_count ? (uint32_t)((halves + 1) / 2) : 0;
}

/* `waits` are by thread, then time. Without times all are of one moment. */
static enum status count_waiters(const struct wait_graph *graph, struct wait_node *node,
                                 const struct stretches *waits)
{
    uint64_t *starts = calloc(waits->count * 2 + 1, sizeof(*starts));
    uint64_t *ends = starts ? starts + waits->count : NULL;
    uint32_t now = 0;

    if (!starts)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < waits->count; i++) {
        starts[i] = graph->has_times ? waits->list[i].start_ns : 0;
        ends[i] = graph->has_times ? seen_end(waits, i) : 1;
    }
    qsort(starts, waits->count, sizeof(*starts), compare_times);
    qsort(ends, waits->count, sizeof(*ends), compare_times);
    for (size_t i = 0, done = 0; i < waits->count; i++) {
        /* `done < i`: in a damaged file waits may end before they begin. */
        for (now++; done < i && ends[done] <= starts[i]; done++)
            now--;
        if (now > node->waiters_max)
            node->waiters_max = now;
    }
    if (graph->has_times && mean_waiters(graph, node) > node->waiters_max)
        node->waiters_max = mean_waiters(graph, node);
    free(starts);
    return STATUS_OK;
}

static int compare_wait_edges(const void *a, const void *b)
{
    const struct wait_edge *ea = a, *eb = b;

    if (ea->wait_ns != eb->wait_ns)
        return ea->wait_ns > eb->wait_ns ? -1 : 1;
    return ea->thread < eb->thread ? -1 : ea->thread > eb->thread;
}

static int compare_hold_edges(const void *a, const void *b)
{
    const struct hold_edge *ea = a, *eb = b;

    if (ea->held_ns != eb->held_ns)
        return ea->held_ns > eb->held_ns ? -1 : 1;
    return ea->thread < eb->thread ? -1 : ea->thread > eb->thread;
}

enum status wait_edges_add(struct wait_graph *graph, size_t first, size_t last,
                           struct stretches *waits, struct stretches *holds)
{
    struct wait_node *node = &graph->nodes[graph->records[first].node];
    enum status status = collect_waits(graph, first, last, waits);

    node->first_wait = (uint32_t)graph->wait_count;
    node->first_hold = (uint32_t)graph->hold_count;
    node->all_seen = true;
    if (status == STATUS_OK)
        status = wait_holds_collect(graph, node, first, last, holds);
    if (status == STATUS_OK)
        status = add_episodes(graph, node, holds);
    if (status == STATUS_OK)
        status = add_edges(graph, waits, add_wait_edge);
    if (status == STATUS_OK)
        status = add_edges(graph, holds, add_hold_edge);
    if (status == STATUS_OK)
        status = count_waiters(graph, node, waits);
    if (status != STATUS_OK)
        return status;
    node->wait_count = (uint32_t)graph->wait_count - node->first_wait;
    node->hold_count = (uint32_t)graph->hold_count - node->first_hold;
    qsort(graph->waits + node->first_wait, node->wait_count, sizeof(*graph->waits),
          compare_wait_edges);
    if (node->hold_count)
        qsort(graph->holds + node->first_hold, node->hold_count, sizeof(*graph->holds),
              compare_hold_edges);
    return STATUS_OK;
}
