/* SPDX-License-Identifier: MIT */
#include "snapshot/import/perf/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/vec.h"
#include "snapshot/event.h"

#define MAPS_CAP_MIN 8 /* entries that the smallest list has room for */

static void maps_release(struct perf_tasks *t, struct perf_maps *maps)
{
    if (!maps || --maps->refs > 0)
        return;
    t->map_total -= maps->cap;
    free(maps->list);
    free(maps);
}

void perf_tasks_deinit(struct perf_tasks *t)
{
    for (size_t i = 0; i < t->module_count; i++)
        free(t->modules[i].path);
    for (size_t i = 0; i < t->process_count; i++)
        maps_release(t, t->processes[i].maps);
    free(t->modules);
    free(t->processes);
    free(t->threads);
    free(t->free_processes);
    free(t->free_threads);
    map_deinit(&t->by_module);
    map_deinit(&t->by_pid);
    map_deinit(&t->by_tid);
}

/* Finds or adds a process. The caller counts its threads. */
static enum status find_process(struct perf_tasks *t, uint32_t pid, uint32_t *out)
{
    uint64_t *known = map_get(&t->by_pid, pid);

    if (known) {
        *out = (uint32_t)*known;
        return STATUS_OK;
    }
    if (t->free_process_count > 0) {
        *out = t->free_processes[--t->free_process_count];
    } else {
        *out = (uint32_t)t->process_count;
        if (vec_reserve(&t->processes, &t->process_cap, t->process_count + 1,
                        sizeof(*t->processes)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        t->process_count++;
    }
    t->processes[*out] = (struct perf_process){.pid = pid};
    return map_put(&t->by_pid, pid, *out) ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Counts a thread less; a process without threads ends. */
static enum status leave_process(struct perf_tasks *t, uint32_t index)
{
    struct perf_process *process = &t->processes[index];

    if (--process->threads > 0)
        return STATUS_OK;
    t->ended.process = process->was_reported;
    t->ended.pid = process->pid;
    maps_release(t, process->maps);
    process->maps = NULL;
    map_remove(&t->by_pid, process->pid);
    if (vec_reserve(&t->free_processes, &t->free_process_cap, t->free_process_count + 1,
                    sizeof(*t->free_processes)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    t->free_processes[t->free_process_count++] = index;
    return STATUS_OK;
}

static enum status thread_slot(struct perf_tasks *t, uint32_t *out)
{
    if (t->free_thread_count > 0) {
        *out = t->free_threads[--t->free_thread_count];
        return STATUS_OK;
    }
    if (vec_reserve(&t->threads, &t->thread_cap, t->thread_count + 1, sizeof(*t->threads)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    *out = (uint32_t)t->thread_count++;
    return STATUS_OK;
}

enum status perf_tasks_thread(struct perf_tasks *t, uint32_t pid, uint32_t tid, uint32_t *out)
{
    uint64_t *known = map_get(&t->by_tid, tid);
    uint32_t process;
    enum status status;

    if (known && t->processes[t->threads[*known].process].pid == pid) {
        *out = (uint32_t)*known;
        return STATUS_OK;
    }
    status = find_process(t, pid, &process);
    if (status != STATUS_OK)
        return status;
    t->processes[process].threads++;
    if (known) {
        *out = (uint32_t)*known;
        status = leave_process(t, t->threads[*out].process);
    } else {
        status = thread_slot(t, out);
        if (status == STATUS_OK && !map_put(&t->by_tid, tid, *out))
            status = STATUS_NO_MEMORY;
    }
    if (status != STATUS_OK)
        return status;
    t->threads[*out] = (struct perf_thread){.tid = tid, .process = process};
    /* perf's names for nameless threads. */
    if (tid == 0)
        snprintf(t->threads[*out].name, PERF_NAME_MAX, "swapper");
    else
        snprintf(t->threads[*out].name, PERF_NAME_MAX, ":%d", (int)tid);
    return STATUS_OK;
}

static void forget_maps(struct perf_tasks *t, struct perf_process *process)
{
    maps_release(t, process->maps);
    process->maps = NULL;
    process->is_reported = false;
    process->maps_reported = 0;
}

enum status perf_tasks_comm(struct perf_tasks *t, uint32_t pid, uint32_t tid, const char *name,
                            size_t size, bool exec)
{
    uint32_t index;
    enum status status = perf_tasks_thread(t, pid, tid, &index);
    struct perf_thread *thread;

    if (status != STATUS_OK)
        return status;
    thread = &t->threads[index];
    size = strnlen(name, size < PERF_NAME_MAX - 1 ? size : PERF_NAME_MAX - 1);
    memcpy(thread->name, name, size);
    thread->name[size] = '\0';
    thread->epoch_told = 0;
    thread->exited = false;
    if (exec) {
        forget_maps(t, &t->processes[thread->process]);
        t->processes[thread->process].exec = true;
    }
    return STATUS_OK;
}

enum status perf_tasks_fork(struct perf_tasks *t, uint32_t pid, uint32_t tid, uint32_t parent_pid,
                            uint32_t parent_tid, bool maps)
{
    uint64_t *parent_thread, *parent;
    struct perf_process *process;
    struct perf_thread *thread;
    uint32_t index;
    enum status status = perf_tasks_thread(t, pid, tid, &index);

    if (status != STATUS_OK)
        return status;
    thread = &t->threads[index];
    thread->exited = false;
    thread->epoch_told = 0;
    parent_thread = map_get(&t->by_tid, parent_tid);
    if (parent_thread)
        memcpy(thread->name, t->threads[*parent_thread].name, PERF_NAME_MAX);
    if (pid == parent_pid)
        return STATUS_OK;
    process = &t->processes[thread->process];
    process->parent_pid = parent_pid;
    parent = map_get(&t->by_pid, parent_pid);
    if (!maps)
        return STATUS_OK;
    forget_maps(t, process);
    process->exec = false;
    process->maps = parent ? t->processes[*parent].maps : NULL;
    if (process->maps)
        process->maps->refs++;
    return STATUS_OK;
}

static enum status remove_thread(struct perf_tasks *t, uint32_t tid)
{
    uint64_t *known = map_get(&t->by_tid, tid);
    uint32_t index = known ? (uint32_t)*known : 0;
    struct perf_thread *thread = &t->threads[index];

    if (!known || !thread->exited)
        return STATUS_OK;
    t->ended.tid = tid;
    t->ended.thread = thread->epoch_told != 0;
    map_remove(&t->by_tid, tid);
    if (vec_reserve(&t->free_threads, &t->free_thread_cap, t->free_thread_count + 1,
                    sizeof(*t->free_threads)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    t->free_threads[t->free_thread_count++] = index;
    t->ended.pid = t->processes[thread->process].pid;
    return leave_process(t, thread->process);
}

enum status perf_tasks_exit(struct perf_tasks *t, uint32_t pid, uint32_t tid)
{
    uint64_t *known = map_get(&t->by_tid, tid);
    enum status status = STATUS_OK;

    if (!known || t->processes[t->threads[*known].process].pid != pid || t->threads[*known].exited)
        return STATUS_OK;
    t->threads[*known].exited = true;
    if (t->exited_count == PERF_EXITED_MAX) {
        status = remove_thread(t, t->exited[t->exited_first]);
        t->exited_first = (t->exited_first + 1) % PERF_EXITED_MAX;
        t->exited_count--;
    }
    t->exited[(t->exited_first + t->exited_count++) % PERF_EXITED_MAX] = tid;
    return status;
}

static uint64_t hash_module(const struct perf_module *module)
{
    uint64_t hash = keyed_words(module->inode, module->dev);

    hash = keyed_bytes(hash, module->path, strlen(module->path));
    return keyed_bytes(hash, module->build_id, module->build_id_size);
}

static bool same_module(const struct perf_module *a, const struct perf_module *b)
{
    return a->inode == b->inode && a->dev == b->dev && a->kind == b->kind && a->flags == b->flags &&
           a->build_id_size == b->build_id_size &&
           memcmp(a->build_id, b->build_id, a->build_id_size) == 0 && strcmp(a->path, b->path) == 0;
}

enum status perf_tasks_module(struct perf_tasks *t, const struct perf_module *module, uint32_t *out)
{
    uint64_t *head = map_put(&t->by_module, hash_module(module), 0);
    struct perf_module copy = *module;

    if (!head)
        return STATUS_NO_MEMORY;
    for (size_t i = (size_t)*head; i != 0; i = t->modules[i - 1].next)
        if (same_module(&t->modules[i - 1], module)) {
            *out = (uint32_t)(i - 1);
            return STATUS_OK;
        }
    if (vec_reserve(&t->modules, &t->module_cap, t->module_count + 1, sizeof(copy)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    copy.path = strdup(module->path);
    if (!copy.path)
        return STATUS_NO_MEMORY;
    copy.next = (size_t)*head;
    *out = (uint32_t)t->module_count;
    t->modules[t->module_count++] = copy;
    *head = t->module_count;
    return STATUS_OK;
}

static bool may_copy(const struct perf_tasks *t, size_t count)
{
    return 2 * (count + 1) + MAPS_CAP_MIN <= PERF_MAPS_TOTAL_MAX - t->map_total &&
           t->maps_copied + count <= PERF_MAPS_COPIED + PERF_MAPS_COPIED_EACH * t->maps_added;
}

/*
 * Makes the process's maps its own, to be added to. They begin empty, not as a copy, if there are
 * too many already.
 */
static enum status own_maps(struct perf_tasks *t, struct perf_process *process)
{
    struct perf_maps *old = process->maps, *maps;

    if (old && old->refs == 1)
        return STATUS_OK;
    maps = calloc(1, sizeof(*maps));
    if (!maps)
        return STATUS_NO_MEMORY;
    maps->refs = 1;
    maps->program = old ? old->program : PERF_NO_MODULE;
    if (old && !may_copy(t, old->count)) {
        t->maps_forgotten += old->count;
        process->maps_reported = 0;
    } else if (old) {
        if (vec_reserve(&maps->list, &maps->cap, old->count + 1, sizeof(*maps->list)) !=
            STATUS_OK) {
            free(maps);
            return STATUS_NO_MEMORY;
        }
        t->map_total += maps->cap;
        t->maps_copied += old->count;
        memcpy(maps->list, old->list, old->count * sizeof(*maps->list));
        maps->count = old->count;
    }
    maps_release(t, old);
    process->maps = maps;
    return STATUS_OK;
}

static void forget_half(struct perf_tasks *t, struct perf_process *process)
{
    struct perf_maps *maps = process->maps;
    size_t gone = maps->count / 2;

    if (gone == 0)
        return;
    t->maps_forgotten += gone;
    maps->count -= gone;
    memmove(maps->list, maps->list + gone, maps->count * sizeof(*maps->list));
    process->maps_reported = process->maps_reported > gone ? process->maps_reported - gone : 0;
}

/* Returns whether one more may be added. */
static bool has_room(const struct perf_tasks *t, const struct perf_maps *maps)
{
    return maps->count < PERF_MAPS_MAX &&
           (maps->count < maps->cap ||
            maps->cap + MAPS_CAP_MIN <= PERF_MAPS_TOTAL_MAX - t->map_total);
}

enum status perf_tasks_map(struct perf_tasks *t, uint32_t pid, uint32_t tid,
                           const struct perf_map *map)
{
    struct perf_process *process;
    struct perf_maps *maps;
    size_t old_cap;
    uint32_t index;
    enum status status = perf_tasks_thread(t, pid, tid, &index);

    if (status != STATUS_OK)
        return status;
    process = &t->processes[t->threads[index].process];
    t->maps_added++;
    status = own_maps(t, process);
    if (status != STATUS_OK)
        return status;
    maps = process->maps;
    if (!has_room(t, maps))
        forget_half(t, process);
    if (!has_room(t, maps)) {
        t->maps_forgotten++;
        return STATUS_OK;
    }
    old_cap = maps->cap;
    if (vec_reserve(&maps->list, &maps->cap, maps->count + 1, sizeof(*map)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    t->map_total += maps->cap - old_cap;
    maps->list[maps->count++] = *map;
    if (maps->program == PERF_NO_MODULE && t->modules[map->module].kind == SNAP_MAP_FILE)
        maps->program = map->module;
    return STATUS_OK;
}
