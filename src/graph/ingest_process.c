/* SPDX-License-Identifier: MIT */
#include "graph/ingest_process.h"

#include <stdlib.h>

#include "base/vec.h"

void ingest_processes_clear(struct ingest_processes *all)
{
    for (size_t i = 0; i < all->live.count; i++)
        if (all->live.list[i].live)
            ingest_thread_end(all, &all->threads[i]);
    for (size_t i = 0; i < all->count; i++) {
        address_space_deinit(&all->list[i]->space);
        free(all->list[i]);
    }
    all->count = 0;
    map_clear(&all->by_pid);
    live_threads_clear(&all->live);
}

void ingest_processes_deinit(struct ingest_processes *all)
{
    ingest_processes_clear(all);
    map_deinit(&all->by_pid);
    live_threads_deinit(&all->live);
    free(all->threads);
    free(all->list);
}

struct ingest_process *ingest_process_of(const struct ingest_processes *all, uint32_t pid)
{
    const uint64_t *index = map_get(&all->by_pid, pid);

    return index ? all->list[*index] : NULL;
}

enum status ingest_process_add(struct ingest_processes *all, uint32_t pid,
                               struct ingest_process **out)
{
    struct ingest_process *process;

    if (vec_reserve(&all->list, &all->cap, all->count + 1, sizeof(struct ingest_process *)) !=
            STATUS_OK ||
        !(process = calloc(1, sizeof(*process))))
        return STATUS_NO_MEMORY;
    if (!map_put(&all->by_pid, pid, all->count)) {
        free(process);
        return STATUS_NO_MEMORY;
    }
    process->pid = pid;
    *out = all->list[all->count++] = process;
    return STATUS_OK;
}

static struct ingest_thread *in_slot(const struct ingest_processes *all, size_t slot)
{
    return slot != LIVE_NONE ? &all->threads[slot] : NULL;
}

struct ingest_thread *ingest_thread_of(const struct ingest_processes *all, uint32_t tid)
{
    return in_slot(all, live_threads_find(&all->live, tid));
}

struct ingest_thread *ingest_thread_at(const struct ingest_processes *all,
                                       const struct snap_sample *sample)
{
    return in_slot(all, live_threads_find_at(&all->live, sample->slot, sample->tid));
}

struct ingest_thread *ingest_thread_first(const struct ingest_processes *all, uint32_t pid)
{
    return in_slot(all, live_threads_of(&all->live, pid));
}

enum status ingest_thread_add(struct ingest_processes *all, struct ingest_process *process,
                              uint32_t tid, struct ingest_thread **out)
{
    size_t slot;

    if (vec_reserve(&all->threads, &all->thread_cap, all->live.count + 1, sizeof(**out)) !=
            STATUS_OK ||
        live_threads_add(&all->live, process->pid, tid, &slot) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *out = &all->threads[slot];
    **out = (struct ingest_thread){.process = process, .tid = tid};
    return STATUS_OK;
}

void ingest_thread_end(struct ingest_processes *all, struct ingest_thread *thread)
{
    free(thread->name);
    cpu_stretch_deinit(&thread->stretch);
    chain_deinit(&thread->chain);
    free(thread->path.nodes);
    live_threads_end(&all->live, (size_t)(thread - all->threads));
}
