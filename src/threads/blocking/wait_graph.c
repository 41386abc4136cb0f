/* SPDX-License-Identifier: MIT */
#include "threads/blocking/wait_graph.h"

#include <stdlib.h>

#include "base/search.h"
#include "base/vec.h"
#include "threads/blocking/wait_edges.h"

void wait_graph_destroy(struct wait_graph *graph)
{
    if (!graph)
        return;
    free(graph->nodes);
    free(graph->waits);
    free(graph->holds);
    free(graph->episodes);
    free(graph->records);
    free(graph->by_tid);
    free(graph->by_snapshot);
    map_deinit(&graph->by_object);
    map_deinit(&graph->by_join);
    map_deinit(&graph->joined);
    free(graph);
}

static uint64_t tid_key(uint32_t process, uint32_t tid)
{
    return (uint64_t)process << 32 | tid;
}

static enum status sort_threads(struct wait_graph *graph)
{
    const struct history *history = graph->history;
    enum status status;

    graph->by_tid = calloc(history->thread_count + 1, sizeof(*graph->by_tid));
    graph->by_snapshot = calloc(history->thread_count + 1, sizeof(*graph->by_snapshot));
    if (!graph->by_tid || !graph->by_snapshot)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < history->thread_count; i++) {
        const struct history_thread *thread = &history->threads[i];
        uint32_t snapshot = history->processes[thread->process].snapshot;

        graph->by_tid[i] =
            (struct sort_item){.key = tid_key(thread->process, thread->tid), .id = i};
        graph->by_snapshot[i] = (struct sort_item){.key = tid_key(snapshot, thread->tid), .id = i};
    }
    status = sort_items(graph->by_tid, history->thread_count);
    return status == STATUS_OK ? sort_items(graph->by_snapshot, history->thread_count) : status;
}

/* Returns the first of `items` with a greater key, or the same key and found after the time. */
static size_t find_later(const struct wait_graph *graph, const struct sort_item *items,
                         uint64_t key, uint64_t time_ns)
{
    const struct history_thread *threads = graph->history->threads;

    return SEARCH_FIRST(i, 0, graph->history->thread_count,
                        items[i].key < key ||
                            (items[i].key == key && threads[items[i].id].found_ns <= time_ns));
}

/* Returns the thread that had the key of `items` at a time, or HISTORY_NONE. */
static uint32_t find_thread(const struct wait_graph *graph, const struct sort_item *items,
                            uint64_t key, uint64_t time_ns)
{
    const struct history_thread *threads = graph->history->threads;
    size_t low = find_later(graph, items, key, time_ns);

    if (low > 0 && items[low - 1].key == key) {
        const struct history_thread *thread = &threads[items[low - 1].id];

        if (!thread->end_ns || thread->end_ns >= time_ns)
            return items[low - 1].id;
    }
    /* A lock may name a thread before it is found in its process. */
    return low < graph->history->thread_count && items[low].key == key ? items[low].id
                                                                       : HISTORY_NONE;
}

struct waited wait_graph_waited(const struct wait_graph *graph, uint32_t thread, size_t span)
{
    const struct span *found = &graph->history->threads[thread].spans[span];
    struct timeline_piece piece;

    if (!graph->timeline)
        return (struct waited){found->start_ns, found->end_ns, found->end_ns - found->start_ns};
    piece = timeline_waited(graph->timeline, thread, span);
    return (struct waited){piece.start_ns, piece.end_ns, timeline_waited_ns(&piece)};
}

size_t wait_graph_spans_before(const struct history_thread *thread, uint64_t time_ns)
{
    return SEARCH_FIRST(i, 0, thread->span_count, thread->spans[i].start_ns <= time_ns);
}

const struct span *wait_graph_span(const struct wait_graph *graph, uint32_t thread,
                                   uint64_t time_ns)
{
    const struct history_thread *t = &graph->history->threads[thread];
    size_t begun = wait_graph_spans_before(t, time_ns);

    return begun > 0 && t->spans[begun - 1].end_ns >= time_ns ? &t->spans[begun - 1] : NULL;
}

const struct span *wait_graph_last(const struct wait_graph *graph, uint32_t thread)
{
    const struct history_thread *t = &graph->history->threads[thread];

    if (t->end_ns || !t->span_count || t->spans[t->span_count - 1].wait == WAIT_NONE)
        return NULL;
    return &t->spans[t->span_count - 1];
}

uint32_t wait_graph_owner(const struct wait_graph *graph, uint32_t thread, const struct span *span)
{
    const struct wait *wait = wait_graph_wait(graph, span);
    uint32_t process = graph->history->threads[thread].process, found;

    if (!wait || !wait->owner_tid || wait->doubt)
        return HISTORY_NONE;
    found = find_thread(graph, graph->by_tid, tid_key(process, wait->owner_tid), span->seen_ns);
    if (found != HISTORY_NONE)
        return found;
    /* For locks shared by processes: the tid is the capture's, unique among all processes. */
    return find_thread(graph, graph->by_snapshot,
                       tid_key(graph->history->processes[process].snapshot, wait->owner_tid),
                       span->seen_ns);
}

