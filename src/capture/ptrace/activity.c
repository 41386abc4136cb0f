/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/activity.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "capture/ptrace/restart.h"

/*
 * A blocked thread that was stopped and let go runs for some microseconds to block again; if for
 * longer, it did something else.
 */
#define REBLOCK_NS 100000u

static ssize_t read_kept(int fd, char *buffer, size_t size)
{
    ssize_t n = pread(fd, buffer, size, 0);

    return n < 0 ? -errno : n;
}

/* Reads a thread's file, by a descriptor that is kept while there are enough; or -errno. */
static ssize_t read_thread_file(struct ptrace_state *st, const struct target_thread *thread,
                                int *fd, const char *name, char *buffer, size_t size)
{
    /* Leave room for the descriptors that leaving threads needs. */
    const int max = fd == &ptrace_thread_of(thread)->stat_fd ? st->fd_max / 2 : st->fd_max;
    char path[48];

    if (*fd >= 0)
        return read_kept(*fd, buffer, size);
    snprintf(path, sizeof(path), "%d/%s", (int)thread->tid, name);
    if (st->keep_fds) {
        *fd = openat(ptrace_task_fd(thread), path, O_RDONLY | O_CLOEXEC);
        if (*fd >= 0 && *fd < max)
            return read_kept(*fd, buffer, size);
        if (max == st->fd_max && (*fd >= 0 || errno == EMFILE || errno == ENFILE))
            st->keep_fds = false;
        if (*fd >= 0)
            close(*fd);
        *fd = -1;
    }
    return proc_read(ptrace_task_fd(thread), path, buffer, size);
}

/* proc_read_stat by a kept descriptor. */
static ssize_t read_stat(struct ptrace_state *st, const struct target_thread *thread,
                         struct proc_stat *out)
{
    char text[512];
    ssize_t n = read_thread_file(st, thread, &ptrace_thread_of(thread)->stat_fd, "stat", text,
                                 sizeof(text));

    return n <= 0 || proc_parse_stat(text, (size_t)n, out) ? n : 0;
}

/* Kernels that do not count have no such file, or zeroes in it: but this process has had a CPU. */
bool activity_has_schedstat(void)
{
    struct proc_schedstat own;
    char text[96];
    ssize_t n = proc_read(AT_FDCWD, "/proc/self/schedstat", text, sizeof(text));

    return n > 0 && proc_parse_schedstat(text, (size_t)n, &own) && own.switches;
}

/*
 * Without schedstat: CPU time in clock ticks, and count of switches, which includes a stop's own as
 * soon as the thread has stopped.
 */
static bool usage_by_stat(struct ptrace_state *st, const struct target_thread *thread,
                          struct proc_schedstat *out)
{
    const uint64_t tick_ns = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
    const uint64_t own = proc_status(thread->tid, "voluntary_ctxt_switches", UINT64_MAX);
    struct proc_stat stat;

    if (own == UINT64_MAX || read_stat(st, thread, &stat) <= 0)
        return false;
    *out = (struct proc_schedstat){.run_ns = stat.cpu_ticks * tick_ns,
                                   .switches = own + proc_status(thread->tid,
                                                                 "nonvoluntary_ctxt_switches", 0)};
    return true;
}

bool activity_usage(void *state, struct target_thread *thread, struct proc_schedstat *out)
{
    struct ptrace_thread *own = ptrace_thread_of(thread);
    const struct ptrace_state *st = state;
    char text[96];
    ssize_t n;

    if (!st->has_schedstat)
        return usage_by_stat(state, thread, out);
    n = read_thread_file(state, thread, &own->schedstat_fd, "schedstat", text, sizeof(text));
    return n > 0 && proc_parse_schedstat(text, (size_t)n, out);
}

bool activity_usage_stopped(void *state, struct target_thread *thread, struct proc_schedstat *out)
{
    if (!activity_usage(state, thread, out))
        return false;
    ptrace_thread_of(thread)->stopped_at = *out;
    return true;
}

int activity_last_cpu(void *state, const struct target_thread *thread)
{
    struct proc_stat stat;

    return read_stat(state, thread, &stat) > 0 ? stat.cpu : -1;
}

