#include "threads/wait_threads.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void wait_threads_deinit(struct wait_threads *threads)
{
    for (size_t i = 0; i < threads->count; i++)
        free(threads->list[i].name);
    free(threads->list);
    map_deinit(&threads->live);
    *threads = (struct wait_threads){0};
}

struct wait_thread *wait_threads_find(const struct wait_threads *threads, uint32_t tid)
{
    const uint64_t *index = map_get(&threads->live, tid);

    return index ? &threads->list[*index] : NULL;
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
        (struct wait_thread){.pid = info->pid, .tid = info->tid, .is_live = true, .name = name};
    return STATUS_OK;
}

void wait_threads_remove(struct wait_threads *threads, uint32_t pid, uint32_t tid)
{
    struct wait_thread *thread = wait_threads_find(threads, tid);

    if (!thread || thread->pid != pid)
        return;
    map_remove(&threads->live, tid);
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
