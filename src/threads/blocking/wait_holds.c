/* SPDX-License-Identifier: MIT */
#include "threads/blocking/wait_holds.h"

#include <stdlib.h>

#include "base/search.h"

/*
 * Returns the chain in which `thread` last waited for the node before `time_ns`: there it took the
 * object, if it holds it at that time. The node's records are those in [first, last).
 */
static uint32_t find_take_chain(const struct wait_graph *graph, size_t first, size_t last,
                                uint32_t thread, uint64_t time_ns)
{
    const struct wait_record *records = graph->records, *record;
    size_t at = SEARCH_FIRST(i, first, last,
                             records[i].thread < thread ||
                                 (records[i].thread == thread &&
                                  wait_graph_record_span(graph, &records[i])->end_ns <= time_ns));

    record = at > first ? &records[at - 1] : NULL;
    return record && record->thread == thread ? wait_graph_record_span(graph, record)->chain
                                              : HISTORY_NONE;
}

/* Sets take_chain: if the owner was last seen waiting for the object it has got it since. */
static void note_owner(const struct wait_graph *graph, const struct wait_record *record,
                       size_t first, size_t last, struct stretch *stretch)
{
    const struct span *owners = wait_graph_span(graph, record->owner, stretch->start_ns);
    const struct wait *wait = owners ? wait_graph_wait(graph, owners) : NULL;

    stretch->by_itself = record->owner == record->thread;
    if (!graph->has_times)
        return;
    if (!wait || stretch->by_itself || wait->object != graph->nodes[record->node].object)
        stretch->take_chain = find_take_chain(graph, first, last, record->owner, stretch->start_ns);
    else
        stretch->take_chain = owners->chain;
}

/* A waiter's reading of the object's owner. */
struct reading {
    uint64_t time_ns;
    uint64_t until_ns; /* time of the next reading of another owner, or none */
    const struct wait_record *record;
};

static int compare_readings(const void *a, const void *b)
{
    const struct reading *ra = a, *rb = b;

    if (ra->time_ns != rb->time_ns)
        return ra->time_ns < rb->time_ns ? -1 : 1;
    return ra->record < rb->record ? -1 : ra->record > rb->record;
}

/* Whether two readings have the same owner, or without one the same tid and readers. */
static bool same_holder(const struct wait_graph *graph, const struct wait_record *a,
                        const struct wait_record *b)
{
    const struct wait *wa = wait_graph_wait(graph, wait_graph_record_span(graph, a));
    const struct wait *wb = wait_graph_wait(graph, wait_graph_record_span(graph, b));

    return a->owner == b->owner && (a->owner != HISTORY_NONE ||
                                    (wa->owner_tid == wb->owner_tid && wa->readers == wb->readers));
}

/* Makes two readings of each record, its first and its last one, for which there is room. */
static size_t collect_readings(const struct wait_graph *graph, size_t first, size_t last,
                               struct reading *readings)
{
    size_t count = 0;

    for (size_t i = first; i < last; i++) {
        const struct wait_record *record = &graph->records[i];
        const struct span *span = wait_graph_record_span(graph, record);

        if (record->owner == HISTORY_NONE && !span->read_ns)
            continue;
        readings[count++] = (struct reading){.time_ns = span->start_ns, .record = record};
        if (span->read_ns > span->start_ns)
            readings[count++] = (struct reading){.time_ns = span->read_ns, .record = record};
    }
    if (count)
        qsort(readings, count, sizeof(*readings), compare_readings);
    for (size_t i = count; i-- > 0;) {
        const struct reading *next = i + 1 < count ? &readings[i + 1] : NULL;

        readings[i].until_ns = !next ? UINT64_MAX
                               : same_holder(graph, next->record, readings[i].record)
                                   ? next->until_ns
                                   : next->time_ns;
    }
    return count;
}

static void note_end(const struct wait_graph *graph, struct wait_node *node,
                     const struct wait_record *record)
{
    const struct span *span = wait_graph_record_span(graph, record);

    if (span == wait_graph_last(graph, record->thread)) {
        node->end_span = span;
        node->end_owner = record->owner;
    }
}

enum status wait_holds_collect(const struct wait_graph *graph, struct wait_node *node, size_t first,
                               size_t last, struct stretches *holds)
{
    struct reading *readings = calloc((last - first) * 2 + 1, sizeof(*readings));
    size_t count = readings ? collect_readings(graph, first, last, readings) : 0;
    enum status status = readings ? STATUS_OK : STATUS_NO_MEMORY;

    holds->count = 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct reading *reading = &readings[i];
        const struct wait_record *record = reading->record;
        const struct span *span = wait_graph_record_span(graph, record);
        const struct wait *wait = wait_graph_wait(graph, span);
        uint64_t end_ns = wait_graph_waited(graph, record->thread, record->span).end_ns;
        struct stretch stretch = {
            .start_ns = reading->time_ns,
            .node = record->node,
            .thread = record->owner,
            .wait = span->wait,
            .waiter = record->thread,
            .take_chain = HISTORY_NONE,
            .inferred = wait->owner_evidence == WAIT_INFERRED,
        };

        end_ns = end_ns < reading->until_ns ? end_ns : reading->until_ns;
        stretch.end_ns = end_ns > stretch.start_ns ? end_ns : stretch.start_ns;
        note_end(graph, node, record);
        if (record->owner == HISTORY_NONE && (wait->doubt || (!wait->owner_tid && !wait->readers)))
            continue;
        if (record->owner != HISTORY_NONE)
            note_owner(graph, record, first, last, &stretch);
        status = stretches_add(holds, stretch);
    }
    free(readings);
    return status;
}

/*
 * Adds the owner's chains from one time to another, without spans in which it waited for the object
 * itself, and so did not hold it. If both times are equal: the span at that time.
 */
static enum status add_owner_spans(const struct wait_graph *graph, const struct stretch *hold,
                                   uint64_t from_ns, uint64_t to_ns, struct chain_times *times)
{
    const struct history_thread *owner = &graph->history->threads[hold->thread];
    const struct span *end = owner->spans + owner->span_count;
    const struct span *span = owner->spans + wait_graph_spans_before(owner, from_ns);
    enum status status = STATUS_OK;

    if (span > owner->spans)
        span--; /* the span at from_ns */
    for (; span < end && (span->start_ns < to_ns || span->start_ns <= from_ns); span++) {
        const struct wait *wait = wait_graph_wait(graph, span);
        uint64_t start = span->start_ns > from_ns ? span->start_ns : from_ns;
        uint64_t stop = span->end_ns < to_ns ? span->end_ns : to_ns;

        if (stop < start ||
            (wait && !hold->by_itself && wait->object == graph->nodes[hold->node].object))
            continue;
        status = chain_times_add(times, span->chain, stop - start);
        if (status != STATUS_OK)
            break;
    }
    return status;
}

enum status wait_holds_chain(const struct wait_graph *graph, const struct stretch *list,
                             size_t count, uint32_t *chain)
{
    struct chain_times times = {0};
    enum status status = STATUS_OK;
    uint64_t end = 0;

    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        uint64_t from = i > 0 && list[i].start_ns < end ? end : list[i].start_ns;

        if (i > 0 && list[i].end_ns <= end)
            continue;
        status = add_owner_spans(graph, &list[i], from, list[i].end_ns, &times);
        end = list[i].end_ns;
    }
    *chain = times.count ? chain_times_heaviest(times.list, times.count).chain : HISTORY_NONE;
    free(times.list);
    return status;
}
