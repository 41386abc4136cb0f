#include "graph/ingest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"

struct ingest_thread { /* of a live thread; slots of ended ones are used again */
    uint32_t pid, tid;
    bool live, has_chain;
    char *name;
    uint32_t profile_thread, chain_id;
    uint64_t cpu_ns;    /* used since it was last seen running */
    struct chain chain; /* of its last sample, for repeats */
};

static void thread_clear(struct ingest *in, struct ingest_thread *thread)
{
    map_remove(&in->thread_index, thread->tid);
    free(thread->name);
    chain_deinit(&thread->chain);
    *thread = (struct ingest_thread){0};
    if ((size_t)(thread - in->threads) < in->free_from)
        in->free_from = (size_t)(thread - in->threads);
}

static void forget_snapshot(struct ingest *in)
{
    for (size_t i = 0; i < in->thread_count; i++)
        if (in->threads[i].live)
            thread_clear(in, &in->threads[i]);
    for (size_t i = 0; i < in->space_count; i++)
        address_space_deinit(&in->spaces[i]);
    in->thread_count = in->space_count = in->free_from = 0;
    map_clear(&in->processes);
    map_clear(&in->thread_index);
}

void ingest_deinit(struct ingest *in)
{
    forget_snapshot(in);
    map_deinit(&in->processes);
    map_deinit(&in->thread_index);
    free(in->threads);
    free(in->spaces);
}

static struct address_space *space_of(struct ingest *in, uint32_t pid)
{
    uint64_t *index = map_get(&in->processes, pid);

    return index ? &in->spaces[*index] : NULL;
}

static struct ingest_thread *thread_of(struct ingest *in, uint32_t tid)
{
    uint64_t *index = map_get(&in->thread_index, tid);

    return index ? &in->threads[*index] : NULL;
}

static enum status on_process(struct ingest *in, const struct snap_process *process)
{
    struct address_space *space = space_of(in, process->pid);

    /* After an exec the process is the new program. */
    if (!in->title[0] || (process->exec && process->pid == in->title_pid)) {
        in->title_pid = process->pid;
        snprintf(in->title, sizeof(in->title), "%s (pid %u)", process->exe, process->pid);
    }
    for (size_t i = 0; i < in->thread_count; i++)
        if (in->threads[i].live && in->threads[i].pid == process->pid)
            thread_clear(in, &in->threads[i]);
    if (space) {
        address_space_clear(space);
        space->pac_mask = process->pac_mask;
        return STATUS_OK;
    }
    if (vec_reserve(&in->spaces, &in->space_cap, in->space_count + 1, sizeof(*in->spaces)) !=
            STATUS_OK ||
        !map_put(&in->processes, process->pid, in->space_count))
        return STATUS_NO_MEMORY;
    space = &in->spaces[in->space_count++];
    address_space_init(space);
    space->pac_mask = process->pac_mask;
    return STATUS_OK;
}

static enum status on_map(struct ingest *in, const struct snap_map *map)
{
    static const enum module_kind kinds[] = {MODULE_FILE, MODULE_FILE, MODULE_VDSO, MODULE_ANON,
                                             MODULE_SPECIAL};
    struct address_space *space = space_of(in, map->pid);
    enum module_kind kind = kinds[map->kind];
    const char *path = kind == MODULE_ANON ? "[anon]" : map->path;
    struct module *module;
    enum status status;

    if (!space)
        return STATUS_OK;
    status = module_set_get(in->modules, kind, path, map->build_id, map->build_id_size,
                            map->flags & SNAP_MAP_DELETED, &module);
    if (status == STATUS_OK)
        status = address_space_add(space, map->start_addr, map->end_addr, map->file_off, module);
    return status;
}

static enum status on_code(struct ingest *in, const struct snap_range *range)
{
    struct address_space *space = space_of(in, range->pid);
    struct mapping *mapping = space ? address_space_find(space, range->start_addr) : NULL;

    uint64_t end_addr = range->end_addr;

    if (!mapping)
        return STATUS_OK;
    if (mapping->module->kind != MODULE_VDSO) {
        if (end_addr > mapping->end_addr)
            end_addr = mapping->end_addr;
        return unwinder_code(in->unwinder, mapping, range->start_addr, range->bytes,
                             end_addr - range->start_addr);
    }
    /* Only the whole image of the vDSO is an ELF file of its own. */
    if (mapping->start_addr != range->start_addr)
        return STATUS_OK;
    return module_set_code(mapping->module, range->bytes,
                           (size_t)(range->end_addr - range->start_addr));
}

static enum status on_thread(struct ingest *in, const struct snap_thread *info)
{
    struct ingest_thread *thread = thread_of(in, info->tid);
    size_t slot = in->free_from;

