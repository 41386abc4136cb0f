/* SPDX-License-Identifier: MIT */
/*
 * Lists the threads that wait for other threads when the history ends (wait_is_for_threads).
 * Threads of one process with the same wait in the same chain are one entry.
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
    uint32_t thread; /* index in the history of the entry's first thread */
    /* chain in the profile and process in the history, common to all its threads */
    uint32_t chain, process;
    /*
     * `wait`: index in the history's waits: the entry's own, or that of the last waiter to read the
     * object's owner. `owner`: index in the history of the thread that holds the object by that
     * wait; HISTORY_NONE: not known.
     */
    uint32_t wait, owner;
    uint32_t count; /* number of threads of the entry */
    /* index in blocked_list.members of the first of `count` members, sorted by thread */
    uint32_t first_member;
    uint64_t since_ns; /* the earliest since_ns of its members */
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
 * Fills *out with the blocked threads that pass the thread part of `filter` (NULL: all), entries in
 * the order of their first threads. Fails with NO_MEMORY only; call blocked_list_deinit then, too.
 */
MUST_CHECK enum status blocked_find(const struct wait_graph *graph,
                                    const struct deadlocks *deadlocks,
                                    const struct graph_filter *filter, struct blocked_list *out);
void blocked_list_deinit(struct blocked_list *list);

/*
 * Whether the entry has one thread only, which was there when the capture began and has been in
 * this wait since its first sample. False also where no times are known.
 */
bool blocked_always(const struct wait_graph *graph, const struct blocked *blocked);

#endif
