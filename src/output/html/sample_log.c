/* SPDX-License-Identifier: MIT */
#include "output/html/sample_log.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/sort.h"
#include "base/vec.h"

#define WIDTH_STEP 10

void sample_log_deinit(struct sample_log *log)
{
    free(log->list);
    free(log->last);
    *log = (struct sample_log){.list = NULL};
}

static void add_weights(uint64_t *sum, const uint64_t *weight)
{
    for (size_t i = 0; i < LOG_WEIGHTS; i++)
        sum[i] = weight_add(sum[i], weight[i]);
}

static bool is_same(const struct log_entry *a, const struct log_entry *b)
{
    return a->thread == b->thread && a->slot == b->slot && a->cell == b->cell &&
           a->state == b->state;
}

/* Joins equal neighbours of a sorted list. */
static size_t join_neighbours(struct log_entry *list, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (kept && is_same(&list[kept - 1], &list[i]))
            add_weights(list[kept - 1].weight, list[i].weight);
        else
            list[kept++] = list[i];
    }
    return kept;
}

static uint64_t what_of(const struct log_entry *entry)
{
    return (uint64_t)entry->cell << 8 | (entry->state & 0xff);
}

static uint64_t when_of(const struct log_entry *entry)
{
    return (uint64_t)entry->thread << 32 | entry->slot;
}

static bool is_before(const struct log_entry *a, const struct log_entry *b)
{
    return when_of(a) != when_of(b) ? when_of(a) < when_of(b) : what_of(a) <= what_of(b);
}

static bool is_sorted(const struct sample_log *log)
{
    for (size_t i = 1; i < log->count; i++)
        if (!is_before(&log->list[i - 1], &log->list[i]))
            return false;
    return true;
}

/* Sorts stably by one number, then by the other: by both in the end. */
static enum status sort(struct sample_log *log)
{
    struct sort_item *items;
    struct log_entry *sorted;
    enum status status;

    if (is_sorted(log))
        return STATUS_OK;
    items = malloc(log->count * sizeof(*items));
    sorted = malloc(log->count * sizeof(*sorted));
    status = items && sorted ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < log->count && status == STATUS_OK; i++)
        items[i] = (struct sort_item){.key = what_of(&log->list[i]), .id = (uint32_t)i};
    if (status == STATUS_OK)
        status = sort_items(items, log->count);
    for (size_t i = 0; i < log->count && status == STATUS_OK; i++)
        items[i].key = when_of(&log->list[items[i].id]);
    if (status == STATUS_OK)
        status = sort_items(items, log->count);
    for (size_t i = 0; i < log->count && status == STATUS_OK; i++)
        sorted[i] = log->list[items[i].id];
    free(items);
    if (status != STATUS_OK) {
        free(sorted);
        return status;
    }
    free(log->list);
    log->list = sorted;
    log->cap = log->count;
    return STATUS_OK;
}

enum status sample_log_join(struct sample_log *log)
{
    enum status status = sort(log);

    if (status == STATUS_OK)
        log->count = join_neighbours(log->list, log->count);
    return status;
}

static enum status widen(struct sample_log *log)
{
    enum status status;

    log->width_ns *= WIDTH_STEP;
    for (size_t i = 0; i < log->count; i++)
        log->list[i].slot /= WIDTH_STEP;
    status = sample_log_join(log);
    for (size_t i = 0; i < log->last_count; i++)
        log->last[i] = 0;
    for (size_t i = 0; i < log->count; i++)
        log->last[log->list[i].thread] = (uint32_t)i + 1;
    return status;
}

/* Whether there is more than one slot. */
static bool can_widen(const struct sample_log *log)
{
    for (size_t i = 0; i < log->count; i++)
        if (log->list[i].slot)
            return true;
    return false;
}

static enum status make_room(struct sample_log *log, uint64_t time_ns)
{
    enum status status = STATUS_OK;

    while (status == STATUS_OK && time_ns / log->width_ns > UINT32_MAX)
        status = widen(log);
    if (status != STATUS_OK || log->count < log->limit)
        return status;
    /* Frees half of the room: else every few samples all entries would be sorted. */
    while (status == STATUS_OK && log->count > log->limit / 2 && can_widen(log))
        status = widen(log);
    if (log->count > log->limit / 2)
        log->limit *= 2;
    return status;
}

static enum status note_thread(struct sample_log *log, uint32_t thread)
{
    if (vec_reserve(&log->last, &log->last_cap, (size_t)thread + 1, sizeof(*log->last)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    while (log->last_count <= thread)
        log->last[log->last_count++] = 0;
    return STATUS_OK;
}

enum status sample_log_append(struct sample_log *log, const struct log_entry *entry)
{
    if (log->count >= UINT32_MAX - 1 ||
        vec_reserve(&log->list, &log->cap, log->count + 1, sizeof(*log->list)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    log->list[log->count++] = *entry;
    return STATUS_OK;
}

enum status sample_log_add(struct sample_log *log, uint32_t thread, uint32_t cell, uint64_t time_ns,
                           const struct weights *weights)
{
    struct log_entry entry = {.thread = thread, .cell = cell};
    struct log_entry *last;
    enum status status = note_thread(log, thread);

    for (size_t i = 0; i < LOG_WEIGHTS; i++)
        entry.weight[i] = weights->value[i];
    if (!log->width_ns)
        log->width_ns = SAMPLE_LOG_WIDTH_NS;
    if (!log->limit)
        log->limit = SAMPLE_LOG_MAX;
    if (status == STATUS_OK)
        status = make_room(log, time_ns);
    if (status != STATUS_OK)
        return status;
    entry.slot = (uint32_t)(time_ns / log->width_ns);
    last = log->last[thread] ? &log->list[log->last[thread] - 1] : NULL;
    if (last && is_same(last, &entry)) {
        add_weights(last->weight, entry.weight);
        return STATUS_OK;
    }
    status = sample_log_append(log, &entry);
    if (status == STATUS_OK)
        log->last[thread] = (uint32_t)log->count;
    return status;
}
