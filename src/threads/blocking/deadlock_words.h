/* SPDX-License-Identifier: MIT */
/*
 * Text for deadlocks and standstills: how certain they are, and why. Also tells which deadlocks and
 * standstills to report where only some threads are shown.
 */
#ifndef THREADS_BLOCKING_DEADLOCK_WORDS_H
#define THREADS_BLOCKING_DEADLOCK_WORDS_H

#include <stdbool.h>

#include "base/status.h"
#include "graph/filter.h"
#include "threads/blocking/deadlock.h"

#define DEADLOCK_TEXT_MAX 400

/*
 * Return how certain it is. Both: "Deadlock" or "Likely deadlock"; deadlock_certainty also
 * "Temporary deadlock" or "Possible deadlock", standstill_certainty also "Standstill". Static
 * storage.
 */
const char *deadlock_certainty(const struct deadlock *deadlock);
const char *standstill_certainty(const struct standstill *still);

/*
 * Write a title such as "Deadlock: 2 threads wait for one another, for 1.989 s" to `text`, and
 * return `text`.
 */
const char *deadlock_title(char text[DEADLOCK_TEXT_MAX], const struct wait_graph *graph,
                           const struct deadlocks *deadlocks, const struct deadlock *deadlock);
const char *standstill_title(char text[DEADLOCK_TEXT_MAX], const struct wait_graph *graph,
                             const struct standstill *still);

/* sentences for reports; static storage except `seen` of standstill_evidence */
struct deadlock_evidence {
    const char *seen; /* never NULL: why the threads cannot go on, or why that is not proved */
    /* what is inferred; that a wait has a time limit; NULL: neither is so */
    const char *inferred, *timed;
};
struct deadlock_evidence deadlock_evidence(const struct wait_graph *graph,
                                           const struct deadlocks *deadlocks,
                                           const struct deadlock *deadlock);
/* Returns the evidence for a standstill; its `seen` is `text`, which is written. */
struct deadlock_evidence standstill_evidence(char text[DEADLOCK_TEXT_MAX],
                                             const struct standstill *still);

struct deadlocks_shown { /* which deadlocks and standstills to report; arrays are owned */
    bool *deadlocks;     /* by deadlock: a thread that passes the filter is in it, or behind it */
    bool *processes;     /* by process of the history: a thread of it passes the filter */
    /* by standstill: report it, as not all its threads are in, or behind, proved deadlocks */
    bool *standstills;
};

/*
 * Fills *shown for the threads that pass the thread part of `filter` (NULL: all). Fails with
 * NO_MEMORY only; call deadlocks_shown_deinit then, too.
 */
MUST_CHECK enum status deadlocks_shown_init(struct deadlocks_shown *shown,
                                            const struct wait_graph *graph,
                                            const struct deadlocks *deadlocks,
                                            const struct graph_filter *filter);
void deadlocks_shown_deinit(struct deadlocks_shown *shown);

#endif
