#include "threads/blocking/wait_graph.h"

#include <stdlib.h>

#include "base/vec.h"
#include "threads/blocking/wait_stretch.h"

void wait_graph_destroy(struct wait_graph *graph)
{
    if (!graph)
        return;
    free(graph->nodes);
    free(graph->waits);
    free(graph->holds);
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

/* In `items` the first whose number is greater, or which was found later than that. */
static size_t find_later(const struct wait_graph *graph, const struct sort_item *items,
                         uint64_t key, uint64_t time_ns)
{
    const struct history_thread *threads = graph->history->threads;
    size_t low = 0, high = graph->history->thread_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sort_item *item = &items[middle];

        if (item->key < key || (item->key == key && threads[item->id].found_ns <= time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of the threads that have this key in `items` the one that had it at a time, or HISTORY_NONE. */
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
    /* A lock may name a thread before its process's list of threads has it. */
    return low < graph->history->thread_count && items[low].key == key ? items[low].id
                                                                       : HISTORY_NONE;
}

uint32_t wait_graph_thread(const struct wait_graph *graph, uint32_t process, uint32_t tid,
                           uint64_t time_ns)
{
    return find_thread(graph, graph->by_tid, tid_key(process, tid), time_ns);
}

/* Those that have begun by then. */
static size_t spans_before(const struct history_thread *t, uint64_t time_ns)
{
    size_t low = 0, high = t->span_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (t->spans[middle].start_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct span *wait_graph_span(const struct wait_graph *graph, uint32_t thread,
                                   uint64_t time_ns)
{
    const struct history_thread *t = &graph->history->threads[thread];
    size_t begun = spans_before(t, time_ns);

    return begun > 0 && t->spans[begun - 1].end_ns >= time_ns ? &t->spans[begun - 1] : NULL;
}

const struct span *wait_graph_last(const struct wait_graph *graph, uint32_t thread)
{
    const struct history_thread *t = &graph->history->threads[thread];

    if (t->end_ns || !t->span_count || t->spans[t->span_count - 1].wait == WAIT_NONE)
        return NULL;
    return &t->spans[t->span_count - 1];
}

static const struct wait *wait_of(const struct wait_graph *graph, const struct span *span)
{
    return span->wait == WAIT_NONE ? NULL : &graph->history->waits->list[span->wait];
}

uint32_t wait_graph_owner(const struct wait_graph *graph, uint32_t thread, const struct span *span)
{
    const struct wait *wait = wait_of(graph, span);
    uint32_t process = graph->history->threads[thread].process, found;

    if (!wait || !wait->owner_tid || wait->doubt)
        return HISTORY_NONE;
    found = wait_graph_thread(graph, process, wait->owner_tid, span->seen_ns);
    if (found != HISTORY_NONE)
        return found;
    /* Of a lock that processes share; the tid is that of the capture, which is one for them all. */
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
        const struct wait *wait = wait_of(graph, span), *earlier = wait_of(graph, before);

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

/* The node that a map has for a key; a new one is as `node` says. */
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

/* The thread that had this tid last at a time, be it that it has ended before; or HISTORY_NONE. */
static uint32_t last_thread(const struct wait_graph *graph, uint32_t process, uint32_t tid,
                            uint64_t time_ns)
{
    const uint64_t key = tid_key(process, tid);
    size_t later = find_later(graph, graph->by_tid, key, time_ns);

    return later > 0 && graph->by_tid[later - 1].key == key ? graph->by_tid[later - 1].id
                                                            : HISTORY_NONE;
}

/*
 * The thread for whose end another waited, if it has come and is waited for no more; HISTORY_NONE.
 * The one that waits may have been found so after that, before it got a CPU.
 */
static uint32_t joined_thread(const struct wait_graph *graph, uint32_t thread,
                              const struct span *span)
{
    const struct history_thread *threads = graph->history->threads;
    const struct span *last = wait_graph_last(graph, thread);
    const struct wait *wait = wait_of(graph, span);
    uint32_t joined;

    if (!graph->identities || wait->kind != WAIT_JOIN || !wait->owner_tid ||
        (last && wait_of(graph, last)->object == wait->object))
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
    const struct wait *wait = wait_of(graph, &t->spans[span]);
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

static const struct span *span_of(const struct wait_graph *graph, const struct wait_record *record)
{
    return &graph->history->threads[record->thread].spans[record->span];
}

/* What was lost at each node, and where it comes in the order. */
static int compare_nodes(const void *a, const void *b, void *context)
{
    const struct wait_graph *graph = context;
    const struct wait_node *na = &graph->nodes[*(const uint32_t *)a];
    const struct wait_node *nb = &graph->nodes[*(const uint32_t *)b];

    if (na->wait_ns != nb->wait_ns)
        return na->wait_ns > nb->wait_ns ? -1 : 1;
    if (na->wait_count != nb->wait_count) /* so far: records */
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
        struct wait_node *node = &graph->nodes[graph->records[i].node];
        const struct span *span = span_of(graph, &graph->records[i]);

        node->wait_ns = weight_add(node->wait_ns, span->end_ns - span->start_ns);
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

/* They were added thread by thread in the order of time, which stays within a node. */
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

/*
 * The last chain in which `thread` waited for the node before `time_ns`: where it took it, when it
 * has it then. Its records are those in [first, last).
 */
static uint32_t find_take_chain(const struct wait_graph *graph, size_t first, size_t last,
                                uint32_t thread, uint64_t time_ns)
{
    size_t low = first, high = last;
    const struct wait_record *record;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct wait_record *at = &graph->records[middle];

        if (at->thread < thread || (at->thread == thread && span_of(graph, at)->end_ns <= time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    record = low > first ? &graph->records[low - 1] : NULL;
    return record && record->thread == thread ? span_of(graph, record)->chain : HISTORY_NONE;
}

/* Where the owner took the object. One that was last seen waiting for it has got it since. */
static void note_owner(const struct wait_graph *graph, const struct wait_record *record,
                       size_t first, size_t last, struct stretch *stretch)
{
    const struct span *owners = wait_graph_span(graph, record->owner, stretch->start_ns);
    const struct wait *wait = owners ? wait_of(graph, owners) : NULL;

    stretch->thread = record->owner;
    stretch->by_itself = record->owner == record->thread;
    if (!graph->has_times)
        return;
    if (!wait || stretch->by_itself || wait->object != graph->nodes[record->node].object)
        stretch->take_chain = find_take_chain(graph, first, last, record->owner, stretch->start_ns);
    else
        stretch->take_chain = owners->chain;
}

/* The records that follow one another are of one wait. */
static bool goes_on(const struct wait_graph *graph, const struct wait_record *record)
{
    return span_of(graph, record)->goes_on && record > graph->records &&
           record[-1].node == record->node && record[-1].thread == record->thread &&
           record[-1].span + 1 == record->span;
}

static enum status collect_waits(const struct wait_graph *graph, size_t first, size_t last,
                                 struct stretches *waits)
{
    enum status status = STATUS_OK;

    waits->count = 0;
    for (size_t i = first; i < last && status == STATUS_OK; i++) {
        const struct wait_record *record = &graph->records[i];
        const struct span *span = span_of(graph, record);
        const struct stretch stretch = {.start_ns = span->start_ns,
                                        .end_ns = span->end_ns,
                                        .seen_ns = span->seen_ns,
                                        .node = record->node,
                                        .thread = record->thread,
                                        .wait = span->wait,
                                        .chain = span->chain,
                                        .take_chain = HISTORY_NONE,
                                        .goes_on = goes_on(graph, record)};

        status = stretches_add(waits, stretch);
    }
    return status;
}

/* A waiter looked who holds the object. */
struct reading {
    uint64_t time_ns;
    uint64_t until_ns; /* the next that found another, or nobody */
    const struct wait_record *record;
};

static int compare_readings(const void *a, const void *b)
{
    const struct reading *ra = a, *rb = b;

    if (ra->time_ns != rb->time_ns)
        return ra->time_ns < rb->time_ns ? -1 : 1;
    return ra->record < rb->record ? -1 : ra->record > rb->record;
}

/* Each record has been read first and last with the same outcome; `readings` has room for both. */
static size_t collect_readings(const struct wait_graph *graph, size_t first, size_t last,
                               struct reading *readings)
{
    size_t count = 0;

    for (size_t i = first; i < last; i++) {
        const struct wait_record *record = &graph->records[i];
        const struct span *span = span_of(graph, record);

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

        readings[i].until_ns = !next                                              ? UINT64_MAX
                               : next->record->owner == readings[i].record->owner ? next->until_ns
                                                                                  : next->time_ns;
    }
    return count;
}

static void note_end(const struct wait_graph *graph, struct wait_node *node,
                     const struct wait_record *record)
{
    const struct span *span = span_of(graph, record);

    if (span == wait_graph_last(graph, record->thread)) {
        node->end_span = span;
        node->end_owner = record->owner;
    }
}

/* An object has one owner at a time: the one that was read last, by whichever waiter. */
static enum status collect_holds(const struct wait_graph *graph, struct wait_node *node,
                                 size_t first, size_t last, struct stretches *holds)
{
    struct reading *readings = calloc((last - first) * 2 + 1, sizeof(*readings));
    size_t count = readings ? collect_readings(graph, first, last, readings) : 0;
    enum status status = readings ? STATUS_OK : STATUS_NO_MEMORY;

    holds->count = 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct reading *reading = &readings[i];
        const struct span *span = span_of(graph, reading->record);
        uint64_t end_ns = span->end_ns < reading->until_ns ? span->end_ns : reading->until_ns;
        struct stretch stretch = {
            .start_ns = reading->time_ns,
            .end_ns = end_ns > reading->time_ns ? end_ns : reading->time_ns,
            .node = reading->record->node,
            .take_chain = HISTORY_NONE,
            .inferred = wait_of(graph, span)->owner_evidence == WAIT_INFERRED,
        };

        note_end(graph, node, reading->record);
        if (reading->record->owner == HISTORY_NONE)
            continue;
        note_owner(graph, reading->record, first, last, &stretch);
        status = stretches_add(holds, stretch);
    }
    free(readings);
    return status;
}

/*
 * What the owner did from one time to another; where it waited for the object itself it was not the
 * owner yet, or no more. Of one moment: the span that it was in.
 */
static enum status add_owner_spans(const struct wait_graph *graph, const struct stretch *hold,
                                   uint64_t from_ns, uint64_t to_ns, struct chain_times *times)
{
    const struct history_thread *owner = &graph->history->threads[hold->thread];
    const struct span *end = owner->spans + owner->span_count;
    const struct span *span = owner->spans + spans_before(owner, from_ns);
    enum status status = STATUS_OK;

    if (span > owner->spans)
        span--; /* the one that it was in then */
    for (; span < end && (span->start_ns < to_ns || span->start_ns <= from_ns); span++) {
        const struct wait *wait = wait_of(graph, span);
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

/* The chain in which the owner was longest while others waited, each moment counted once. */
static enum status find_owner_span(const struct wait_graph *graph, const struct stretch *list,
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

static enum status add_wait_edge(struct wait_graph *graph, const struct stretch *list, size_t count,
                                 struct chain_time *times)
{
    const struct span *last = wait_graph_last(graph, list->thread);
    struct wait_edge edge = {.node = list->node, .thread = list->thread};
    struct chain_time chain;
    uint64_t one_ns = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t ns = list[i].end_ns - list[i].start_ns;

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
    edge.at_end = last && wait_of(graph, last)->object == graph->nodes[list->node].object;
    graph->nodes[list->node].waiters_end += edge.at_end;
    if (vec_reserve(&graph->waits, &graph->wait_cap, graph->wait_count + 1, sizeof(edge)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    graph->waits[graph->wait_count++] = edge;
    return STATUS_OK;
}

static enum status add_hold_edge(struct wait_graph *graph, const struct stretch *list, size_t count,
                                 struct chain_time *times)
{
    struct hold_edge edge = {.node = list->node,
                             .thread = list->thread,
                             .held_ns = stretches_covered(list, count),
                             .inferred = true};

    for (size_t i = 0; i < count; i++) {
        times[i] = (struct chain_time){.chain = list[i].take_chain};
        edge.inferred &= list[i].inferred;
    }
    edge.take_chain = chain_times_heaviest(times, count).chain;
    if (find_owner_span(graph, list, count, &edge.chain) != STATUS_OK ||
        vec_reserve(&graph->holds, &graph->hold_cap, graph->hold_count + 1, sizeof(edge)) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    graph->holds[graph->hold_count++] = edge;
    return STATUS_OK;
}

/* One edge for each thread of the list. */
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
 * Until when it was seen to wait: what comes until the thread is found otherwise is not, and may be
 * that it has what it waited for. What was seen at one moment alone lasts that moment.
 */
static uint64_t seen_end(const struct stretches *waits, size_t i)
{
    const struct stretch *wait = &waits->list[i];
    bool goes_on = i + 1 < waits->count && waits->list[i + 1].goes_on;
    uint64_t end_ns = goes_on ? wait->end_ns : wait->seen_ns;

    return end_ns > wait->start_ns ? end_ns : wait->start_ns + 1;
}

/* To the nearest: of waits that are shorter than the time between samples it is all that tells. */
static uint32_t mean_waiters(const struct wait_graph *graph, const struct wait_node *node)
{
    uint64_t half_ns = history_length_ns(graph->history) / 2;
    uint64_t halves = half_ns ? node->wait_ns / half_ns : 0;

    return halves / 2 <= graph->history->thread_count ? (uint32_t)((halves + 1) / 2) : 0;
}

/* Waits are in the order of threads, then time. Where nothing has times all is of one moment. */
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
        for (now++; ends[done] <= starts[i]; done++)
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

static enum status add_node_edges(struct wait_graph *graph, size_t first, size_t last,
                                  struct stretches *waits, struct stretches *holds)
{
    struct wait_node *node = &graph->nodes[graph->records[first].node];
    enum status status = collect_waits(graph, first, last, waits);

    node->first_wait = (uint32_t)graph->wait_count;
    node->first_hold = (uint32_t)graph->hold_count;
    if (status == STATUS_OK)
        status = collect_holds(graph, node, first, last, holds);
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
        status = add_node_edges(graph, i, end, &waits, &holds);
    }
    free(waits.list);
    free(holds.list);
    return status;
}

enum status wait_graph_create(const struct history *history, const struct identities *identities,
                              struct wait_graph **out)
{
    struct wait_graph *graph = calloc(1, sizeof(*graph));
    enum status status = graph ? STATUS_OK : STATUS_NO_MEMORY;

    *out = NULL;
    if (status == STATUS_OK) {
        graph->history = history;
        graph->identities = identities;
        graph->has_times = history_has_times(history);
        status = build(graph);
    }
    if (status != STATUS_OK) {
        wait_graph_destroy(graph);
        return status;
    }
    *out = graph;
    return STATUS_OK;
}
