/* SPDX-License-Identifier: MIT */
/*
 * Captures in a process of its own. So drawing never keeps a thread of the target stopped, and
 * however cgtop ends or is stopped, the process that traces the target detaches in order.
 *
 *     target <-- ptrace -- feed -- pipe --> its pump -- pipe --> cgtop
 *                            +------------ messages --------------->
 *
 * It ends when cgtop does, in any way: the pump's pipe has no reader any more, and the kernel sends
 * SIGTERM. It gets the terminal's signals as cgtop does: on Ctrl-Z it lets all threads go before it
 * stops; on Ctrl-C and a hangup it ends.
 */
#ifndef TOOLS_CGTOP_FEED_H
#define TOOLS_CGTOP_FEED_H

#include <sys/types.h>

#include "capture/capture.h"

struct feed {
    pid_t pid;
    int data_fd;    /* the snapshot while it is written; non-blocking */
    int message_fd; /* private */
};

/* How the capture ended. */
struct feed_end {
    enum status status; /* capture_run's */
    struct diag diag;
    struct capture_result result;
};

/*
 * Begins the capture and waits until it is attached to the process. Fails as capture_start, or with
 * IO; `diag` says why. To be called while this process has one thread, and before it starts others.
 */
MUST_CHECK enum status feed_start(const struct capture_options *options, struct feed *feed,
                                  struct diag *diag);

/*
 * To be called when data_fd is at its end: fills *end. If the capturing process was killed, the
 * status is IO, with its `diag` filled.
 */
void feed_ended(const struct feed *feed, struct feed_end *end);

/*
 * Closes data_fd, which ends the capture, and waits until the target was let go; at most two
 * seconds between its messages.
 */
void feed_stop(struct feed *feed);

#endif
