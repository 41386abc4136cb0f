/* SPDX-License-Identifier: MIT */
#include "output/html/value_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define STEP_MAX (UINT32_C(1) << 31)

enum status value_log_init(struct value_log *log)
{
    *log = (struct value_log){.step = 1, .limit = VALUE_LOG_BYTES};
    return value_table_init(&log->table);
}

void value_log_deinit(struct value_log *log)
{
    value_table_deinit(&log->table);
    free(log->runs);
    free(log->threads);
    *log = (struct value_log){.runs = NULL};
}

static uint64_t memory_of(const struct value_log *log)
{
    return value_table_bytes(&log->table) + log->count * sizeof(*log->runs) +
           log->thread_count * sizeof(*log->threads);
}

static enum status find_thread(struct value_log *log, uint32_t thread, struct value_thread **out)
{
    if (vec_reserve(&log->threads, &log->thread_cap, (size_t)thread + 1, sizeof(*log->threads)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    while (log->thread_count <= thread)
        log->threads[log->thread_count++] = (struct value_thread){.count = 0};
    *out = &log->threads[thread];
    return STATUS_OK;
}

static uint32_t *make_none(size_t count)
{
    uint32_t *list = malloc((count + 1) * sizeof(*list));

    if (list)
        memset(list, 0xff, (count + 1) * sizeof(*list));
    return list;
}

/* Sets moved[] to 0 for the moments of runs and those outside of them, else to TRIE_NONE. */
static uint32_t *mark_moments(const struct value_log *log)
{
    const struct trie_node *nodes = log->table.moments.nodes;
    uint32_t *moved = make_none(log->table.moments.len);

    for (size_t i = 0; moved && i < log->count; i++)
        for (uint32_t node = log->runs[i].moment; node != TRIE_ROOT && moved[node] == TRIE_NONE;
             node = nodes[node].parent)
            moved[node] = 0;
    if (moved)
        moved[TRIE_ROOT] = TRIE_ROOT;
    return moved;
}

/* Copies the moments that mark_moments has marked, and sets moved[] to their copies. */
static enum status copy_moments(const struct value_table *from, uint32_t *moved,
                                struct value_table *to)
{
    uint32_t *lists = make_none(from->list_count);
    enum status status = lists ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 1; i < from->moments.len && status == STATUS_OK; i++) {
        const struct trie_node *node = &from->moments.nodes[i];

        if (moved[i] == TRIE_NONE)
            continue;
        if (lists[node->key] == TRIE_NONE)
            status = value_table_copy_list(to, from, node->key, &lists[node->key]);
        if (status == STATUS_OK)
            status = value_table_step_list(to, moved[node->parent], lists[node->key], &moved[i]);
    }
    free(lists);
    return status;
}

/* Replaces the table by one without moments that no run has. */
static enum status rebuild(struct value_log *log)
{
    uint32_t *moved = mark_moments(log);
    struct value_table table;
    enum status status = value_table_init(&table);

    if (!moved)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = copy_moments(&log->table, moved, &table);
    for (size_t i = 0; i < log->count && status == STATUS_OK; i++)
        log->runs[i].moment = moved[log->runs[i].moment];
    free(moved);
    if (status != STATUS_OK) {
        value_table_deinit(&table);
        return status;
    }
    value_table_deinit(&log->table);
    log->table = table;
    return STATUS_OK;
}

/* Drops every second run. */
static enum status thin(struct value_log *log)
{
    size_t kept = 0;

    log->step *= 2;
    for (size_t i = 0; i < log->thread_count; i++)
        log->threads[i].last = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct value_run *run = &log->runs[i];

        if (run->number % log->step)
            continue;
        if (run->thread < log->thread_count && log->threads[run->thread].count == run->number + 1)
            log->threads[run->thread].last = (uint32_t)kept + 1;
        log->runs[kept++] = *run;
    }
    log->count = kept;
    return rebuild(log);
}

