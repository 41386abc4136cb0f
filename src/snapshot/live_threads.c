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
    threads->count = threads->live_count = threads->free_first = 0;
}

size_t live_threads_find(const struct live_threads *threads, uint32_t tid)
{
    const uint64_t *slot = map_get(&threads->by_tid, tid);

    return slot ? (size_t)*slot : LIVE_NONE;
}

size_t live_threads_find_at(const struct live_threads *threads, size_t guess, uint32_t tid)
{
    return guess < threads->count && threads->list[guess].live && threads->list[guess].tid == tid
               ? guess
               : live_threads_find(threads, tid);
}

size_t live_threads_of(const struct live_threads *threads, uint32_t pid)
{
    const uint64_t *first = map_get(&threads->by_pid, pid);

    return first ? (size_t)*first - 1 : LIVE_NONE;
}

size_t live_threads_next(const struct live_threads *threads, size_t slot)
{
    const size_t next = threads->list[slot].next;

    return next ? next - 1 : LIVE_NONE;
}

/* Appends to the list of its process, so that nothing has to look at threads of others. */
static bool link_thread(struct live_threads *threads, size_t slot)
{
    struct live_thread *thread = &threads->list[slot], *first_thread;
    uint64_t *first = map_put(&threads->by_pid, thread->pid, 0);

    if (!first)
        return false;
    if (!*first) {
        *first = thread->previous = slot + 1;
        return true;
    }
    first_thread = &threads->list[*first - 1];
    thread->previous = first_thread->previous;
    threads->list[thread->previous - 1].next = slot + 1;
    first_thread->previous = slot + 1;
    return true;
}

static void unlink_thread(struct live_threads *threads, size_t slot)
{
    const struct live_thread *thread = &threads->list[slot];
    uint64_t *first = map_get(&threads->by_pid, thread->pid);

    threads->list[(thread->next ? thread->next : *first) - 1].previous = thread->previous;
    if (*first != slot + 1)
        threads->list[thread->previous - 1].next = thread->next;
    else if (thread->next)
        *first = thread->next;
    else
        map_remove(&threads->by_pid, thread->pid);
}

static void free_slot(struct live_threads *threads, size_t slot)
{
    threads->list[slot] = (struct live_thread){.next = threads->free_first};
    threads->free_first = slot + 1;
}

enum status live_threads_add(struct live_threads *threads, uint32_t pid, uint32_t tid, size_t *slot)
{
    const bool is_used = threads->free_first != 0;
    const size_t at = is_used ? threads->free_first - 1 : threads->count;

    if (vec_reserve(&threads->list, &threads->cap, at + 1, sizeof(*threads->list)) != STATUS_OK ||
        !map_put(&threads->by_tid, tid, at))
        return STATUS_NO_MEMORY;
    if (is_used)
        threads->free_first = threads->list[at].next;
    else
        threads->count++;
    threads->list[at] = (struct live_thread){.pid = pid, .tid = tid, .live = true};
    if (!link_thread(threads, at)) {
        free_slot(threads, at);
        map_remove(&threads->by_tid, tid);
        return STATUS_NO_MEMORY;
    }
    threads->live_count++;
    *slot = at;
    return STATUS_OK;
}

void live_threads_end(struct live_threads *threads, size_t slot)
{
    unlink_thread(threads, slot);
    map_remove(&threads->by_tid, threads->list[slot].tid);
    free_slot(threads, slot);
    threads->live_count--;
}
