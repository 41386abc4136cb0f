#include "capture/activity.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/*
 * A blocked thread that was stopped and let go runs for some microseconds to block again. More than
 * this, and it did something else.
 */
#define REBLOCK_NS 100000u

static ssize_t read_kept(int fd, char *buffer, size_t size)
{
    ssize_t n = pread(fd, buffer, size, 0);

    return n < 0 ? -errno : n;
}

/*
 * Reads a file of the thread, through a descriptor that is kept while there are enough of them. A
 * negative errno on failure.
 */
static ssize_t read_thread_file(struct capture *cap, const struct thread *thread, int *fd,
                                const char *name, char *buffer, size_t size)
{
    char path[48];

    if (*fd >= 0)
        return read_kept(*fd, buffer, size);
    snprintf(path, sizeof(path), "%d/%s", (int)thread->tid, name);
    if (cap->keep_fds) {
        *fd = openat(thread->process->task_fd, path, O_RDONLY | O_CLOEXEC);
        if (*fd >= 0 && *fd < cap->fd_max)
            return read_kept(*fd, buffer, size);
        if (*fd >= 0 || errno == EMFILE || errno == ENFILE)
            cap->keep_fds = false;
        if (*fd >= 0)
            close(*fd);
        *fd = -1;
    }
    return proc_read(thread->process->task_fd, path, buffer, size);
}

bool activity_read_schedstat(struct capture *cap, struct thread *thread, struct proc_schedstat *out)
{
    char text[96];
    ssize_t n =
        read_thread_file(cap, thread, &thread->schedstat_fd, "schedstat", text, sizeof(text));

    return n > 0 && proc_parse_schedstat(text, (size_t)n, out);
}

static void read_call(struct capture *cap, struct thread *thread, struct activity *out)
{
    char text[256];
    ssize_t n = read_thread_file(cap, thread, &thread->syscall_fd, "syscall", text, sizeof(text));

    out->known = n > 0 && proc_parse_syscall(text, (size_t)n, &out->call);
}

/* A runnable thread needs one read: its system call file says so. */
bool activity_read(struct capture *cap, struct thread *thread, struct activity *out)
{
    char path[32], text[512];
    struct proc_stat stat;
    ssize_t n;

    out->state = thread->listening ? 'T' : 'R';
    read_call(cap, thread, out);
    if (thread->listening || (out->known && out->call.running))
        return true;
    snprintf(path, sizeof(path), "%d/stat", (int)thread->tid);
    n = proc_read(thread->process->task_fd, path, text, sizeof(text));
    if (n == -ENOENT || n == -ESRCH)
        return false;
    if (n <= 0 || !proc_parse_stat(text, (size_t)n, &stat)) {
        out->state = out->known ? 'S' : 'R';
        return true;
    }
    /* Only we trace it: it is in a stop of ours that has not been handled yet, as when it was made. */
    if (stat.state == 't') {
        out->state = 'R';
        out->call.running = true;
        return true;
    }
    out->state = stat.state;
    return stat.state != 'Z' && stat.state != 'X';
}

/*
 * Our own stop makes a blocked thread run: it is woken to stop, let go, and switched to once more
 * to block again. The stop's switch is in `stopped_at`, the second is not. So exactly one more
 * switch, little time, and the same place in the same system call (or in restart_syscall, which
 * continues one with a timeout) for the same lock or descriptor is a thread that has not run by
 * itself. Without this every idle thread would be stopped in every round.
 *
 * What remains: a thread that was woken while it was stopped, ran for less than REBLOCK_NS and
 * blocked at the same place is taken for one that has not run.
 */
static bool only_reblocked(struct capture *cap, struct thread *thread,
                           const struct proc_schedstat *now)
{
    const struct proc_syscall *old = &thread->before.call;
    struct activity activity;

    if (!thread->was_blocked || now->switches != thread->stopped_at.switches + 1 ||
        now->run_ns - thread->stopped_at.run_ns > REBLOCK_NS)
        return false;
    read_call(cap, thread, &activity);
    if (!activity.known || activity.call.running || activity.call.sp != old->sp ||
        activity.call.pc != old->pc || activity.call.args[0] != old->args[0])
        return false;
    return activity.call.nr == old->nr ||
           syscall_find(cap->arch->syscalls, activity.call.nr) == CALL_RESTART_SYSCALL;
}

enum look activity_look(struct capture *cap, struct thread *thread,
                        const struct proc_schedstat *now)
{
    if (!thread->sampled) {
        bool first = !thread->stopped_at.switches;
        /* --on-cpu: the first sample, too, wants a thread that runs. */
        if (!cap->options.on_cpu)
            return LOOK_RAN;
        if (first) {
            struct activity activity;
            read_call(cap, thread, &activity);
            thread->stopped_at = *now;
            return activity.known && !activity.call.running ? LOOK_SAME : LOOK_RAN;
        }
    }
    if (now->switches == thread->stopped_at.switches && now->run_ns == thread->stopped_at.run_ns)
        return LOOK_SAME;
    if (!only_reblocked(cap, thread, now))
        return LOOK_RAN;
    thread->stopped_at = *now;
    thread->was_blocked = false;
    return LOOK_SAME;
}
