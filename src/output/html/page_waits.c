/* SPDX-License-Identifier: MIT */
#include "output/html/page_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "output/html/page_text.h"
#include "threads/blocking/blocked.h"

void page_wait_list_deinit(struct page_wait_list *waits)
{
    map_deinit(&waits->number);
    free(waits->list);
    *waits = (struct page_wait_list){.list = NULL};
}

enum status page_wait_list_find(struct page_wait_list *waits, uint32_t thread, uint32_t wait,
                                uint32_t *number)
{
    uint64_t *place = map_put(&waits->number, wait, waits->count);

    if (!place ||
        vec_reserve(&waits->list, &waits->cap, waits->count + 1, sizeof(*waits->list)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *number = (uint32_t)*place;
    if (*place == waits->count)
        waits->list[waits->count++] = (struct page_wait){.wait = wait, .thread = thread};
    return STATUS_OK;
}

void page_waits_put_thread(const struct page_waits *waits, struct json_line *line, const char *key,
                           uint32_t thread)
{
    const uint32_t number =
        thread == HISTORY_NONE ? PAGE_NONE : page_threads_of(waits->threads, thread);

    if (number != PAGE_NONE)
        json_line_put(line, key, json_integer(number));
}

/* Returns the last thread of the process with the tid; HISTORY_NONE: none. */
static uint32_t owner_of(const struct map *by_tid, uint32_t pid, uint32_t tid)
{
    const uint64_t *found = tid ? map_get(by_tid, (uint64_t)pid << 32 | tid) : NULL;

    return found ? (uint32_t)*found : HISTORY_NONE;
}

/*
 * Returns, by wait of the history, its object of the page, from the graph's records: nodes of
 * joined threads are not found by their objects. The caller frees it.
 */
static uint32_t *find_objects(const struct page_waits *waits)
{
    const struct wait_graph *graph = waits->found->graph;
    const size_t count = graph->history->waits ? graph->history->waits->count : 0;
    uint32_t *object_of = malloc((count + 1) * sizeof(*object_of));

    if (!object_of)
        return NULL;
    memset(object_of, 0xff, (count + 1) * sizeof(*object_of));
    for (size_t i = 0; i < graph->record_count; i++) {
        const struct wait_record *record = &graph->records[i];
        const uint32_t wait = wait_graph_record_span(graph, record)->wait;

        if (wait < count && record->node < PAGE_OBJECTS_MAX)
            object_of[wait] = record->node;
    }
    return object_of;
}

static void put_wait(const struct page_waits *waits, const struct map *by_tid, uint32_t object,
                     const struct page_wait *which, struct json_line *line)
{
    const struct history *history = waits->output->history;
    const struct wait *wait = &history->waits->list[which->wait];
    const struct timeline_piece piece = {.wait = which->wait};

    json_line_put(line, "kind", json_string(wait_kind_name(wait->kind)));
    json_line_put(line, "group", json_string(page_waits_group(wait->kind)));
    if (wait->kind_evidence == WAIT_INFERRED)
        json_line_put(line, "kind_inferred", json_true());
    if (object != PAGE_NONE)
        json_line_put(line, "object", json_integer(object));
    page_waits_put_thread(waits, line, "owner",
                          owner_of(by_tid, history->threads[which->thread].pid, wait->owner_tid));
    page_put_number(line, "owner_tid", wait->owner_tid);
    if (wait->owner_tid && wait->owner_evidence == WAIT_INFERRED)
        json_line_put(line, "owner_inferred", json_true());
    page_put_number(line, "readers", wait->readers);
    page_put_taken(line, "text", timeline_wait_text(waits->found->made.timeline, &piece));
    page_put_text(line, "doubt", wait->doubt);
}

static enum status put_waits(const struct page_waits *waits, struct json_line *head)
{
    const struct history *history = waits->output->history;
    struct map by_tid = {0};
    json_t *list = json_array();
    uint32_t *object_of = find_objects(waits);
    enum status status = object_of ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 0; i < history->thread_count && status == STATUS_OK; i++) {
        const struct history_thread *thread = &history->threads[i];
        uint64_t *last = map_put(&by_tid, (uint64_t)thread->pid << 32 | thread->tid, i);

        if (last)
            *last = i;
        else
            status = STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < waits->list->count && status == STATUS_OK; i++) {
        struct json_line line = json_line_begin(NULL);

        put_wait(waits, &by_tid, object_of[waits->list->list[i].wait], &waits->list->list[i],
                 &line);
        page_append_line(head, list, &line);
    }
    map_deinit(&by_tid);
    free(object_of);
    json_line_put(head, "waits", list);
    return status;
}

/* Puts the threads of an entry, each with the time since which it waits. */
static void put_members(const struct page_waits *waits, const struct blocked *b,
                        const struct blocked_member *members, struct json_line *line)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < b->count; i++) {
        const struct blocked_member *member = &members[b->first_member + i];
        struct json_line one = json_line_begin(NULL);

        page_waits_put_thread(waits, &one, "thread", member->thread);
        json_line_put(&one, "since_ns",
                      json_of_number(history_since_zero(waits->output->history, b->process,
                                                        member->since_ns)));
        page_append_line(line, list, &one);
    }
    json_line_put(line, "members", list);
}

