/* SPDX-License-Identifier: MIT */
#include "snapshot/live_threads.h"

#include <stdlib.h>

#include "base/vec.h"

void live_threads_deinit(struct live_threads *threads)
{
    map_deinit(&threads->by_tid);
    map_deinit(&threads->by_pid);
    free(threads->list);
    *threads = (struct live_threads){0};
}

void live_threads_clear(struct live_threads *threads)
{
    map_clear(&threads->by_tid);
    map_clear(&threads->by_pid);
    threads->count = threads->live_count = threads->free_from = 0;
}

size_t live_threads_find(const struct live_threads *threads, uint32_t tid)
{
    const uint64_t *slot = map_get(&threads->by_tid, tid);

    return slot ? (size_t)*slot : LIVE_NONE;
}

size_t live_threads_of(const struct live_threads *threads, uint32_t pid)
{
    const uint64_t *first = map_get(&threads->by_pid, pid);

    return first ? (size_t)*first - 1 : LIVE_NONE;
}

/* The threads of a process are linked, so that its next program costs no look at all others. */
static bool link_thread(struct live_threads *threads, size_t slot)
{
    struct live_thread *thread = &threads->list[slot];
    uint64_t *first = map_put(&threads->by_pid, thread->pid, 0);

    if (!first)
        return false;
    thread->next = (size_t)*first;
    if (thread->next)
        threads->list[thread->next - 1].previous = slot + 1;
    *first = slot + 1;
    return true;
}

static void unlink_thread(struct live_threads *threads, const struct live_thread *thread)
{
    uint64_t *first = map_get(&threads->by_pid, thread->pid);

    if (thread->next)
        threads->list[thread->next - 1].previous = thread->previous;
    if (thread->previous)
        threads->list[thread->previous - 1].next = thread->next;
    else if (first && thread->next)
        *first = thread->next;
    else
        map_remove(&threads->by_pid, thread->pid);
}

enum status live_threads_add(struct live_threads *threads, uint32_t pid, uint32_t tid, size_t *slot)
{
    size_t free_slot = threads->free_from;

    while (free_slot < threads->count && threads->list[free_slot].live)
        free_slot++;
    if (vec_reserve(&threads->list, &threads->cap, free_slot + 1, sizeof(*threads->list)) !=
            STATUS_OK ||
        !map_put(&threads->by_tid, tid, free_slot))
        return STATUS_NO_MEMORY;
    threads->list[free_slot] = (struct live_thread){.pid = pid, .tid = tid, .live = true};
    if (!link_thread(threads, free_slot)) {
        threads->list[free_slot].live = false;
        map_remove(&threads->by_tid, tid);
        return STATUS_NO_MEMORY;
    }
    threads->count += free_slot == threads->count;
    threads->free_from = free_slot + 1;
    threads->live_count++;
    *slot = free_slot;
    return STATUS_OK;
}

void live_threads_end(struct live_threads *threads, size_t slot)
{
    struct live_thread *thread = &threads->list[slot];

    unlink_thread(threads, thread);
    map_remove(&threads->by_tid, thread->tid);
    thread->live = false;
    if (slot < threads->free_from)
        threads->free_from = slot;
    threads->live_count--;
}
