/* SPDX-License-Identifier: MIT */
#include "capture/targets.h"

#include "capture/mappings.h"

/*
 * A new thread is not sampled for this time, at most, while its maker, without a CPU, has not
 * reported it: the creation comes first.
 */
#define MAKER_NS UINT64_C(1000000000)

/* Was the process asked for by number, or are descendants or a cgroup looked for now? */
static bool is_looked_for(const struct capture *cap, pid_t pid)
{
    const struct capture_options *options = &cap->options;

    if (cap->wanted != WANT_FAMILY)
        return false;
    for (size_t i = 0; i < options->more_count; i++)
        if (options->more_pids[i] == pid)
            return true;
    return options->children || options->cgroup;
}

struct target_process *targets_add_process(void *context, pid_t pid, pid_t tid)
{
    struct capture *cap = context;
    struct process *process = process_find(cap, pid);
    const enum capture_wanted wanted = cap->wanted;

    if (session_detaches(cap))
        return NULL;
    if (!process &&
        (wanted == WANT_FIRST || is_looked_for(cap, pid) || cap->options.follow_forks)) {
        process = process_add(cap, pid);
        if (!process)
            session_fail(cap, STATUS_NO_MEMORY, "out of memory");
        if (wanted == WANT_FIRST)
            cap->wanted =
                cap->phase == CAPTURE_STARTS && session_is_family(cap) ? WANT_FAMILY : WANT_MADE;
        else if (process && wanted != WANT_FAMILY) {
            process->made = true;
            mappings_read(cap, process, tid);
        }
    }
    return process ? &process->target : NULL;
}

/*
 * A thread that is reported as made used no CPU time before. So did a listed one, made since the
 * others were left; unless it is the first thread, which another has become by exec.
 */
struct target_thread *targets_add_thread(void *context, struct target_process *process, pid_t tid,
                                         bool made)
{
    struct capture *cap = context;
    struct thread *thread = thread_add(cap, process_of(process), tid);

    if (!thread) {
        session_fail(cap, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    thread->used_known = (made || (cap->wanted == WANT_LEFT && tid != process->pid)) &&
                         target_can(&cap->target, BACKEND_CPU_TIMES);
    thread->phase = cap->wanted == WANT_LEFT ? THREAD_LEFT : THREAD_RUNS;
    if (made && target_can(&cap->target, BACKEND_CREATIONS))
        thread->maker_until_ns = thread->found_ns + MAKER_NS;
    return &thread->target;
}

struct target_thread *targets_find_thread(void *context, pid_t tid)
{
    struct thread *thread = thread_find(context, tid);

    return thread ? &thread->target : NULL;
}

void targets_read_maps(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len && cap->status == STATUS_OK; i++)
        if (!cap->processes[i]->maps_read_ns && cap->processes[i]->thread_len) {
            const pid_t tid = cap->processes[i]->threads[0]->target.tid;

            mappings_read(cap, cap->processes[i], tid);
            mappings_find_go(cap, cap->processes[i], tid);
        }
}

void targets_find_more(struct capture *cap)
{
    const struct target *target = &cap->target;

    cap->look_again = false;
    if (!target->backend->find_more || session_detaches(cap))
        return;
    cap->wanted = WANT_FAMILY;
    cap->result.refused = target->backend->find_more(target->state, &cap->result.refusal);
    cap->wanted = WANT_MADE;
    targets_read_maps(cap);
    cap->sweepable = true; /* processes none of whose threads could be attached to */
    session_sweep(cap);
}

void targets_adopt(struct capture *cap, pid_t tid)
{
    const struct target *target = &cap->target;
    struct thread *known = thread_find_last(cap, tid);
    struct target_process *process;
    struct target_thread *thread = NULL;
    pid_t pid;

    if (known) {
        known->maker_until_ns = 0;
        return;
    }
    pid = target->backend->find_made(target->state, tid);
    process = pid ? targets_add_process(cap, pid, tid) : NULL;
    if (process)
        thread = targets_add_thread(cap, process, tid, true);
    if (thread)
        thread_of(thread)->maker_until_ns = 0;
}
