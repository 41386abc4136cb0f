/* SPDX-License-Identifier: MIT */
/*
 * How deadlocks are told: how certain they are, and what shows it; and which of them are told where
 * only some threads are shown.
 */
#ifndef THREADS_BLOCKING_DEADLOCK_WORDS_H
#define THREADS_BLOCKING_DEADLOCK_WORDS_H

#include <stdbool.h>

#include "base/status.h"
#include "graph/filter.h"
#include "threads/blocking/deadlock.h"

#define DEADLOCK_TEXT_MAX 400

/* "Deadlock", "Likely deadlock", "Temporary deadlock", "Possible deadlock"; static storage. */
const char *deadlock_certainty(const struct deadlock *deadlock);
const char *standstill_certainty(const struct standstill *still);

/* "Deadlock: 2 threads wait for one another, for 1.989 s" */
const char *deadlock_title(char text[DEADLOCK_TEXT_MAX], const struct wait_graph *graph,
                           const struct deadlocks *deadlocks, const struct deadlock *deadlock);
const char *standstill_title(char text[DEADLOCK_TEXT_MAX], const struct wait_graph *graph,
                             const struct standstill *still);

/* What shows it, and what makes it doubtful; static storage, NULL where there is no such thing. */
struct deadlock_evidence {
    const char *seen;
    const char *inferred, *timed;
};
struct deadlock_evidence deadlock_evidence(const struct wait_graph *graph,
                                           const struct deadlocks *deadlocks,
                                           const struct deadlock *deadlock);
/* `seen` is put into `text`. */
struct deadlock_evidence standstill_evidence(char text[DEADLOCK_TEXT_MAX],
                                             const struct standstill *still);

struct deadlocks_shown { /* owned; by their number */
    bool *deadlocks;     /* a thread that is shown is in it, or waits for it */
    bool *processes;     /* of the history: it has a thread that is shown */
    bool *standstills;   /* of its process proved deadlocks do not say all */
};

/* By the thread part of `filter`; NULL: all. deadlocks_shown_deinit, whatever the status. */
MUST_CHECK enum status deadlocks_shown_init(struct deadlocks_shown *shown,
                                            const struct wait_graph *graph,
                                            const struct deadlocks *deadlocks,
                                            const struct graph_filter *filter);
void deadlocks_shown_deinit(struct deadlocks_shown *shown);

#endif
