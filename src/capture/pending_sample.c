#include "capture/pending_sample.h"

#include <stdio.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "base/vec.h"
#include "capture/mappings.h"
#include "capture/restart.h"
#include "capture/waits.h"

/*
 * What was read of the thread before the interrupt may have been overtaken: it stands only if the
 * stop found the thread where it was.
 */
static void settle_activity(const struct capture *cap, struct thread *thread,
                            const struct regset *regset, struct pending_sample *sample)
{
    const struct proc_syscall *call = &sample->before.call;

    thread->was_blocked =
        sample->before.known && !call->running && call->sp == sample->regs[cap->arch->sp] &&
        restart_same_place(cap->backend, regset, call, sample->regs[cap->arch->pc]);
    if (sample->before.known && !call->running && !thread->was_blocked) {
        sample->before.call.running = true;
        sample->before.state = 'R';
    }
    thread->before = sample->before;
}

/* The CPU time since the last sample, or since it was made: exact, as the thread is not on a CPU. */
static uint64_t cpu_since(struct thread *thread)
{
    struct proc_schedstat now;
    char text[96];
    ssize_t n = thread->schedstat_fd < 0 ? -1 : pread(thread->schedstat_fd, text, sizeof(text), 0);
    uint64_t used;

    if (thread->schedstat_fd < 0) {
        char path[32];
        snprintf(path, sizeof(path), "%d/schedstat", (int)thread->tid);
        n = proc_read(thread->process->task_fd, path, text, sizeof(text));
    }
    if (n <= 0 || !proc_parse_schedstat(text, (size_t)n, &now))
        return 0;
    used = thread->cpu_known && now.run_ns > thread->cpu_ns ? now.run_ns - thread->cpu_ns : 0;
    thread->cpu_ns = now.run_ns;
    thread->cpu_known = true;
    thread->stopped_at = now;
    return used;
}

void pending_sample_fail_other_program(struct capture *cap, const struct process *process)
{
    session_fail(cap, STATUS_UNSUPPORTED,
                 "process %d now runs a program of another word size or architecture",
                 (int)process->pid);
}

/* The registers to the next free pending sample, which is not counted yet. */
static enum status copy_regs(struct capture *cap, struct thread *thread, struct regset *regset,
                             struct pending_sample **out)
{
    enum status status = regset_read(thread->tid, regset);

    if (status != STATUS_OK)
        return status;
    if (regset->size != regset_size(cap->arch))
        return STATUS_UNSUPPORTED;
    if (vec_reserve(&cap->pending, &cap->pending_cap, cap->pending_len + 1,
                    sizeof(*cap->pending)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *out = &cap->pending[cap->pending_len];
    **out = (struct pending_sample){.thread = thread};
    regset_decode(regset, cap->arch, (*out)->regs);
    return STATUS_OK;
}

static enum status copy_stack(struct capture *cap, const struct regset *regset,
                              struct pending_sample *sample)
{
    const struct thread *thread = sample->thread;
    struct process *process = thread->process;
    const struct stack_request request = {
        .tid = thread->tid,
        .is_main = thread->tid == process->pid,
        .maps = &process->maps,
        .backend = cap->backend,
        .sp = sample->regs[cap->arch->sp] & cap->backend->addr_mask,
        .thread_pointer =
            cap->backend->thread_pointer(thread->tid, regset) & cap->backend->addr_mask,
        .page_size = cap->page_size,
        .limit = cap->options.stack_size,
    };
    enum status status = stack_copy(&request, &cap->arena, &sample->stack);

    process->maps_stale |= status != STATUS_OK || sample->stack.maps_stale;
    return status;
}

enum status pending_sample_take_sample(struct capture *cap, struct thread *thread, bool disturbed,
                                       struct regset *regset)
{
    struct pending_sample *sample;
    enum status status = copy_regs(cap, thread, regset, &sample);

    if (status == STATUS_UNSUPPORTED)
        pending_sample_fail_other_program(cap, thread->process);
    if (status != STATUS_OK)
        return status;
    sample->time_ns = thread->asked_ns;
    sample->repeats = thread->rounds_missed;
    sample->disturbed = disturbed;
    sample->before = thread->before;
    mappings_explain_held(cap, thread->process, thread->tid, sample->regs[cap->arch->pc]);
    status = copy_stack(cap, regset, sample);
    if (status != STATUS_OK)
        return status;
    sample->cpu_ns = cpu_since(thread);
    settle_activity(cap, thread, regset, sample);
    cap->pending_len++;
    return STATUS_OK;
}

void pending_sample_hold(struct capture *cap, struct pending_sample *sample,
                         const struct regset *regset, uint64_t time_ns)
{
    const struct activity *before = &sample->before;
    bool in_call = before->known && !before->call.running;

    waits_hold(cap, sample);
    /* One that came late is of an earlier round; a signal may end the call. */
    sample->held = !sample->repeats && !sample->disturbed &&
                   (!in_call || restart_is_due(cap->backend, regset, &before->call,
                                               sample->regs[cap->arch->pc]));
    if (sample->held)
        sample->time_ns = sample->memory.time_ns = time_ns;
}

pid_t pending_sample_take_creation(struct capture *cap, struct thread *thread)
{
    unsigned long made;
    struct regset regset;
    struct pending_sample *sample;

    if (ptrace(PTRACE_GETEVENTMSG, thread->tid, NULL, &made) != 0)
        return 0;
    if (cap->arena.used > cap->arena.size / 2 ||
        copy_regs(cap, thread, &regset, &sample) != STATUS_OK)
        return (pid_t)made;
    sample->made_tid = (pid_t)made;
    /* A sample that is due in this stop is of an earlier time, and written later. */
    sample->time_ns = thread->asked ? thread->asked_ns : session_now();
    if (copy_stack(cap, &regset, sample) == STATUS_OK)
        cap->pending_len++;
    return (pid_t)made;
}
