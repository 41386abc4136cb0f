/* SPDX-License-Identifier: MIT */
#include "capture/remapped.h"

#include <string.h>

#include "capture/mappings.h"
#include "capture/thread.h"

/* Readings of mappings that may change meanwhile. */
#define SETTLE_MAX 3u

/*
 * Is it a mapping without a file (code that is made at run time) that was known before the report,
 * as after mprotect? A file may have been mapped again, and be another.
 */
static bool is_known(const struct process *process, const struct cpu_mapped *mapped)
{
    const struct map_range *range = maps_find(&process->maps, mapped->start_addr);
    const struct exec_map *map = maps_find_exec(&process->maps, mapped->start_addr);

    return mapped->time_ns > process->maps_known_ns && !process->is_remapped && map &&
           map->start_addr == mapped->start_addr && map->end_addr == mapped->end_addr &&
           map->inode == mapped->inode && map->file_off == mapped->file_off && range &&
           !range->is_file;
}

/* Notes what was mapped; if the list is full its first two become one. */
static void note(struct process *process, const struct cpu_mapped *told)
{
    struct cpu_mapped *list = process->remapped, mapped = *told;
    const struct exec_map map = {.start_addr = told->start_addr,
                                 .end_addr = told->end_addr,
                                 .inode = told->inode};

    if (is_known(process, told))
        return;
    if (modules_forget_remapped(&process->modules, &map, told->time_ns)) {
        process->is_code_stale = true;
        /* in doubt until mappings are read again */
        if (mapped.time_ns <= process->maps_known_ns)
            mapped.time_ns = process->maps_known_ns + 1;
    }
    process->is_remapped |= mapped.time_ns > process->maps_known_ns;
    if (process->remapped_len == PROCESS_REMAPPED_MAX) {
        if (list[0].start_addr < list[1].start_addr)
            list[1].start_addr = list[0].start_addr;
        if (list[0].end_addr > list[1].end_addr)
            list[1].end_addr = list[0].end_addr;
        if (list[0].time_ns > list[1].time_ns)
            list[1].time_ns = list[0].time_ns;
        memmove(list, list + 1, (PROCESS_REMAPPED_MAX - 1) * sizeof(*list));
        process->remapped_len--;
    }
    list[process->remapped_len++] = mapped;
}

static void note_all(struct capture *cap)
{
    struct cpu_mapped mapped;

    while (cap->target.backend->clock_mapped(cap->target.state, &mapped)) {
        struct process *process = process_find(cap, mapped.pid);

        if (process)
            note(process, &mapped);
        for (size_t i = 0; !mapped.pid && i < cap->process_len; i++)
            cap->processes[i]->is_untold = true;
    }
}

/* Returns whether mappings are to be read. */
static bool is_due(const struct capture *cap)
{
    bool any = false;

    for (size_t i = 0; i < cap->process_len; i++)
        any = any || cap->processes[i]->is_remapped || cap->processes[i]->is_untold;
    return any;
}

static void read_remapped(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];

        if ((!process->is_remapped && !process->is_untold) ||
            !mappings_renew(cap, process, process_live_tid(process)))
            continue;
        process->is_remapped = false;
        /* What has changed was not told: all that is older is doubtful. */
        if (process->is_untold && process->maps_changed_ns == process->maps_known_ns)
            note(process,
                 &(struct cpu_mapped){.time_ns = process->maps_known_ns, .end_addr = UINT64_MAX});
        process->is_untold = false;
    }
}

/* Do the mappings that are known have other code there than those of the sample's time? */
static bool is_other(const struct process *process, uint64_t time_ns, uint64_t addr)
{
    for (unsigned i = 0; i < process->remapped_len; i++) {
        const struct cpu_mapped *mapped = &process->remapped[i];

        if (addr >= mapped->start_addr && addr < mapped->end_addr &&
            (mapped->time_ns > time_ns || mapped->time_ns > process->maps_known_ns))
            return maps_find_exec(&process->maps, addr) != NULL;
    }
    return false;
}

/* Has code been mapped since the sample, or since mappings were read? */
static bool is_doubtful(const struct process *process, uint64_t time_ns)
{
    for (unsigned i = 0; i < process->remapped_len; i++)
        if (process->remapped[i].time_ns > time_ns ||
            process->remapped[i].time_ns > process->maps_known_ns)
            return true;
    return false;
}

struct reference_to_other {
    const struct process *process;
    uint64_t time_ns;
};

static bool refers_to_other(void *context, uint64_t addr)
{
    const struct reference_to_other *reference = context;

    return is_other(reference->process, reference->time_ns, addr);
}

bool remapped_is_told(const struct capture *cap)
{
    return cap->clock != NO_CLOCK && cap->target.backend->clock_mapped;
}

void remapped_settle(struct capture *cap)
{
    if (!remapped_is_told(cap))
        return;
    note_all(cap);
    for (unsigned i = 0; i < SETTLE_MAX && is_due(cap); i++) {
        read_remapped(cap);
        note_all(cap);
    }
}

void remapped_mark(struct capture *cap, struct pending_sample *sample)
{
    struct reference_to_other reference = {sample->thread->process, sample->time_ns};

    if (sample->mapped_ns > reference.time_ns)
        reference.time_ns = sample->mapped_ns;
    if (remapped_is_told(cap))
        note_all(cap);
    sample->outdated =
        sample->outdated || (is_doubtful(reference.process, reference.time_ns) &&
                             pending_sample_refers(cap, sample, refers_to_other, &reference));
}

/* Code that is made at run time is in mappings without a file, which grow. */
void remapped_note_changes(const struct capture *cap, struct process *process,
                           const struct maps *maps)
{
    for (size_t i = 0; !remapped_is_told(cap) && i < process->maps.exec_len; i++) {
        const struct exec_map *old = &process->maps.execs[i];
        const struct exec_map *now = maps_find_exec(maps, old->start_addr);

        /* mprotect divides mappings */
        if (old->inode && !(now && exec_map_continues(old, now)))
            remapped_note_replaced(process, old);
    }
}

void remapped_note_replaced(struct process *process, const struct exec_map *map)
{
    modules_forget(&process->modules, map);
    code_deinit(&process->code);
    process->maps_unwritten = true;
    note(process, &(struct cpu_mapped){.time_ns = process->maps_known_ns,
                                       .start_addr = map->start_addr,
                                       .end_addr = map->end_addr});
}
