/* SPDX-License-Identifier: MIT */
#include "capture/remapped.h"

#include <string.h>

#include "capture/mappings.h"
#include "capture/thread.h"

/* Readings of mappings that may change meanwhile. */
#define SETTLE_MAX 3u

static struct process *find_process(const struct capture *cap, pid_t pid)
{
    for (size_t i = 0; i < cap->process_len; i++)
        if (cap->processes[i]->target.pid == pid)
            return cap->processes[i];
    return NULL;
}

/* Notes what was mapped; of more than fit in the list the last. */
static void note(struct process *process, const struct cpu_mapped *mapped)
{
    process->is_remapped = true;
    if (process->remapped_len == PROCESS_REMAPPED_MAX) {
        memmove(process->remapped, process->remapped + 1,
                (PROCESS_REMAPPED_MAX - 1) * sizeof(process->remapped[0]));
        process->remapped_len--;
    }
    process->remapped[process->remapped_len++] = *mapped;
}

/* Returns whether a process of the target has mapped code since the last call. */
static bool note_all(struct capture *cap)
{
    struct cpu_mapped mapped;
    bool any = false;

    while (cap->target.backend->clock_mapped(cap->target.state, &mapped)) {
        struct process *process = find_process(cap, mapped.pid);

        if (process)
            note(process, &mapped);
        for (size_t i = 0; !mapped.pid && i < cap->process_len; i++)
            cap->processes[i]->is_remapped = true;
        any = any || process || !mapped.pid;
    }
    return any;
}

static pid_t live_thread(const struct process *process)
{
    for (size_t i = 0; i < process->thread_len; i++)
        if (!thread_has_ended(process->threads[i]))
            return process->threads[i]->target.tid;
    return 0;
}

static void read_remapped(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        const pid_t tid = process->is_remapped ? live_thread(process) : 0;

        if (tid && mappings_renew(cap, process, tid))
            process->is_remapped = false;
    }
}

/* Do the mappings that are known differ there from those of the sample's time? */
static bool is_other(const struct process *process, uint64_t time_ns, uint64_t addr)
{
    for (unsigned i = 0; i < process->remapped_len; i++) {
        const struct cpu_mapped *mapped = &process->remapped[i];

        if (addr >= mapped->start_addr && addr < mapped->end_addr &&
            (mapped->time_ns > time_ns || mapped->time_ns > process->maps_read_ns))
            return true;
    }
    return false;
}

/* Has code been mapped since the sample, or since mappings were read? */
static bool is_doubtful(const struct process *process, uint64_t time_ns)
{
    for (unsigned i = 0; i < process->remapped_len; i++)
        if (process->remapped[i].time_ns > time_ns ||
            process->remapped[i].time_ns > process->maps_read_ns)
            return true;
    return false;
}

static bool refers_to_other(const struct capture *cap, const struct pending_sample *sample)
{
    const struct target_machine *machine = &cap->target.machine;
    const uint64_t mask = machine->addr_mask & ~machine->pac_mask;
    const size_t step = machine->arch->word_size;
    const struct process *process = sample->thread->process;

    if (is_other(process, sample->time_ns, sample->regs[machine->arch->pc] & mask) ||
        (machine->arch->lr != REG_NONE &&
         is_other(process, sample->time_ns, sample->regs[machine->arch->lr] & mask)))
        return true;
    for (unsigned i = 0; i < sample->stack.count; i++) {
        const struct snap_region *region = &sample->stack.regions[i];
        const size_t size = (size_t)(region->end_addr - region->start_addr);

        for (size_t off = 0; off + step <= size; off += step) {
            uint64_t word = 0;

            memcpy(&word, region->bytes + off, step);
            if (is_other(process, sample->time_ns, word & mask))
                return true;
        }
    }
    return false;
}

void remapped_settle(struct capture *cap)
{
    if (cap->clock == NO_CLOCK || !cap->target.backend->clock_mapped)
        return;
    for (unsigned i = 0; i < SETTLE_MAX && note_all(cap); i++)
        read_remapped(cap);
    for (size_t i = 0; i < cap->pending_len; i++) {
        struct pending_sample *sample = &cap->pending[i];

        if (!sample->made_tid && !sample->outdated &&
            is_doubtful(sample->thread->process, sample->time_ns))
            sample->outdated = refers_to_other(cap, sample);
    }
}
