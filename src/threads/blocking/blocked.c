/* SPDX-License-Identifier: MIT */
#include "threads/blocking/blocked.h"

#include <stdlib.h>

static int compare_blocked(const void *a, const void *b)
{
    const struct blocked *ba = a, *bb = b;

    if (ba->process != bb->process)
        return ba->process < bb->process ? -1 : 1;
    if (ba->wait != bb->wait)
        return ba->wait < bb->wait ? -1 : 1;
    if (ba->chain != bb->chain)
        return ba->chain < bb->chain ? -1 : 1;
    if (ba->owner != bb->owner)
        return ba->owner < bb->owner ? -1 : 1;
    return ba->thread < bb->thread ? -1 : ba->thread > bb->thread;
}

static int compare_first(const void *a, const void *b)
{
    const struct blocked *ba = a, *bb = b;

    return ba->thread < bb->thread ? -1 : ba->thread > bb->thread;
}

/* Takes wait and owner from the waiter that was the last to read the object's owner. */
static void note_owner(const struct wait_graph *graph, struct blocked *b)
{
    const struct wait *waits = graph->history->waits->list;
    uint32_t node = wait_graph_node(graph, b->process, waits[b->wait].object);
    const struct span *end = node == WAIT_GRAPH_NONE ? NULL : graph->nodes[node].end_span;

    if (!end || waits[end->wait].kind != waits[b->wait].kind)
        return;
    /* Between two owners there is none, which is not worth telling, unless there are readers. */
    if (graph->nodes[node].end_owner == HISTORY_NONE && !waits[end->wait].readers)
        return;
    b->wait = end->wait;
    b->owner = graph->nodes[node].end_owner;
}

/* Joins sorted entries that are alike. */
static void join(struct blocked_list *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct blocked *one = &out->list[i];
        struct blocked *group = out->count ? &out->list[out->count - 1] : NULL;

        out->members[i] = (struct blocked_member){.thread = one->thread, .since_ns = one->since_ns};
        if (group && group->process == one->process && group->wait == one->wait &&
            group->chain == one->chain && group->owner == one->owner) {
            group->count++;
            if (one->since_ns < group->since_ns)
                group->since_ns = one->since_ns;
        } else {
            out->list[out->count] = *one;
            out->list[out->count++].first_member = (uint32_t)i;
        }
    }
}

void blocked_list_deinit(struct blocked_list *list)
{
    free(list->list);
    free(list->members);
}

enum status blocked_find(const struct wait_graph *graph, const struct deadlocks *deadlocks,
                         const struct graph_filter *filter, struct blocked_list *out)
{
    const struct history *history = graph->history;
    struct blocked *list = calloc(history->thread_count + 1, sizeof(*list));
    const bool has_times = history_has_times(history);
    size_t found = 0;

    *out =
        (struct blocked_list){.list = list,
                              .members = calloc(history->thread_count + 1, sizeof(*out->members))};
    if (!out->list || !out->members)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < history->thread_count; i++) {
        const struct history_thread *thread = &history->threads[i];
        const struct span *span = wait_graph_last(graph, i);

        if (!span || !wait_is_for_threads(history->waits->list[span->wait].kind) ||
            (filter && !graph_filter_thread(filter, thread->tid, thread->name ? thread->name : "")))
            continue;
        list[found++] = (struct blocked){.thread = i,
                                         .process = thread->process,
                                         .chain = span->chain,
                                         .wait = span->wait,
                                         .owner = deadlocks->owner[i],
                                         .count = 1,
                                         .since_ns = wait_graph_since(graph, i)};
        if (has_times)
            note_owner(graph, &list[found - 1]);
    }
    qsort(list, found, sizeof(*list), compare_blocked);
    join(out, found);
    qsort(list, out->count, sizeof(*list), compare_first);
    return STATUS_OK;
}

bool blocked_always(const struct wait_graph *graph, const struct blocked *b)
{
    const struct history_thread *thread = &graph->history->threads[b->thread];

    return history_has_times(graph->history) && b->count == 1 && thread->found_running &&
           b->since_ns == thread->spans[0].start_ns;
}
