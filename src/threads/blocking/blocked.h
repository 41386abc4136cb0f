/* SPDX-License-Identifier: MIT */
/*
 * Threads that wait for other threads when the history ends (wait_is_for_threads). Threads of a
 * process that wait alike, in one chain, are one entry.
 */
#ifndef THREADS_BLOCKING_BLOCKED_H
#define THREADS_BLOCKING_BLOCKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/filter.h"
#include "threads/blocking/deadlock.h"
#include "threads/blocking/wait_graph.h"

struct blocked {
    uint32_t thread;         /* the first of them */
    uint32_t chain, process; /* of all of them */
    /* In the history's waits, its threads: as the object's last waiter read them. owner:
     * HISTORY_NONE: not known. */
    uint32_t wait, owner;
    uint32_t count;        /* threads */
    uint32_t first_member; /* in members; the others follow, by thread */
    uint64_t since_ns;     /* the earliest of theirs */
};

struct blocked_member {
    uint32_t thread;
    uint64_t since_ns;
};

struct blocked_list {
    struct blocked *list;
    size_t count;
    struct blocked_member *members;
};

/*
 * Lists blocked threads that pass the thread part of `filter` (NULL: all), in the order of their
 * first threads. Call blocked_list_deinit whatever the status, which is NO_MEMORY if it fails.
 */
MUST_CHECK enum status blocked_find(const struct wait_graph *graph,
                                    const struct deadlocks *deadlocks,
                                    const struct graph_filter *filter, struct blocked_list *out);
void blocked_list_deinit(struct blocked_list *list);

/*
 * Whether the entry is one thread that was there when the capture began, and has been in this wait
 * since its first sample. False where no times are known.
 */
bool blocked_always(const struct wait_graph *graph, const struct blocked *blocked);

#endif
