/* SPDX-License-Identifier: MIT */
/*
 * A tree of who created whom. Below a process are its threads without a known creator in that
 * process; below each thread are the threads that it created. Threads of one identity below the
 * same node share a node. A thread with an ancestor of its own identity joins that ancestor's node,
 * so that the tree gets no deeper.
 */
#ifndef THREADS_HIERARCHY_H
#define THREADS_HIERARCHY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "threads/history.h"
#include "threads/identity.h"

#define HIERARCHY_NONE UINT32_MAX

struct hierarchy_node {
    uint32_t parent;  /* index in nodes, same process; HIERARCHY_NONE: directly below the process */
    uint32_t process; /* the node's process: index in the history's processes */
    uint32_t identity;     /* index in the identities, the same for all its threads */
    uint32_t depth;        /* number of nodes above it; 0: it is directly below the process */
    uint32_t subtree;      /* number of nodes below it at any depth; they follow it in nodes */
    uint32_t first, count; /* its threads: order[first .. first + count - 1] */
};

struct hierarchy {
    /*
     * Owned. Sorted by process, then depth first; siblings in the order in which their first
     * threads were found.
     */
    struct hierarchy_node *nodes;
    size_t count;
    /* owned; all threads of the history, node by node, then in the order they were found */
    uint32_t *order;
    uint32_t *of_thread; /* owned; by thread of the history: index of its node */
};

/* Makes the tree of a history's threads; *out is the caller's. Fails only with NO_MEMORY. */
MUST_CHECK enum status hierarchy_create(const struct history *history,
                                        const struct identities *identities,
                                        struct hierarchy **out);
void hierarchy_destroy(struct hierarchy *hierarchy);

#endif