enum status value_log_shrink(struct value_log *log, uint64_t limit,
                             uint64_t (*bytes)(const struct value_log *log))
{
    enum status status = STATUS_OK;

    while (status == STATUS_OK && bytes(log) > limit && log->step < STEP_MAX)
        status = thin(log);
    if (status == STATUS_OK && bytes(log) > limit) {
        log->is_full = true;
        log->count = 0;
        status = rebuild(log);
    }
    return status;
}

enum status value_log_settle(struct value_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        const bool goes_on = i > 0 && log->runs[i - 1].thread == log->runs[i].thread;

        log->runs[i].number = goes_on ? log->runs[i - 1].number + 1 : 0;
    }
    log->thread_count = 0;
    log->step = 1;
    return rebuild(log);
}

/* Returns the run of a thread's last sample; NULL: there is none, or it was not kept. */
static struct value_run *last_run(struct value_log *log, const struct value_thread *thread)
{
    return thread->last ? &log->runs[thread->last - 1] : NULL;
}

/* Frees half of the limit: else every few samples all runs would be searched. */
static enum status make_room(struct value_log *log)
{
    const uint64_t enough = log->limit / 2;
    enum status status = rebuild(log);

    while (status == STATUS_OK && memory_of(log) > enough && log->step < STEP_MAX)
        status = thin(log);
    log->is_full = memory_of(log) > enough;
    return status;
}

enum status value_log_add_moment(struct value_log *log, uint32_t thread, uint32_t cell,
                                 uint64_t time_ns, uint32_t moment)
{
    struct value_thread *of;
    struct value_run *last;

    if (find_thread(log, thread, &of) != STATUS_OK)
        return STATUS_NO_MEMORY;
    last = last_run(log, of);
    if (last && last->cell == cell && last->moment == moment) {
        last->to_ns = time_ns;
        return STATUS_OK;
    }
    of->last = 0;
    if (of->count++ % log->step == 0) {
        if (log->count >= UINT32_MAX - 1 ||
            vec_reserve(&log->runs, &log->cap, log->count + 1, sizeof(*log->runs)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        log->runs[log->count++] = (struct value_run){.thread = thread,
                                                     .cell = cell,
                                                     .number = of->count - 1,
                                                     .moment = moment,
                                                     .from_ns = time_ns,
                                                     .to_ns = time_ns};
        of->last = (uint32_t)log->count;
    }
    return memory_of(log) > log->limit ? make_room(log) : STATUS_OK;
}

/* Sets *moment to the values of the sample's frames. */
static enum status tell(struct value_log *log, const struct value_sample *sample, uint32_t *moment)
{
    const struct ingest_sample *given = sample->given;
    enum status status = STATUS_OK;

    *moment = TRIE_ROOT;
    for (size_t i = given->chain->count; i-- > 0 && status == STATUS_OK;) {
        const struct told_frame *told;
        const struct places *places;

        status = names_find_frame(sample->names, &given->chain->frames[i], &places);
        if (status == STATUS_OK)
            status = variables_tell(sample->variables,
                                    &(struct variables_frame){.space = given->space,
                                                              .sample = given->sample,
                                                              .chain = given->chain,
                                                              .index = i},
                                    &told);
        if (status == STATUS_OK)
            status = value_table_step(&log->table, *moment, told, places->count, moment);
    }
    return status;
}

enum status value_log_add(struct value_log *log, const struct value_sample *sample)
{
    struct value_thread *thread;
    struct value_run *last;
    enum status status = find_thread(log, sample->thread, &thread);
    uint32_t moment;

    if (status != STATUS_OK || log->is_full)
        return status;
    last = last_run(log, thread);
    if (sample->given->sample->repeat) /* values are as before */
        return last ? value_log_add_moment(log, sample->thread, sample->cell, sample->time_ns,
                                           last->moment)
                    : STATUS_OK;
    if (!last && thread->count % log->step) { /* its run would not be kept: values are not read */
        thread->count++;
        return STATUS_OK;
    }
    status = tell(log, sample, &moment);
    return status == STATUS_OK
               ? value_log_add_moment(log, sample->thread, sample->cell, sample->time_ns, moment)
               : status;
}
