/* SPDX-License-Identifier: MIT */
#include "base/process_ref.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/procfs.h"

/* System calls; the numbers are the same on all architectures. */
#define PIDFD_SEND_SIGNAL 424
#define PIDFD_OPEN        434

/* Returns when the process began, in ticks; 0: there is no such process. */
static uint64_t start_of(pid_t pid)
{
    struct proc_stat stat;

    return proc_read_stat(AT_FDCWD, pid, &stat) > 0 ? stat.start_ticks : 0;
}

struct process_ref process_ref_open(pid_t pid)
{
    const struct process_ref none = {.pidfd = -1};
    struct process_ref ref = none;

    if (pid <= 0)
        return none;
    ref.pid = pid;
    ref.start_ticks = start_of(pid);
    ref.pidfd = (int)syscall(PIDFD_OPEN, pid, 0);
    return ref.start_ticks || ref.pidfd >= 0 ? ref : none;
}

void process_ref_close(struct process_ref *ref)
{
    if (ref->pid && ref->pidfd >= 0)
        close(ref->pidfd);
    *ref = (struct process_ref){.pidfd = -1};
}

bool process_ref_signal(const struct process_ref *ref, int sig)
{
    if (!ref->pid)
        return false;
    if (ref->pidfd >= 0)
        return syscall(PIDFD_SEND_SIGNAL, ref->pidfd, sig, NULL, 0) == 0;
    return start_of(ref->pid) == ref->start_ticks && kill(ref->pid, sig) == 0;
}
