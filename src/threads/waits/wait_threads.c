/* SPDX-License-Identifier: MIT */
#include "threads/waits/wait_threads.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void wait_threads_deinit(struct wait_threads *threads)
{
    for (size_t i = 0; i < threads->count; i++)
        free(threads->list[i].name);
    free(threads->list);
    map_deinit(&threads->live);
    map_deinit(&threads->inner);
    *threads = (struct wait_threads){0};
}

struct wait_thread *wait_threads_find(const struct wait_threads *threads, uint32_t tid)
{
    const uint64_t *index = map_get(&threads->live, tid);

    return index ? &threads->list[*index] : NULL;
}

static uint64_t inner_key(uint32_t pid, uint32_t tid)
{
    return (uint64_t)pid << 32 | tid;
}

const struct wait_thread *wait_threads_owner(const struct wait_threads *threads, uint32_t pid,
                                             uint32_t tid, bool is_shared)
{
    const uint64_t *index = map_get(&threads->inner, inner_key(pid, tid));
    const struct wait_thread *thread = index ? &threads->list[*index] : NULL;

    if (thread)
        return thread;
    thread = wait_threads_find(threads, tid);
    return thread && thread->inner_tid == tid && (is_shared || thread->pid == pid) ? thread : NULL;
}

static enum status take_place(struct wait_threads *threads, uint32_t tid, size_t *out)
{
    *out = threads->first_free ? threads->first_free - 1 : threads->count;
    if (vec_reserve(&threads->list, &threads->cap, *out + 1, sizeof(*threads->list)) != STATUS_OK ||
        !map_put(&threads->live, tid, *out))
        return STATUS_NO_MEMORY;
    if (threads->first_free)
        threads->first_free = threads->list[*out].next_free;
    else
        threads->count++;
    return STATUS_OK;
}

enum status wait_threads_add(struct wait_threads *threads, const struct snap_thread *info)
{
    struct wait_thread *thread = wait_threads_find(threads, info->tid);
    char *name = strdup(info->name ? info->name : "");
    uint64_t *place;
    size_t index;

    if (!name)
        return STATUS_NO_MEMORY;
    if (thread && thread->pid == info->pid) {
        free(thread->name);
        thread->name = name;
        return STATUS_OK;
    }
    if (thread)
        wait_threads_remove(threads, thread->pid, thread->tid);
    if (take_place(threads, info->tid, &index) != STATUS_OK) {
        free(name);
        return STATUS_NO_MEMORY;
    }
    threads->list[index] =
        (struct wait_thread){.pid = info->pid,
                             .tid = info->tid,
                             .inner_tid = info->inner_tid ? info->inner_tid : info->tid,
                             .is_live = true,
                             .name = name};
    thread = &threads->list[index];
    if (thread->inner_tid == thread->tid)
        return STATUS_OK;
    place = map_put(&threads->inner, inner_key(thread->pid, thread->inner_tid), index);
    if (!place)
        return STATUS_NO_MEMORY;
    *place = index; /* of two threads with one number in a snapshot: the later one */
    return STATUS_OK;
}

void wait_threads_remove(struct wait_threads *threads, uint32_t pid, uint32_t tid)
{
    struct wait_thread *thread = wait_threads_find(threads, tid);
    const uint64_t *place;

    if (!thread || thread->pid != pid)
        return;
    map_remove(&threads->live, tid);
    place = map_get(&threads->inner, inner_key(pid, thread->inner_tid));
    if (place && &threads->list[*place] == thread)
        map_remove(&threads->inner, inner_key(pid, thread->inner_tid));
    free(thread->name);
    *thread = (struct wait_thread){.next_free = threads->first_free};
    threads->first_free = (size_t)(thread - threads->list) + 1;
}

bool wait_threads_on_stack(const struct wait_thread *thread, uint64_t addr)
{
    return addr >= thread->stack_sp && addr < thread->stack_end;
}

const struct wait_thread *wait_threads_stack(const struct wait_threads *threads, uint32_t pid,
                                             uint64_t addr)
{
    for (size_t i = 0; i < threads->count; i++) {
        const struct wait_thread *thread = &threads->list[i];

        if (thread->is_live && thread->pid == pid && wait_threads_on_stack(thread, addr))
            return thread;
    }
    return NULL;
}
