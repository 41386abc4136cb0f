#include "capture/stops.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/activity.h"
#include "capture/attach.h"
#include "capture/mappings.h"
#include "capture/pending_sample.h"
#include "capture/restart.h"
#include "capture/waits.h"

/*
 * Enough for one call of stops_drain: a tracee that is sent signals without end must not keep us.
 */
#define DRAIN_MAX 1000u

/* A stop, in the terms of ptrace(2). */
enum stop {
    STOP_SIGNAL,  /* signal-delivery-stop: go on with the signal */
    STOP_GROUP,   /* group-stop: PTRACE_LISTEN, so that job control works */
    STOP_TRAP,    /* PTRACE_INTERRUPT, a new thread's first stop, or the end of a group stop */
    STOP_NEWBORN, /* clone, fork or vfork was called: the child reports itself */
    STOP_EXEC,
};

long stops_options(const struct capture *cap)
{
    long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;

    if (cap->options.tid_count)
        options = PTRACE_O_TRACEEXEC;
    if (cap->options.follow_forks)
        options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
    return options;
}

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

/* Slots 0 to 7 are a microsecond each; then eight for each power of two. */
static unsigned pause_slot(uint64_t us)
{
    unsigned log2, slot;

    if (us < CAPTURE_PAUSE_STEPS)
        return (unsigned)us;
    log2 = 63 - (unsigned)__builtin_clzll(us);
    slot = (log2 - 2) * CAPTURE_PAUSE_STEPS + (unsigned)(us >> (log2 - 3) & 7);
    return slot < CAPTURE_PAUSE_SLOTS ? slot : CAPTURE_PAUSE_SLOTS - 1;
}

double capture_pause_us(unsigned slot)
{
    if (slot < CAPTURE_PAUSE_STEPS)
        return slot;
    return (double)(UINT64_C(8) + slot % CAPTURE_PAUSE_STEPS) *
           (double)(UINT64_C(1) << (slot / CAPTURE_PAUSE_STEPS - 1));
}

static void count_pause(struct capture *cap, uint64_t since_ns)
{
    uint64_t ns = session_now() - since_ns;

    cap->result.stopped_ns += ns;
    if (ns > cap->result.stopped_max_ns)
        cap->result.stopped_max_ns = ns;
    cap->result.pauses[pause_slot(ns / 1000)]++;
}

/*
 * Lets a stopped thread go on. ESRCH, here and everywhere, says that the thread was killed while
 * stopped; its end is reported by waitpid.
 */
static void resume(struct capture *cap, struct thread *thread, enum stop stop, int signal)
{
    if (cap->detaching) {
        /* From a group stop it goes to one without us. */
        if (ptrace(PTRACE_DETACH, thread->tid, NULL, (long)signal) == 0)
            thread_ended(cap, thread);
        return;
    }
    thread->listening = stop == STOP_GROUP;
    if (thread->listening)
        ptrace(PTRACE_LISTEN, thread->tid, NULL, NULL);
    else
        ptrace(PTRACE_CONT, thread->tid, NULL, (long)signal);
}

void stops_ask(struct capture *cap, struct thread *thread)
{
    if (!thread->asked)
        cap->asked++;
    thread->asked = true;
    thread->rounds_missed = 0;
    /*
     * ESRCH: it is ending, or stopped for something that waitpid has yet to tell; then that stop is
     * used.
     */
    if (ptrace(PTRACE_INTERRUPT, thread->tid, NULL, NULL) != 0 && errno == ESRCH)
        stops_check(cap, thread);
}

void stops_check(struct capture *cap, struct thread *thread)
{
    if (cap->options.tid_count && !thread->ended &&
        proc_status(thread->tid, "TracerPid", 0) != (uint64_t)getpid())
        thread_ended(cap, thread);
}

/* A sample that was due is not taken; record.c writes that down. */
static void lose(struct capture *cap, const struct thread *thread, enum snap_loss reason)
{
    cap->losses[reason] += 1 + thread->rounds_missed;
    cap->lossy = true;
}

/* The sample that is due, if it can be taken now. True: `regset` holds the registers. */
static bool answer(struct capture *cap, struct thread *thread, bool disturbed,
                   struct regset *regset)
{
    enum status status = STATUS_OK;

    if (cap->output_blocked) {
        lose(cap, thread, SNAP_LOSS_ROUND);
    } else {
        status = pending_sample_take_sample(cap, thread, disturbed, regset);
        if (status != STATUS_OK)
            lose(cap, thread, status == STATUS_NOT_FOUND ? SNAP_LOSS_GONE : SNAP_LOSS_UNREADABLE);
    }
    thread_answered(cap, thread);
    return !cap->output_blocked && status == STATUS_OK;
}