static enum status put_one_blocked(const struct page_waits *waits, const struct blocked *b,
                                   const struct blocked_member *members, struct json_line *line)
{
    const struct history *history = waits->output->history;
    const struct wait *wait = &history->waits->list[b->wait];
    uint32_t number;
    enum status status = page_wait_list_find(waits->list, b->thread, b->wait, &number);

    if (status != STATUS_OK)
        return status;
    page_waits_put_thread(waits, line, "thread", b->thread);
    page_put_taken(line, "text", wait_words_thread(&waits->found->words, b->thread));
    json_line_put(line, "count", json_of_number(b->count));
    json_line_put(line, "wait", json_integer(number));
    page_put_taken(line, "object_text",
                   wait_words_object(&waits->found->words, wait->kind, wait->object));
    page_waits_put_thread(waits, line, "owner", b->owner);
    page_put_taken(line, "holder", wait_words_holder(&waits->found->words, wait, b->owner));
    if (history_has_times(history)) {
        const uint64_t last_ns = history_last_ns(history, b->process);

        put_members(waits, b, members, line);
        json_line_put(line, "end_ns",
                      json_of_number(
                          history_since_zero(waits->output->history, b->process, last_ns)));
    }
    if (blocked_always(waits->found->graph, b))
        json_line_put(line, "always", json_true());
    page_put_chain(line, "chain", &waits->found->words, b->chain);
    return STATUS_OK;
}

static enum status put_blocked(const struct page_waits *waits, struct json_line *head)
{
    struct blocked_list found;
    json_t *list = json_array();
    enum status status =
        blocked_find(waits->found->graph, waits->found->deadlocks, waits->output->filter, &found);

    for (size_t i = 0; i < found.count && i < PAGE_BLOCKED_MAX && status == STATUS_OK; i++) {
        struct json_line line = json_line_begin(NULL);

        status = put_one_blocked(waits, &found.list[i], found.members, &line);
        page_append_line(head, list, &line);
    }
    json_line_put(head, "blocked", list);
    if (found.count > PAGE_BLOCKED_MAX)
        json_line_put(head, "blocked_left_out", json_of_number(found.count - PAGE_BLOCKED_MAX));
    blocked_list_deinit(&found);
    return status;
}

/* Puts when each object was held, by gaps between the times; none of an object if not all fit. */
static enum status put_episodes(const struct page_waits *waits, struct page_columns *columns)
{
    const struct wait_graph *graph = waits->found->graph;
    struct page_column *count = page_columns_add(columns, "object.holds", COLUMN_VARINT);
    struct page_column *gap = page_columns_add(columns, "hold.gap", COLUMN_VARINT);
    struct page_column *length = page_columns_add(columns, "hold.length", COLUMN_VARINT);
    struct page_column *owner = page_columns_add(columns, "hold.owner", COLUMN_VARINT);
    struct page_column *wait = page_columns_add(columns, "hold.wait", COLUMN_VARINT);
    struct page_column *inferred = page_columns_add(columns, "hold.inferred", COLUMN_U8);

    for (size_t i = 0; i < graph->node_count && i < PAGE_OBJECTS_MAX; i++) {
        const struct wait_node *node = &graph->nodes[i];
        const bool fits = gap->count + node->episode_count <= PAGE_HOLDS_MAX;
        uint64_t at_ns = 0;

        page_column_put(count, fits ? node->episode_count : 0);
        for (uint32_t e = 0; e < node->episode_count && fits; e++) {
            const struct hold_episode *hold = &graph->episodes[node->first_episode + e];
            const uint64_t start_ns =
                history_since_zero(waits->output->history, node->process, hold->start_ns);
            const uint64_t end_ns =
                history_since_zero(waits->output->history, node->process, hold->end_ns);
            const uint32_t thread = hold->owner == HISTORY_NONE
                                        ? PAGE_NONE
                                        : page_threads_of(waits->threads, hold->owner);
            uint32_t number;

            if (page_wait_list_find(waits->list, hold->waiter, hold->wait, &number) != STATUS_OK)
                return STATUS_NO_MEMORY;
            page_column_put(gap, start_ns - at_ns);
            page_column_put(length, end_ns - start_ns);
            page_column_put(owner, thread == PAGE_NONE ? 0 : (uint64_t)thread + 1);
            page_column_put(wait, number);
            page_column_put(inferred, hold->inferred);
            at_ns = end_ns;
        }
    }
    return STATUS_OK;
}

enum status page_waits_write(const struct page_waits *waits, struct json_line *head,
                             struct page_columns *columns)
{
    enum status status = put_blocked(waits, head);

    if (status == STATUS_OK)
        status = put_episodes(waits, columns);

    if (status == STATUS_OK)
        status = put_waits(waits, head);
    page_waits_put_objects(waits, head);
    if (status == STATUS_OK)
        status = page_waits_put_deadlocks(waits, head);
    page_waits_put_orders(waits, head);
    return status;
}