    if (!thread) {
        while (slot < in->thread_count && in->threads[slot].live)
            slot++;
        if (vec_reserve(&in->threads, &in->thread_cap, slot + 1, sizeof(*in->threads)) !=
                STATUS_OK ||
            !map_put(&in->thread_index, info->tid, slot))
            return STATUS_NO_MEMORY;
        if (slot == in->thread_count)
            in->thread_count++;
        in->free_from = slot + 1;
        thread = &in->threads[slot];
        *thread = (struct ingest_thread){.pid = info->pid, .tid = info->tid, .live = true};
    }
    free(thread->name);
    thread->pid = info->pid;
    thread->name = strdup(info->name);
    if (!thread->name)
        return STATUS_NO_MEMORY;
    return profile_thread(in->profile, info->pid, in->by_tid ? info->tid : 0, info->name,
                          &thread->profile_thread);
}

static uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static enum status unwind(struct ingest *in, struct ingest_thread *thread,
                          const struct snap_sample *sample)
{
    struct address_space *space = space_of(in, sample->pid);
    uint64_t start_ns = now_ns();
    enum status status = STATUS_BAD_DATA;

    if (space)
        status = unwinder_chain(in->unwinder, space, sample, &thread->chain);
    if (status == STATUS_OK)
        status = profile_chain(in->profile, &thread->chain, &thread->chain_id);
    in->unwind_ns += now_ns() - start_ns;
    thread->has_chain = status == STATUS_OK;
    return status;
}

static enum status on_sample(struct ingest *in, const struct snap_sample *sample)
{
    struct ingest_thread *thread = thread_of(in, sample->tid);
    struct weights weights = {.value = {[WEIGHT_SAMPLES] = 1, [WEIGHT_WALL] = sample->wall_ns}};
    enum status status;

    if (!thread)
        return STATUS_OK;
    if (!sample->repeat || !thread->has_chain) {
        status = unwind(in, thread, sample);
        if (status != STATUS_OK)
            return status;
    }
    /*
     * CPU time was used by what ran, not by what the thread sleeps in now: what a sample that finds
     * it asleep brings is kept for the next that finds it running.
     */
    thread->cpu_ns += sample->cpu_ns;
    if (sample->state == 'R') {
        weights.value[WEIGHT_CPU] = thread->cpu_ns;
        thread->cpu_ns = 0;
    }
    in->samples++;
    status = profile_weigh(in->profile, thread->profile_thread, thread->chain_id, &weights);
    if (status == STATUS_OK && in->sink && in->sink->sample)
        status = in->sink->sample(in->sink->context, thread->name, sample, &thread->chain);
    return status;
}

static enum status on_event(struct ingest *in, const struct snap_event *event)
{
    const struct ingest_sink *sink = in->sink;
    enum status status;

    switch (event->type) {
    case SNAP_PROCESS:
        status = on_process(in, &event->process);
        if (status == STATUS_OK && sink && sink->process)
            status = sink->process(sink->context, &event->process);
        return status;
    case SNAP_MAP:
        return on_map(in, &event->map);
    case SNAP_UNMAP: {
        struct address_space *space = space_of(in, event->range.pid);

        return space && event->range.start_addr < event->range.end_addr
                   ? address_space_remove(space, event->range.start_addr, event->range.end_addr)
                   : STATUS_OK;
    }
    case SNAP_CODE:
        return on_code(in, &event->range);
    case SNAP_THREAD:
        status = on_thread(in, &event->thread);
        if (status == STATUS_OK && sink && sink->thread)
            status = sink->thread(sink->context, &event->thread);
        return status;
    case SNAP_THREAD_END:
        if (thread_of(in, event->thread.tid))
            thread_clear(in, thread_of(in, event->thread.tid));
        return STATUS_OK;
    case SNAP_SAMPLE:
        return on_sample(in, &event->sample);
    case SNAP_SUMMARY:
        in->summary = event->summary;
        in->has_summary = true;
        return STATUS_OK;
    case SNAP_LOSS:
    case SNAP_REPEAT:
    case SNAP_IDLE:
        return STATUS_OK;
    }
    return STATUS_OK;
}

enum status ingest_run(struct ingest *in, struct snap_reader *reader, struct diag *diag)
{
    struct snap_event event;
    enum status status;

    while ((status = snap_reader_next(reader, &event, diag)) == STATUS_OK) {
        status = on_event(in, &event);
        if (status != STATUS_OK) {
            diag_set(diag, NULL, "%s", status_name(status));
            break;
        }
    }
    forget_snapshot(in);
    return status == STATUS_END ? STATUS_OK : status;
}
