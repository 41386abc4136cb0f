/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/tracing.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/ptrace/program.h"
#include "capture/ptrace/restart.h"
#include "capture/ptrace/seize.h"

/* A stop, in the terms of ptrace(2). */
enum stop {
    STOP_SIGNAL,  /* signal-delivery-stop: go on with the signal */
    STOP_GROUP,   /* group-stop: PTRACE_LISTEN, so that job control works */
    STOP_TRAP,    /* PTRACE_INTERRUPT, a new thread's first stop, or the end of a group stop */
    STOP_NEWBORN, /* clone, fork or vfork was called: the child reports itself */
    STOP_EXEC,
};

static bool stops_group(int signal)
{
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static enum stop classify(int status)
{
    switch (status >> 16) {
    case PTRACE_EVENT_CLONE:
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
        return STOP_NEWBORN;
    case PTRACE_EVENT_EXEC:
        return STOP_EXEC;
    case PTRACE_EVENT_STOP:
        return stops_group(WSTOPSIG(status)) ? STOP_GROUP : STOP_TRAP;
    }
    return STOP_SIGNAL;
}

/* Has an interrupted system call made again; see restart.h. */
static void restart_call(struct ptrace_state *st, const struct target_thread *thread)
{
    struct ptrace_thread *own = ptrace_thread_of(thread);
    const struct regset *regset = st->regset_of == thread ? &st->regset : NULL;
    uint64_t hash;

    if (own->restart) {
        hash = restart_interrupted(st->regs, thread->tid, regset, own->handles);
        if (hash)
            own->set_back = hash;
    }
    own->restart = false;
    st->regset_of = NULL;
}

/* ESRCH, as elsewhere: the thread was killed while stopped; waitpid reports its end. */
void tracing_resume(void *state, struct target_thread *thread)
{
    struct ptrace_thread *own = ptrace_thread_of(thread);
    struct ptrace_state *st = state;

    restart_call(st, thread);
    if (thread->tid == st->command)
        st->command_runs = true;
    if (own->listening)
        ptrace(PTRACE_LISTEN, thread->tid, NULL, NULL);
    else
        ptrace(PTRACE_CONT, thread->tid, NULL, (long)own->signal);
}

/* A thread in a group stop stays in it. */
enum status tracing_detach(void *state, struct target_thread *thread)
{
    restart_call(state, thread);
    return ptrace(PTRACE_DETACH, thread->tid, NULL, (long)ptrace_thread_of(thread)->signal) == 0
               ? STATUS_OK
               : STATUS_NOT_FOUND;
}

/* ESRCH: it is ending, or in a stop that waitpid has yet to report, which is used instead. */
enum status tracing_interrupt(void *state, struct target_thread *thread)
{
    if (ptrace(PTRACE_INTERRUPT, thread->tid, NULL, NULL) == 0 || errno != ESRCH)
        return STATUS_OK;
    return tracee_is_gone(state, thread) ? STATUS_NOT_FOUND : STATUS_OK;
}

/*
 * Adds a thread with an unknown tid: the kernel attached it for us, and its first stop may come
 * before its parent's clone event. A clone() without CLONE_THREAD looks like a thread to the
 * tracer; it is another process, and let go unless forks are followed; as is a thread that was
 * attached by mistake.
 */
static struct target_thread *adopt(struct ptrace_state *st, pid_t tid, int status)
{
    const struct backend_host *host = st->host;
    const long signal = classify(status) == STOP_SIGNAL ? WSTOPSIG(status) : 0;
    /* Else another thread called exec and took the place of the first one, which had ended. */
    const bool made = classify(status) != STOP_EXEC;
    pid_t pid = tid == st->stranger ? 0 : (pid_t)proc_status(tid, "Tgid", 0);
    struct target_process *process = pid ? host->add_process(host->context, pid, tid) : NULL;
    struct target_thread *thread =
        process ? host->add_thread(host->context, process, tid, made) : NULL;

    if (!thread)
        ptrace(PTRACE_DETACH, tid, NULL, signal);
    if (tid == st->stranger)
        st->stranger = 0;
    return thread;
}

pid_t tracing_find_made(void *state, pid_t tid)
{
    uint64_t tracer, pid;
    char text[4096];
    ssize_t n = proc_readf(text, sizeof(text), "/proc/%d/status", (int)tid);

    (void)state;
    if (n <= 0 || !proc_parse_status(text, (size_t)n, "TracerPid", &tracer) ||
        tracer != (uint64_t)getpid() || !proc_parse_status(text, (size_t)n, "Tgid", &pid))
        return 0;
    return (pid_t)pid;
}

/*
 * Is an interrupted call to be made again? Without us this stop, or an ignored signal, would not
 * have ended it. A real group stop would have (signal(7)).
 */
static bool is_restart_due(struct ptrace_state *st, const struct target_thread *thread,
                           enum stop stop, int signal)
{
    struct ptrace_thread *own = ptrace_thread_of(thread);

    if (stop != STOP_SIGNAL)
        return stop == STOP_TRAP && !own->listening;
    if (!st->regs->call_insn ||
        !(proc_status_mask(thread->tid, "SigCgt", UINT64_MAX) >> (signal - 1) & 1))
        return !stops_group(signal);
    own->handles = true;
    /* The kernel will not look at the call again, even if other stops came between. */
    if (own->set_back)
        restart_fail(st->regs, thread->tid, own->set_back);
    own->set_back = 0;
    return false;
}

/* Describes a stop as an event. A signal that stopped the thread is passed on in any case. */
static void report_stop(struct ptrace_state *st, struct target_thread *thread, int status,
                        struct backend_event *event)
{
    struct ptrace_thread *own = ptrace_thread_of(thread);
    enum stop stop = classify(status);
    unsigned long message = 0;

    *event = (struct backend_event){.kind = EVENT_STOPPED,
                                    .thread = thread,
                                    .seen_ns = clock_now_ns(),
                                    .by_signal = stop == STOP_SIGNAL,
                                    .stays = stop == STOP_GROUP};
    own->signal = stop == STOP_SIGNAL ? WSTOPSIG(status) : 0;
    own->restart = is_restart_due(st, thread, stop, own->signal);
    own->listening = stop == STOP_GROUP;
    if (ptrace_was_left(thread->process) && tracee_tells_program(st, thread))
        stop = STOP_EXEC;
    if (stop == STOP_NEWBORN) {
        event->kind = EVENT_CREATED;
        if (ptrace(PTRACE_GETEVENTMSG, thread->tid, NULL, &message) == 0)
            event->made = (pid_t)message;
    } else if (stop == STOP_EXEC) {
        event->kind = EVENT_EXEC;
        if (ptrace_was_left(thread->process))
            tracee_forget_program(thread->process);
        event->other_machine = !program_fits(st, thread->process->pid);
        /*
         * The thread's usage is read next: a ptrace request waits until it is off its CPU, where
         * the kernel's count is exact.
         */
        (void)ptrace(PTRACE_GETEVENTMSG, thread->tid, NULL, &message);
    }
}

bool tracing_next(void *state, struct backend_event *event)
{
    struct ptrace_state *st = state;
    const struct backend_host *host = st->host;
    struct target_thread *thread;
    int status;
    pid_t tid = seize_next(st, &status);

    if (tid <= 0)
        return false;
    *event = (struct backend_event){.kind = EVENT_NONE};
    thread = host->find_thread(host->context, tid);
    if (st->regset_of == thread)
        st->regset_of = NULL;
    if (status == SEIZE_STATUS_REPLACED) {
        *event = (struct backend_event){.kind = EVENT_ENDED, .thread = thread};
    } else if (WIFEXITED(status) || WIFSIGNALED(status)) {
        *event = (struct backend_event){.kind = EVENT_ENDED,
                                        .thread = thread,
                                        .command_ended = tid == st->command,
                                        .command_status = status};
        if (event->command_ended)
            st->command = 0;
        if (tid == st->stranger)
            st->stranger = 0;
    } else if (WIFSTOPPED(status)) {
        if (!thread)
            thread = adopt(st, tid, status);
        if (thread)
            report_stop(st, thread, status, event);
    }
    return true;
}