/* One system call: the kernel charges all threads at ticks and when they leave a CPU. */
uint64_t activity_process_usage(void *state, const struct target_process *process)
{
    /* As of clock_getcpuclockid, which asks the kernel each time whether the process exists. */
    const clockid_t id = (clockid_t)((~(unsigned)process->pid << 3) | 2);
    struct timespec time;

    (void)state;
    if (clock_gettime(id, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void read_call(struct ptrace_state *st, struct target_thread *thread, struct activity *out)
{
    struct ptrace_thread *own = ptrace_thread_of(thread);
    char text[256];
    ssize_t n = read_thread_file(st, thread, &own->syscall_fd, "syscall", text, sizeof(text));

    out->known = n > 0 && proc_parse_syscall(text, (size_t)n, &out->call);
}

/* For a runnable thread one read is enough: its system call file says so. */
bool activity_read(void *state, struct target_thread *thread, struct activity *out)
{
    const struct ptrace_thread *own = ptrace_thread_of(thread);
    struct proc_stat stat;
    ssize_t n;

    out->state = own->listening ? 'T' : 'R';
    read_call(state, thread, out);
    if (own->listening || (out->known && out->call.running))
        return true;
    n = read_stat(state, thread, &stat);
    if (n == -ENOENT || n == -ESRCH)
        return false;
    if (n <= 0) {
        out->state = out->known ? 'S' : 'R';
        return true;
    }
    /* Only we trace it: it is in a stop that is not handled yet, as when it was made. */
    if (stat.state == 't') {
        out->state = 'R';
        out->call.running = true;
        return true;
    }
    out->state = stat.state;
    return stat.state != 'Z' && stat.state != 'X';
}

/* Does an interrupted call go on as restart_syscall, for the rest of its time? */
static bool goes_on_as_another(enum syscall call, const uint64_t *args)
{
    if (!(syscall_flags(call) & CALL_RESTARTS))
        return false;
    if (syscall_form(call) == FORM_FUTEX)
        return args[3]; /* the timeout */
    return syscall_form(call) != FORM_NO_OBJECT || !(args[1] & TIMER_ABSTIME);
}

/*
 * Our own stop makes a blocked thread run: it is woken to stop, let go, and switched to once more
 * to block again; twice if it was pushed off its CPU before it blocked, as our priority does. The
 * stop's switch is in `stopped_at`. Returns true if the thread did no more, and so has not run by
 * itself; otherwise every idle thread would be stopped in every round. It is in the same call, at
 * the same place, for the same lock or descriptor:
 *
 *     restart_syscall            a call with a timeout goes on: a new one would have its own number
 *     the same, one switch       a call without a timeout is made again
 *     the same, two switches     that, or it was woken and has made a new call: it has run
 *
 * Not noticed: a thread in a call without a timeout that was woken while it was stopped, ran for
 * less than REBLOCK_NS, and blocked at the same place.
 */
static bool only_reblocked(struct ptrace_state *st, struct target_thread *thread,
                           const struct proc_schedstat *now, const struct activity *last)
{
    const struct ptrace_thread *own = ptrace_thread_of(thread);
    const struct proc_syscall *old = &last->call;
    const uint64_t switches = now->switches - own->stopped_at.switches;
    struct activity activity;

    if (!own->was_blocked || switches < 1 || switches > 2 ||
        now->run_ns - own->stopped_at.run_ns > REBLOCK_NS)
        return false;
    read_call(st, thread, &activity);
    if (!activity.known || activity.call.running || activity.call.sp != old->sp ||
        activity.call.pc != old->pc || activity.call.args[0] != old->args[0])
        return false;
    if (goes_on_as_another(syscall_find(st->regs->arch->syscalls, old->nr), old->args))
        return syscall_find(st->regs->arch->syscalls, activity.call.nr) == CALL_RESTART_SYSCALL;
    return activity.call.nr == old->nr && switches == 1;
}

bool activity_has_run(void *state, struct target_thread *thread, const struct proc_schedstat *now,
                      const struct activity *last)
{
    struct ptrace_thread *own = ptrace_thread_of(thread);

    if (!last && !own->stopped_at.switches) {
        struct activity activity;
        read_call(state, thread, &activity);
        own->stopped_at = *now;
        return !activity.known || activity.call.running;
    }
    if (now->switches == own->stopped_at.switches && now->run_ns == own->stopped_at.run_ns) {
        struct activity activity = {.known = false};
        /* It may have run since, for less than a tick. */
        if (!((struct ptrace_state *)state)->has_schedstat)
            read_call(state, thread, &activity);
        return activity.known && activity.call.running;
    }
    if (!last || !only_reblocked(state, thread, now, last))
        return true;
    own->stopped_at = *now;
    own->was_blocked = false;
    return false;
}

void activity_settle(void *state, struct target_thread *thread, const uint64_t *values,
                     struct activity *activity)
{
    const struct ptrace_state *st = state;
    const struct arch *arch = st->regs->arch;
    struct ptrace_thread *own = ptrace_thread_of(thread);
    const struct proc_syscall *call = &activity->call;

    own->was_blocked = st->regset_of == thread && activity->known && !call->running &&
                       call->sp == values[arch->sp] &&
                       restart_same_place(st->regs, &st->regset, call, values[arch->pc]);
    if (activity->known && !call->running && !own->was_blocked) {
        activity->call.running = true;
        activity->state = 'R';
    }
}

bool activity_is_in_call(void *state, const struct target_thread *thread,
                         const struct activity *activity, const uint64_t *values)
{
    const struct ptrace_state *st = state;

    return st->regset_of == thread &&
           restart_is_due(st->regs, &st->regset, &activity->call, values[st->regs->arch->pc]);
}
