/* SPDX-License-Identifier: MIT */
#include "base/child.h"

#include <limits.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGTERM,
                              SIGTSTP, SIGTTIN, SIGTTOU, SIGIO,   SIGXFSZ};

/* Returns the lowest descriptor in `keep` that is not below `fd`; UINT_MAX: none. */
static unsigned next_kept(const int *keep, size_t count, unsigned fd)
{
    unsigned next = UINT_MAX;

    for (size_t i = 0; i < count; i++)
        if ((unsigned)keep[i] >= fd && (unsigned)keep[i] < next)
            next = (unsigned)keep[i];
    return next;
}

/* Closes [first, end). Kernels before 5.9 lack the call: then only descriptors below FD_SETSIZE. */
static void close_range_of(unsigned first, unsigned end)
{
#ifdef SYS_close_range
    if (first == end || syscall(SYS_close_range, first, end - 1, 0) == 0)
        return;
#endif
    for (unsigned fd = first; fd < end && fd < FD_SETSIZE; fd++)
        close((int)fd);
}

void child_begin(const int *keep, size_t count)
{
    unsigned kept = UINT_MAX, first;

    /*
     * A job is stopped and killed as a whole, so we leave it. We make no session: where the kernel
     * divides CPUs among sessions (autogroup), one in which hardly anything runs can wait for
     * seconds.
     */
    setpgid(0, 0);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        signal(signals[i], SIG_IGN);
    do {
        first = kept + 1;
        kept = next_kept(keep, count, first);
        close_range_of(first, kept);
    } while (kept != UINT_MAX);
}
