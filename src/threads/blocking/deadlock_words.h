/* SPDX-License-Identifier: MIT */
/*
 * Text for deadlocks and standstills: how certain they are, and why; and which of them to report
 * where only some threads are shown.
 */
#ifndef THREADS_BLOCKING_DEADLOCK_WORDS_H
#define THREADS_BLOCKING_DEADLOCK_WORDS_H

#include <stdbool.h>

#include "base/status.h"
#include "graph/filter.h"
#include "threads/blocking/deadlock.h"

#define DEADLOCK_TEXT_MAX 400

/*
 * Return "Deadlock", "Likely deadlock"; the first also "Temporary deadlock", "Possible deadlock",
 * the second "Standstill". Static storage.
 */
const char *deadlock_certainty(const struct deadlock *deadlock);
const char *standstill_certainty(const struct standstill *still);

/* Write "Deadlock: 2 threads wait for one another, for 1.989 s" to `text`, and return it. */
const char *deadlock_title(char text[DEADLOCK_TEXT_MAX], const struct wait_graph *graph,
                           const struct deadlocks *deadlocks, const struct deadlock *deadlock);
const char *standstill_title(char text[DEADLOCK_TEXT_MAX], const struct wait_graph *graph,
                             const struct standstill *still);

struct deadlock_evidence {        /* sentences; static storage but for a standstill's `seen` */
    const char *seen;             /* why it is one, or why it is not proved */
    const char *inferred, *timed; /* NULL: not so */
};
struct deadlock_evidence deadlock_evidence(const struct wait_graph *graph,
                                           const struct deadlocks *deadlocks,
                                           const struct deadlock *deadlock);
/* Writes `seen` to `text`. */
struct deadlock_evidence standstill_evidence(char text[DEADLOCK_TEXT_MAX],
                                             const struct standstill *still);

struct deadlocks_shown { /* owned */
    bool *deadlocks;     /* by deadlock: a thread that is shown is in it, or behind it */
    bool *processes;     /* by process of the history: it has a thread that is shown */
    bool *standstills; /* by standstill: not all its threads are in, or behind, proved deadlocks */
};

/*
 * Threads that pass the thread part of `filter` (NULL: all) are shown. Call deadlocks_shown_deinit
 * whatever the status, which is NO_MEMORY if it fails.
 */
MUST_CHECK enum status deadlocks_shown_init(struct deadlocks_shown *shown,
                                            const struct wait_graph *graph,
                                            const struct deadlocks *deadlocks,
                                            const struct graph_filter *filter);
void deadlocks_shown_deinit(struct deadlocks_shown *shown);

#endif