uint64_t wait_graph_since(const struct wait_graph *graph, uint32_t thread)
{
    const struct history_thread *t = &graph->history->threads[thread];
    size_t i = t->span_count - 1;

    while (i > 0) {
        const struct span *span = &t->spans[i], *before = &t->spans[i - 1];
        const struct wait *wait = wait_graph_wait(graph, span),
                          *earlier = wait_graph_wait(graph, before);

        if (!span->goes_on || !wait || !earlier || earlier->object != wait->object)
            break;
        i--;
    }
    return t->spans[i].start_ns;
}

static uint64_t object_key(uint32_t process, uint32_t object)
{
    return (uint64_t)process << 32 | object;
}

uint32_t wait_graph_node(const struct wait_graph *graph, uint32_t process, uint32_t object)
{
    const uint64_t *place = map_get(&graph->by_object, object_key(process, object));

    return place ? (uint32_t)*place : WAIT_GRAPH_NONE;
}

/* Sets *out to the node of a key in a map, adding `node` if there is none. */
static enum status find_node(struct wait_graph *graph, struct map *map, uint64_t key,
                             struct wait_node node, uint32_t *out)
{
    uint64_t *place = map_put(map, key, WAIT_GRAPH_NONE);

    if (!place)
        return STATUS_NO_MEMORY;
    if (*place == WAIT_GRAPH_NONE) {
        if (graph->node_count >= WAIT_GRAPH_NONE ||
            vec_reserve(&graph->nodes, &graph->node_cap, graph->node_count + 1,
                        sizeof(*graph->nodes)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        *place = graph->node_count;
        graph->nodes[graph->node_count++] = node;
    }
    *out = (uint32_t)*place;
    return STATUS_OK;
}

/* Returns the last thread with the tid up to a time, ended or not, or HISTORY_NONE. */
static uint32_t last_thread(const struct wait_graph *graph, uint32_t process, uint32_t tid,
                            uint64_t time_ns)
{
    const uint64_t key = tid_key(process, tid);
    size_t later = find_later(graph, graph->by_tid, key, time_ns);

    return later > 0 && graph->by_tid[later - 1].key == key ? graph->by_tid[later - 1].id
                                                            : HISTORY_NONE;
}

/*
 * Returns the thread that was joined in a span, if it has ended and the wait is over; HISTORY_NONE
 * otherwise. A waiter without a CPU may be found waiting even after the end.
 */
static uint32_t joined_thread(const struct wait_graph *graph, uint32_t thread,
                              const struct span *span)
{
    const struct history_thread *threads = graph->history->threads;
    const struct span *last = wait_graph_last(graph, thread);
    const struct wait *wait = wait_graph_wait(graph, span);
    uint32_t joined;

    if (!graph->identities || wait->kind != WAIT_JOIN || !wait->owner_tid ||
        (last && wait_graph_wait(graph, last)->object == wait->object))
        return HISTORY_NONE;
    joined = last_thread(graph, threads[thread].process, wait->owner_tid, span->start_ns);
    return joined != HISTORY_NONE && threads[joined].end_ns ? joined : HISTORY_NONE;
}

static enum status find_join(struct wait_graph *graph, uint32_t thread, uint32_t joined,
                             struct wait_node node, uint32_t *out)
{
    uint64_t *known;
    enum status status;

    node.identity = graph->identities->of_thread[joined];
    status = find_node(graph, &graph->by_join, (uint64_t)thread << 32 | node.identity, node, out);
    if (status != STATUS_OK)
        return status;
    known = map_put(&graph->joined, (uint64_t)*out << 32 | joined, 0);
    if (!known)
        return STATUS_NO_MEMORY;
    graph->nodes[*out].joined += !*known;
    *known = 1;
    return STATUS_OK;
}

static enum status add_record(struct wait_graph *graph, uint32_t thread, uint32_t span)
{
    const struct history_thread *t = &graph->history->threads[thread];
    const struct wait *wait = wait_graph_wait(graph, &t->spans[span]);
    struct wait_node fresh = {.process = t->process};
    uint32_t node, joined;
    enum status status;

    if (!wait || wait->object == WAIT_NONE)
        return STATUS_OK;
    fresh.object = wait->object;
    joined = joined_thread(graph, thread, &t->spans[span]);
    status = joined != HISTORY_NONE ? find_join(graph, thread, joined, fresh, &node)
                                    : find_node(graph, &graph->by_object,
                                                object_key(t->process, wait->object), fresh, &node);
    if (status == STATUS_OK)
        status = vec_reserve(&graph->records, &graph->record_cap, graph->record_count + 1,
                             sizeof(*graph->records));
    if (status == STATUS_OK)
        graph->records[graph->record_count++] =
            (struct wait_record){.node = node,
                                 .thread = thread,
                                 .span = span,
                                 .owner = wait_graph_owner(graph, thread, &t->spans[span])};
    return status;
}

/* By waiting time, then number of records, process and object. */
static int compare_nodes(const void *a, const void *b, void *context)
{
    const struct wait_graph *graph = context;
    const struct wait_node *na = &graph->nodes[*(const uint32_t *)a];
    const struct wait_node *nb = &graph->nodes[*(const uint32_t *)b];

    if (na->wait_ns != nb->wait_ns)
        return na->wait_ns > nb->wait_ns ? -1 : 1;
    if (na->wait_count != nb->wait_count) /* still counts records */
        return na->wait_count > nb->wait_count ? -1 : 1;
    return na->process != nb->process ? (na->process < nb->process ? -1 : 1)
           : na->object < nb->object  ? -1
                                      : na->object > nb->object;
}

static enum status order_nodes(struct wait_graph *graph)
{
    uint32_t *order = calloc(graph->node_count + 1, sizeof(*order));
    uint32_t *place = calloc(graph->node_count + 1, sizeof(*place));
    struct wait_node *nodes = calloc(graph->node_count + 1, sizeof(*nodes));
    enum status status = order && place && nodes ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 0; i < graph->record_count && status == STATUS_OK; i++) {
        const struct wait_record *record = &graph->records[i];
        struct wait_node *node = &graph->nodes[record->node];

        node->wait_ns =
            weight_add(node->wait_ns, wait_graph_waited(graph, record->thread, record->span).ns);
        node->wait_count++;
    }
    if (status == STATUS_OK) {
        for (uint32_t i = 0; i < graph->node_count; i++)
            order[i] = i;
        qsort_r(order, graph->node_count, sizeof(*order), compare_nodes, graph);
        for (uint32_t i = 0; i < graph->node_count; i++) {
            place[order[i]] = i;
            nodes[i] = graph->nodes[order[i]];
            nodes[i].wait_count = 0;
        }
        for (size_t i = 0; i < graph->record_count; i++)
            graph->records[i].node = place[graph->records[i].node];
        free(graph->nodes);
        graph->nodes = nodes;
        graph->node_cap = graph->node_count + 1;
        nodes = NULL;
        for (uint32_t i = 0; i < graph->node_count; i++)
            if (!graph->nodes[i].joined)
                *map_get(&graph->by_object,
                         object_key(graph->nodes[i].process, graph->nodes[i].object)) = i;
    }
    free(order);
    free(place);
    free(nodes);
    return status;
}

/* Sorts stably by node: records were added thread by thread, in the order of time. */
static enum status sort_records(struct wait_graph *graph)
{
    struct sort_item *items = calloc(graph->record_count + 1, sizeof(*items));
    struct wait_record *sorted = calloc(graph->record_count + 1, sizeof(*sorted));
    enum status status = items && sorted ? STATUS_OK : STATUS_NO_MEMORY;

