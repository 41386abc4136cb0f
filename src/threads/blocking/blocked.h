/* SPDX-License-Identifier: MIT */
/*
 * Threads that are blocked by others when the history ends. Those that wait for one thing in one
 * chain are one.
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
    uint32_t chain, process; /* of all */
    uint32_t wait, owner;    /* in the history's waits, its threads; owner: or HISTORY_NONE */
    uint32_t count;
    uint32_t first_member; /* in members; the others follow, by thread */
    uint64_t since_ns;     /* the earliest */
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
 * Those that the thread part of `filter` (NULL: all) lets through, in the order of their first
 * threads. blocked_list_deinit, whatever the status. Fails only for memory.
 */
MUST_CHECK enum status blocked_find(const struct wait_graph *graph,
                                    const struct deadlocks *deadlocks,
                                    const struct graph_filter *filter, struct blocked_list *out);
void blocked_list_deinit(struct blocked_list *list);

/* It has not gone on since its first sample, which was there when the capture began. */
bool blocked_always(const struct wait_graph *graph, const struct blocked *blocked);

#endif