/* Has an interrupted system call made again; see restart.h. */
static void restart_call(struct capture *cap, struct thread *thread, const struct regset *regset)
{
    uint64_t hash = restart_interrupted(cap->backend, thread->tid, regset, thread->handles);

    if (hash)
        thread->set_back = hash;
}

void stops_release(struct capture *cap)
{
    uint64_t now = session_now();
    struct regset regset;

    cap->holding = false;
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        for (size_t k = 0; k < process->thread_len; k++)
            if (process->threads[k]->held && !process->threads[k]->ended &&
                answer(cap, process->threads[k], process->threads[k]->held_signal != 0, &regset))
                pending_sample_hold(cap, &cap->pending[cap->pending_len - 1], &regset, now);
    }
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        for (size_t k = 0; k < process->thread_len; k++) {
            struct thread *thread = process->threads[k];
            if (!thread->held || thread->ended)
                continue;
            thread->held = false;
            if (thread->held_restart)
                restart_call(cap, thread, NULL);
            resume(cap, thread, thread->listening ? STOP_GROUP : STOP_TRAP, thread->held_signal);
            count_pause(cap, thread->held_ns);
        }
    }
}

/* The process of a thread that has come; NULL: it is none of ours. */
static struct process *process_of(struct capture *cap, pid_t pid, pid_t tid)
{
    struct process *process = process_find(cap, pid);

    if (process || !pid || !cap->options.follow_forks || cap->detaching)
        return process;
    process = process_add(cap, pid);
    if (process)
        mappings_read(process, tid);
    return process;
}

/* We are told of threads from their beginning, before which they used no CPU time. */
static struct thread *add_made(struct capture *cap, struct process *process, pid_t tid)
{
    struct thread *thread = thread_add(cap, process, tid);

    if (thread)
        thread->cpu_known = true;
    return thread;
}

/*
 * A tid that we do not know: a child that the kernel attached for us, whose first stop may come
 * before its parent's clone event does, so that events are not needed to know of it. A clone()
 * without CLONE_THREAD looks like a thread to the tracer; it is another process, and let go unless
 * forks are followed.
 */
static struct thread *adopt(struct capture *cap, pid_t tid, int status)
{
    const long signal = classify(status) == STOP_SIGNAL ? WSTOPSIG(status) : 0;
    struct process *process = process_of(cap, (pid_t)proc_status(tid, "Tgid", 0), tid);
    struct thread *thread;

    if (!process || cap->detaching) {
        ptrace(PTRACE_DETACH, tid, NULL, signal);
        return NULL;
    }
    thread = add_made(cap, process, tid);
    if (thread)
        thread->maker_due = true;
    else
        ptrace(PTRACE_DETACH, tid, NULL, signal);
    return thread;
}

/*
 * The parent's event: its CREATION wants the child known, whose first stop may be yet to come. One
 * that was killed may have been reaped already; then nothing would tell of its end.
 */
static void adopt_early(struct capture *cap, pid_t tid)
{
    struct thread *known = thread_find_last(cap, tid);
    struct process *process;
    uint64_t tracer, pid;
    char text[4096];
    ssize_t n;

    if (known) {
        known->maker_due = false;
        return;
    }
    n = proc_readf(text, sizeof(text), "/proc/%d/status", (int)tid);
    if (n <= 0 || !proc_parse_status(text, (size_t)n, "TracerPid", &tracer) ||
        tracer != (uint64_t)getpid() || !proc_parse_status(text, (size_t)n, "Tgid", &pid))
        return;
    process = process_of(cap, (pid_t)pid, tid);
    if (process)
        (void)add_made(cap, process, tid);
}

/*
 * What it has used until now, which its next program is not to be charged with. A ptrace request
 * waits until the thread is off its CPU, where the kernel's count is exact.
 */
static void count_cpu_anew(struct capture *cap, struct thread *thread)
{
    struct proc_schedstat used;
    unsigned long former_tid;

    (void)ptrace(PTRACE_GETEVENTMSG, thread->tid, NULL, &former_tid);
    thread->cpu_known = activity_read_schedstat(cap, thread, &used);
    if (thread->cpu_known)
        thread->cpu_ns = used.run_ns;
}

/*
 * exec: the calling thread has become the first one, with its tid, and the others are gone; some of
 * them may still be reported as ended, or never be. What was known of the old image is forgotten.
 */
