/* SPDX-License-Identifier: MIT */
/*
 * The capture, in a process of its own: so that what the screen takes its time for never keeps a
 * thread of the target stopped, and whatever ends or stops cgtop, the process that holds the target
 * lets it go in order.
 *
 *     target ◄── ptrace ── feed ── pipe ──► its pump ── pipe ──► cgtop
 *                            └──────────── messages ───────────────►
 *
 * It ends when cgtop does, however that comes about: the pump's pipe has no reader then, and the
 * kernel sends SIGTERM. Of the terminal it gets the signals that cgtop gets: Ctrl-Z makes it let
 * all threads go before it stops, Ctrl-C and a hangup make it end.
 */
#ifndef TOOLS_CGTOP_FEED_H
#define TOOLS_CGTOP_FEED_H

#include <sys/types.h>

#include "capture/capture.h"

struct feed {
    pid_t pid;
    int data_fd;    /* the snapshot as it is written; does not block */
    int message_fd; /* private */
};

/* How it ended. */
struct feed_end {
    enum status status; /* of the capture */
    struct diag diag;
    struct capture_result result;
};

/*
 * Begins the capture and waits until the process is attached to. As capture_start, with `diag`
 * filled. To be called while there is one thread, before other processes are begun.
 */
MUST_CHECK enum status feed_start(const struct capture_options *options, struct feed *feed,
                                  struct diag *diag);

/* When data_fd has ended: how. It was killed: IO, which `diag` says. */
void feed_ended(const struct feed *feed, struct feed_end *end);

/* Ends it, and waits until the target was let go; for two seconds at most. */
void feed_stop(struct feed *feed);

#endif