    if (status == STATUS_OK) {
        for (uint32_t i = 0; i < graph->record_count; i++)
            items[i] = (struct sort_item){.key = graph->records[i].node, .id = i};
        status = sort_items(items, graph->record_count);
    }
    if (status == STATUS_OK) {
        for (size_t i = 0; i < graph->record_count; i++)
            sorted[i] = graph->records[items[i].id];
        free(graph->records);
        graph->records = sorted;
        graph->record_cap = graph->record_count + 1;
        sorted = NULL;
    }
    free(items);
    free(sorted);
    return status;
}

static enum status collect_records(struct wait_graph *graph)
{
    const struct history *history = graph->history;
    enum status status = STATUS_OK;

    for (uint32_t t = 0; t < history->thread_count; t++)
        for (uint32_t i = 0; i < history->threads[t].span_count && status == STATUS_OK; i++)
            status = add_record(graph, t, i);
    if (status == STATUS_OK)
        status = order_nodes(graph);
    return status == STATUS_OK ? sort_records(graph) : status;
}

static enum status build(struct wait_graph *graph)
{
    struct stretches waits = {0}, holds = {0};
    enum status status = sort_threads(graph);

    if (status == STATUS_OK)
        status = collect_records(graph);
    for (size_t i = 0, end; i < graph->record_count && status == STATUS_OK; i = end) {
        for (end = i;
             end < graph->record_count && graph->records[end].node == graph->records[i].node;)
            end++;
        status = wait_edges_add(graph, i, end, &waits, &holds);
    }
    free(waits.list);
    free(holds.list);
    return status;
}

enum status wait_graph_create(const struct history *history, const struct identities *identities,
                              const struct timeline *timeline, struct wait_graph **out)
{
    struct wait_graph *graph = calloc(1, sizeof(*graph));
    enum status status = graph ? STATUS_OK : STATUS_NO_MEMORY;

    *out = NULL;
    if (status == STATUS_OK) {
        graph->history = history;
        graph->identities = identities;
        graph->has_times = history_has_times(history);
        graph->timeline = graph->has_times ? timeline : NULL;
        status = build(graph);
    }
    if (status != STATUS_OK) {
        wait_graph_destroy(graph);
        return status;
    }
    *out = graph;
    return STATUS_OK;
}
