/* SPDX-License-Identifier: MIT */
#include "capture/usage.h"

#include "base/clock.h"
#include "capture/session.h"

#define INTERVAL_NS UINT64_C(1000000000)

static void read_usage(struct capture *cap, struct process *process)
{
    const struct target *target = &cap->target;
    struct process_usage *usage = &process->usage;
    uint64_t cpu_ns;

    if (!target_can(target, BACKEND_CPU_TIMES))
        return;
    cpu_ns = target->backend->process_usage(target->state, &process->target);
    /* Less, or 0: it has ended, and the number may be another's by now. */
    if (cpu_ns < usage->cpu_ns || !cpu_ns)
        return;
    usage->time_ns = clock_now_ns();
    usage->cpu_ns = cpu_ns;
}

void usage_read_behind(struct capture *cap, struct process *process, uint64_t time_ns)
{
    if (process->usage.time_ns < time_ns)
        read_usage(cap, process);
}

static void write_usage(struct capture *cap, struct process *process, uint64_t time_ns,
                        uint64_t cpu_ns)
{
    struct process_usage *usage = &process->usage;

    snap_writer_begin(cap->writer, SNAP_USAGE, false);
    snap_writer_u32(cap->writer, (uint32_t)process->target.pid);
    snap_writer_u64(cap->writer, time_ns);
    snap_writer_u64(cap->writer, cpu_ns);
    snap_writer_u64(cap->writer, cap->pace.period_ns);
    (void)!snap_writer_end(cap->writer); /* the writer keeps the error */
    usage->written = true;
    usage->written_cpu_ns = cpu_ns;
    usage->written_period_ns = cap->pace.period_ns;
}

void usage_record_first(struct capture *cap, struct process *process)
{
    if (process->made && !process->usage.written) {
        write_usage(cap, process, process->since_ns, 0);
        return;
    }
    process->usage.written = false;
    usage_record(cap, process);
}

void usage_record(struct capture *cap, struct process *process)
{
    const struct process_usage *usage = &process->usage;

    read_usage(cap, process);
    if (!usage->time_ns || (usage->written && usage->cpu_ns == usage->written_cpu_ns &&
                            cap->pace.period_ns == usage->written_period_ns))
        return;
    write_usage(cap, process, usage->time_ns, usage->cpu_ns);
}

void usage_record_all(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++)
        if (cap->processes[i]->announced)
            usage_record(cap, cap->processes[i]);
}

void usage_record_due(struct capture *cap, uint64_t now)
{
    if (now - cap->usage_ns < INTERVAL_NS && cap->pace.period_ns == cap->usage_period_ns)
        return;
    cap->usage_ns = now;
    cap->usage_period_ns = cap->pace.period_ns;
    usage_record_all(cap);
}
