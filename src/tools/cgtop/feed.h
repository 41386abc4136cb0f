/* SPDX-License-Identifier: MIT */
/*
 * Captures the target in a process of its own, the feed. So drawing never keeps a thread of the
 * target stopped, and however cgtop ends or is stopped, the process that traces the target detaches
 * in order.
 *
 *     target <-- ptrace -- feed -- pipe --> its pump -- pipe --> cgtop
 *                            +------------ messages --------------->
 *
 * The feed ends when cgtop does, in whatever way: the pump's pipe has no reader any more, and the
 * kernel sends SIGTERM. The feed gets the terminal's signals as cgtop does: on Ctrl-Z it lets all
 * threads go before it stops; on Ctrl-C and a hangup it ends.
 */
#ifndef TOOLS_CGTOP_FEED_H
#define TOOLS_CGTOP_FEED_H

#include <sys/types.h>

#include "capture/capture.h"

struct feed {
    pid_t pid;
    int data_fd;    /* read end of the pipe that the snapshot is written to; non-blocking */
    int message_fd; /* private: read end of the pipe for the feed's messages */
};

/* How the capture ended. */
struct feed_end {
    enum status status; /* status that capture_run returned */
    struct diag diag;
    struct capture_result result;
};

/*
 * Starts the feed and waits until it is attached to the target. Fails as capture_start, or with IO;
 * `diag` says why. Call it while this process has only one thread.
 */
MUST_CHECK enum status feed_start(const struct capture_options *options, struct feed *feed,
                                  struct diag *diag);

/*
 * Fills *end with how the capture ended; call it when data_fd is at its end. If the feed was
 * killed, end->status is IO, and end->diag says so.
 */
void feed_ended(const struct feed *feed, struct feed_end *end);

/*
 * Closes data_fd, which ends the capture, and waits until the feed has let the target go; gives up
 * when nothing comes from the feed for two seconds.
 */
void feed_stop(struct feed *feed);

#endif
