/* SPDX-License-Identifier: MIT */
#include "capture/guard.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/helper.h"
#include "base/procfs.h"

#define LOOK_NS 30000000
/* For so many looks (a second) cgsnap's own tracer may be ready without getting a CPU. */
#define READY_LOOKS 33

struct guard {
    _Atomic bool *parked; /* shared with the guard */
    pid_t pid;
};

/* Returns the state in a stat file's text; 0: none. */
static char state_of(const char *text, ssize_t n)
{
    struct proc_stat stat;

    return n > 0 && proc_parse_stat(text, (size_t)n, &stat) ? stat.state : 0;
}

/* Is the process's tracer about to run, and may let it go on? */
static bool is_tracer_ready(pid_t pid)
{
    struct proc_stat stat;

    return proc_read_stat(AT_FDCWD, (pid_t)proc_status(pid, "TracerPid", 0), &stat) > 0 &&
           stat.state == 'R';
}

/*
 * If the process is stopped now, returns how often it has gone off its CPU, plus 1; else 0. (A
 * process under strace stops again and again: the number tells stops apart.)
 */
static uint64_t stopped_at(pid_t pid, int stat_fd)
{
    char text[512];
    const char state = state_of(text, pread(stat_fd, text, sizeof(text), 0));

    if (state != 'T' && state != 't')
        return 0;
    return proc_status(pid, "voluntary_ctxt_switches", 0) + 1;
}

/* Never waits: a terminal may be stopped, a pipe full. */
static void tell(const char *message)
{
    struct pollfd poll_fd = {.fd = STDERR_FILENO, .events = POLLOUT};

    if (poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLOUT)
        (void)!write(STDERR_FILENO, message, strlen(message));
}

static _Noreturn void watch(pid_t pid, const _Atomic bool *parked)
{
    static const char message[] = "cgsnap: was stopped by somebody (SIGSTOP? a debugger?), and "
                                  "with it the process: ended, so "
                                  "that the process goes on\n";
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    uint64_t before = 0, asked = 0, now;
    unsigned looks = 0; /* looks that found the same stop */
    char path[32];
    int stat_fd;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    stat_fd = open(path, O_RDONLY | O_CLOEXEC);
    for (;; before = now) {
        nanosleep(&pause, NULL);
        now = *parked ? 0 : stopped_at(pid, stat_fd);
        looks = now && now == before ? looks + 1 : 0;
        if (!looks || (looks < READY_LOOKS && is_tracer_ready(pid)))
            continue;
        if (asked == now)
            break;
        /* Then it ends in order, and loses nothing, unless a debugger keeps it stopped. */
        asked = now;
        tell(message);
        kill(pid, SIGINT); /* SIGINT is not passed on to a command */
        kill(pid, SIGCONT);
    }
    kill(pid, SIGKILL);
    _exit(0);
}

static _Noreturn void run(pid_t pid, const _Atomic bool *parked)
{
    /* not stopped by who stops all processes called cgsnap */
    prctl(PR_SET_NAME, "cg-guard", 0, 0, 0);
    watch(pid, parked);
}

enum status guard_start(struct guard **out)
{
    static const int keep[] = {STDERR_FILENO};
    const struct helper_tie tie = {.keep = keep, .keep_count = 1, .parent_end = SIGKILL};
    struct guard *guard = calloc(1, sizeof(*guard));
    const pid_t self = getpid();

    if (!guard)
        return STATUS_NO_MEMORY;
    guard->pid = -1;
    guard->parked = mmap(NULL, sizeof(*guard->parked), PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (guard->parked == MAP_FAILED) {
        free(guard);
        return STATUS_NO_MEMORY;
    }
    guard->pid = helper_fork(&tie);
    if (guard->pid == 0)
        run(self, guard->parked);
    /* Later children do not share it. */
    madvise(guard->parked, sizeof(*guard->parked), MADV_DONTFORK);
    if (guard->pid < 0) {
        guard_destroy(guard);
        return STATUS_IO;
    }
    *out = guard;
    return STATUS_OK;
}

void guard_park(struct guard *guard, bool parked)
{
    *guard->parked = parked;
}

void guard_destroy(struct guard *guard)
{
    if (!guard)
        return;
    /* A guard that was waited for already is no child of ours any more. */
    if (guard->pid > 0 && waitpid(guard->pid, NULL, WNOHANG) == 0)
        kill(guard->pid, SIGKILL);
    munmap(guard->parked, sizeof(*guard->parked));
    free(guard);
}
