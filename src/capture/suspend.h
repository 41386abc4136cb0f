/* SPDX-License-Identifier: MIT */
/*
 * Lets all threads of the target go: for good, or while cgsnap is stopped (Ctrl-Z), as a stopped
 * tracer holds each thread that takes a signal or makes a thread. Internal to capture/.
 */
#ifndef CAPTURE_SUSPEND_H
#define CAPTURE_SUSPEND_H

#include <stdint.h>

struct capture;

/*
 * Adds SIGTSTP to cap->end_set if the backend can attach again; else makes cgsnap ignore SIGTSTP.
 */
void suspend_prepare(struct capture *cap);

/*
 * Stops and detaches each thread, in CAPTURE_SUSPENDS or CAPTURE_ENDS. Returns when cap has no
 * process any more, or at `deadline_ns` (CLOCK_MONOTONIC); a thread that stops later is detached
 * then, if events are still answered. `settle` (NULL: none) is called after each wait, and writes
 * and frees ended threads.
 */
void suspend_detach(struct capture *cap, uint64_t deadline_ns, void (*settle)(struct capture *cap));

/*
 * Parks the guard and lets the pending SIGTSTP stop cgsnap; returns after SIGCONT, or at once if
 * SIGCONT has come before or the process group is orphaned. No thread may be traced meanwhile.
 */
void suspend_self(struct capture *cap);

/*
 * Detaches all threads, stops cgsnap by the pending SIGTSTP, and attaches again after SIGCONT. In
 * the snapshot threads end and begin again. Does not stop cgsnap if a thread cannot be let go
 * within two seconds, or SIGCONT comes before all threads were let go. `settle` writes and frees
 * ended threads; NULL: the output cannot be written to now. The time of all this does not count
 * as the capture's.
 */
void suspend_until_continued(struct capture *cap, void (*settle)(struct capture *cap));

#endif
