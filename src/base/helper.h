/* SPDX-License-Identifier: MIT */
/*
 * Helpers: processes forked to do what may hang, crash or must be confined.
 *
 *     this process ── helper->fd ══ packets or bytes ══ socket ── helper: serve(context, socket)
 *
 * Unless it keeps all, a helper has no descriptors but those it is given, so that nobody who waits
 * for the parent waits for the helper instead. (A pipe's reader sees the end only when all copies
 * of the writing end are closed.)
 */
#ifndef BASE_HELPER_H
#define BASE_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"

/* The ties of a helper to its parent. */
struct helper_tie {
    const int *keep; /* descriptors that stay open: 0 to 2 only if they are here */
    size_t keep_count;
    bool keeps_all; /* all descriptors stay open instead */
    /*
     * Signal that the helper gets when the thread that forks it ends: SIGKILL for one that may
     * hang. So a thread that lives as long as the program starts it. 0: none; the helper goes on
     * until it sees the end of its socket or pipe.
     */
    int parent_end;
};

/*
 * Forks. Returns the helper's pid; 0 in the helper; -1 on failure, see errno. The helper has
 * closed what it does not keep, has a process group of its own, and ignores SIGHUP, SIGINT,
 * SIGQUIT, SIGTERM, SIGPIPE, SIGIO, the signals of job control, and SIGXFSZ: a write beyond
 * RLIMIT_FSIZE fails with EFBIG instead of ending the process.
 */
pid_t helper_fork(const struct helper_tie *tie);

/* A helper that answers at a socket. */
struct helper {
    pid_t pid;
    int fd; /* this process's end of the socket; the owner closes it */
};

/* Runs in the helper; when it returns, the helper exits with status 0. */
typedef void helper_serve(void *context, int socket);

/*
 * Starts a helper that keeps `tie` and its end of a new socket of `type`: SOCK_SEQPACKET, packets,
 * or SOCK_STREAM, bytes. IO: not started, errno says why, and *out is unchanged.
 */
MUST_CHECK enum status helper_start(struct helper *out, int type, const struct helper_tie *tie,
                                    helper_serve *serve, void *context);

#endif
