/* SPDX-License-Identifier: MIT */
#include "base/child.h"

#include <signal.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGTERM,
                              SIGTSTP, SIGTTIN, SIGTTOU, SIGIO};

/* The lowest descriptor that is kept, of those from `fd` on; FD_SETSIZE: there is none. */
static int next_kept(const int *keep, size_t count, int fd)
{
    int next = FD_SETSIZE;

    for (size_t i = 0; i < count; i++)
        if (keep[i] >= fd && keep[i] < next)
            next = keep[i];
    return next;
}

static void close_range_of(int first, int end)
{
#ifdef SYS_close_range
    if (first < end &&
        syscall(SYS_close_range, first, end < FD_SETSIZE ? (unsigned)end - 1 : ~0u, 0) == 0)
        return;
#endif
    for (int fd = first; fd < end; fd++)
        close(fd);
}

void child_begin(const int *keep, size_t count)
{
    setsid(); /* a job is stopped, and killed, as a whole */
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        signal(signals[i], SIG_IGN);
    for (int fd = 0; fd < FD_SETSIZE;) {
        int kept = next_kept(keep, count, fd);
        close_range_of(fd, kept);
        fd = kept + 1;
    }
}
