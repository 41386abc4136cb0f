/* SPDX-License-Identifier: MIT */
/*
 * Letting all threads of the target go: for good, or while we are stopped ourselves (Ctrl-Z). A
 * tracer that is stopped holds each thread that takes a signal or makes a thread. Internal to
 * capture/.
 */
#ifndef CAPTURE_SUSPEND_H
#define CAPTURE_SUSPEND_H

#include <stdint.h>

struct capture;

/* SIGTSTP is one of `end_set` from now on where the backend can attach again; else ignored. */
void suspend_prepare(struct capture *cap);

/* SIGTSTP was taken: `suspend` is set, unless SIGCONT has come since. */
void suspend_ask(struct capture *cap);

/*
 * Detaches all threads, one by one, which needs a stop of each, until `deadline_ns`: one that does
 * not stop by then is detached when it does. `settle` is called now and then, to forget those that
 * were.
 */
void suspend_detach(struct capture *cap, uint64_t deadline_ns, void (*settle)(struct capture *cap));

/*
 * Stops us as SIGTSTP does, which means not at all where nobody could continue us, or has done so
 * since it came.
 */
void suspend_self(struct capture *cap);

/*
 * Detaches all, stops us as SIGTSTP does, and attaches again after SIGCONT. In the snapshot threads
 * end, and begin again. We are not stopped where a thread cannot be let go within two seconds, nor
 * where SIGCONT comes before all were.
 * `settle` writes down what has happened; NULL where that is not possible now, as the output takes
 * nothing. The time that it takes is none of the capture's.
 */
void suspend_until_continued(struct capture *cap, void (*settle)(struct capture *cap));

#endif