static void handle_exec(struct capture *cap, struct thread *thread)
{
    struct process *process = thread->process;

    for (size_t i = 0; i < cap->pending_len; i++)
        if (cap->pending[i].thread->process == process)
            cap->pending[i].outdated = true;
    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *other = process->threads[i];
        if (other == thread)
            continue;
        other->replaced = true; /* also if its end was reported, but is not written down yet */
        if (!other->ended)
            thread_ended(cap, other);
    }
    thread_begin_anew(thread);
    count_cpu_anew(cap, thread);
    process->since_ns = thread->found_ns;
    thread->announced = false;
    thread->held = false;
    thread->listening = false;
    if (thread->asked)
        lose(cap, thread, SNAP_LOSS_GONE);
    thread_answered(cap, thread);
    process->announced = false;
    process->rest_known = false;
    modules_deinit(&process->modules);
    code_deinit(&process->code);
    mappings_read(process, thread->tid);
    cap->dirty = true;
    if (!attach_fits(cap, process->pid))
        pending_sample_fail_other_program(cap, process);
}

/*
 * Without us a stop, or a signal that is ignored, would not have ended a system call. A real group
 * stop would have (signal(7)), so that is left alone.
 */
static bool is_restart_due(struct capture *cap, struct thread *thread, enum stop stop, int signal)
{
    if (stop != STOP_SIGNAL)
        return stop == STOP_TRAP && !thread->listening;
    if (!cap->backend->call_insn ||
        !(proc_status_mask(thread->tid, "SigCgt", UINT64_MAX) >> (signal - 1) & 1))
        return !stops_group(signal);
    thread->handles = true;
    /*
     * The kernel will not look at the call again. Other stops may lie between, if the thread had to
     * wait for a CPU.
     */
    if (thread->set_back)
        restart_fail(cap->backend, thread->tid, thread->set_back);
    thread->set_back = 0;
    return false;
}

/*
 * Any ptrace stop clears an interrupt that is under way, so a sample that is due is taken in
 * whatever stop comes first. A signal that stopped the thread is passed on in every case.
 */
static void handle_stop(struct capture *cap, struct thread *thread, int status)
{
    uint64_t seen_ns = session_now();
    enum stop stop = classify(status);
    int signal = stop == STOP_SIGNAL ? WSTOPSIG(status) : 0;
    bool restart = is_restart_due(cap, thread, stop, signal);
    bool have_regs = false;
    struct regset regset;
    pid_t made = 0;

    if (thread->dormant)
        thread->process->rest_known = false;
    thread->dormant = false;
    if (stop == STOP_NEWBORN && cap->writer && !cap->output_blocked && !cap->detaching)
        made = pending_sample_take_creation(cap, thread);
    if (stop == STOP_EXEC) {
        handle_exec(cap, thread);
    } else if (thread->asked && cap->holding && !cap->output_blocked && !cap->detaching) {
        thread->held = true;
        thread->held_restart = restart;
        thread->held_signal = signal;
        thread->held_ns = seen_ns;
        thread->listening = stop == STOP_GROUP;
        if (made)
            adopt_early(cap, made);
        return;
    } else if (thread->asked) {
        have_regs = answer(cap, thread, stop == STOP_SIGNAL, &regset);
    }
    if (restart)
        restart_call(cap, thread, have_regs ? &regset : NULL);
    resume(cap, thread, stop, signal);
    if (stop != STOP_GROUP)
        count_pause(cap, seen_ns);
    if (made)
        adopt_early(cap, made);
}

void stops_handle(struct capture *cap, pid_t tid, int status)
{
    struct thread *thread = thread_find(cap, tid);

    if (WIFEXITED(status) || WIFSIGNALED(status)) {
        if (thread)
            thread_ended(cap, thread);
        if (tid == cap->command) {
            cap->result.command_ended = true;
            cap->result.command_status = status;
        }
        return;
    }
    if (!WIFSTOPPED(status))
        return;
    if (!thread)
        thread = adopt(cap, tid, status);
    if (thread)
        handle_stop(cap, thread, status);
}

void stops_drain(struct capture *cap)
{
    int status;

    for (unsigned i = 0; i < DRAIN_MAX; i++) {
        pid_t tid = waitpid(-1, &status, WNOHANG | __WALL);
        if (tid <= 0)
            return;
        stops_handle(cap, tid, status);
    }
    /* There may be more, and the SIGCHLD that told of it is spent: come again at once. */
    raise(SIGCHLD);
}
