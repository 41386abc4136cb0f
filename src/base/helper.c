/* SPDX-License-Identifier: MIT */
#include "base/helper.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGTERM,
                              SIGTSTP, SIGTTIN, SIGTTOU, SIGIO,   SIGXFSZ};

/* Returns the lowest descriptor to keep that is not below `fd`; UINT_MAX: none. */
static unsigned next_kept(const struct helper_tie *tie, int socket, unsigned fd)
{
    unsigned next = UINT_MAX;

    for (size_t i = 0; i < tie->keep_count; i++)
        if ((unsigned)tie->keep[i] >= fd && (unsigned)tie->keep[i] < next)
            next = (unsigned)tie->keep[i];
    if (socket >= 0 && (unsigned)socket >= fd && (unsigned)socket < next)
        next = (unsigned)socket;
    return next;
}

/* Closes [first, end). False: this kernel lacks the call (before Linux 5.9). */
static bool close_range_of(unsigned first, unsigned end)
{
#ifdef SYS_close_range
    return first == end || syscall(SYS_close_range, first, end - 1, 0) == 0;
#else
    return first == end;
#endif
}

/* Closes what /proc lists; without /proc, all up to the limit. */
static void close_one_by_one(const struct helper_tie *tie, int socket)
{
    DIR *open_ones = opendir("/proc/self/fd");
    struct dirent *entry;

    for (unsigned fd = 0; !open_ones && fd < (unsigned)sysconf(_SC_OPEN_MAX); fd++)
        if (next_kept(tie, socket, fd) != fd)
            close((int)fd);
    while (open_ones && (entry = readdir(open_ones))) {
        const unsigned fd = (unsigned)strtoul(entry->d_name, NULL, 10);

        if (entry->d_name[0] != '.' && fd != (unsigned)dirfd(open_ones) &&
            next_kept(tie, socket, fd) != fd)
            close((int)fd);
    }
    if (open_ones)
        closedir(open_ones);
}

static void close_others(const struct helper_tie *tie, int socket)
{
    unsigned kept = UINT_MAX, first;

    do {
        first = kept + 1;
        kept = next_kept(tie, socket, first);
        if (!close_range_of(first, kept)) {
            close_one_by_one(tie, socket);
            return;
        }
    } while (kept != UINT_MAX);
}

/* In the helper. */
static void begin(const struct helper_tie *tie, int socket, pid_t parent)
{
    if (tie->parent_end) {
        prctl(PR_SET_PDEATHSIG, tie->parent_end);
        /* 0: the parent is in another PID namespace (unshare(2)) */
        if (getppid() != parent && getppid() != 0)
            _exit(0); /* the parent has ended before the call */
    }
    /*
     * A job is stopped and killed as a whole, so we leave it. We make no session: where the kernel
     * divides CPUs among sessions (autogroup), one in which hardly anything runs can wait for
     * seconds.
     */
    setpgid(0, 0);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        signal(signals[i], SIG_IGN);
    if (!tie->keeps_all)
        close_others(tie, socket);
}

static pid_t fork_tied(const struct helper_tie *tie, int socket)
{
    const pid_t parent = getpid(), pid = fork();

    if (pid == 0)
        begin(tie, socket, parent);
    return pid;
}

pid_t helper_fork(const struct helper_tie *tie)
{
    return fork_tied(tie, -1);
}

enum status helper_start(struct helper *out, int type, const struct helper_tie *tie,
                         helper_serve *serve, void *context)
{
    int ends[2], error;
    pid_t pid;

    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0)
        return STATUS_IO;
    pid = fork_tied(tie, ends[1]);
    if (pid == 0) {
        close(ends[0]); /* if the helper keeps all */
        serve(context, ends[1]);
        _exit(0);
    }
    error = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        errno = error;
        return STATUS_IO;
    }
    *out = (struct helper){.pid = pid, .fd = ends[0]};
    return STATUS_OK;
}
