/* SPDX-License-Identifier: MIT */
/*
 * Lets all threads of the target go: for good, or while cgsnap is stopped (Ctrl-Z), as a stopped
 * tracer holds each thread that takes a signal or makes a thread. Internal to capture/.
 */
#ifndef CAPTURE_SUSPEND_H
#define CAPTURE_SUSPEND_H

#include <stdint.h>

struct capture;

/* Adds SIGTSTP to `end_set` if the backend can attach again; else ignores it. */
void suspend_prepare(struct capture *cap);

/* For a SIGTSTP that was taken: sets `suspend`, unless SIGCONT has come since. */
void suspend_ask(struct capture *cap);

/*
 * Stops and detaches each thread. Returns when no process is left, or at `deadline_ns`; a thread
 * that stops later is detached then, if events are still answered. `settle` (NULL: none) is called
 * after each wait and frees what has ended.
 */
void suspend_detach(struct capture *cap, uint64_t deadline_ns, void (*settle)(struct capture *cap));

/*
 * Parks the guard and takes the pending SIGTSTP, which stops cgsnap unless SIGCONT has come since
 * or the process group is orphaned. No thread may be held.
 */
void suspend_self(struct capture *cap);

/*
 * Detaches all threads, stops cgsnap by the pending SIGTSTP, and attaches again after SIGCONT. In
 * the snapshot threads end and begin again. Does not stop where a thread cannot be let go within
 * two seconds, or where SIGCONT comes before all were. `settle` writes what has happened; NULL: the
 * output takes nothing now. The time that all this takes does not count as the capture's.
 */
void suspend_until_continued(struct capture *cap, void (*settle)(struct capture *cap));

#endif
