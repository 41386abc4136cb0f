/* SPDX-License-Identifier: MIT */
/*
 * A tree of who made whom. Below a process are its threads without a known maker in that process;
 * below each thread are the threads that it made. Threads of one identity below the same node share
 * a node. A thread made by one of its own identity, directly or through others, joins that one's
 * node, so that the tree gets no deeper.
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
    uint32_t parent;       /* in nodes, of the same process; HIERARCHY_NONE: the process itself */
    uint32_t process;      /* in the history */
    uint32_t identity;     /* in the identities */
    uint32_t depth;        /* 0: directly below the process */
    uint32_t subtree;      /* number of nodes below it, which follow it */
    uint32_t first, count; /* its threads: order[first .. first + count - 1] */
};

struct hierarchy {
    /* Owned. By process, depth first; siblings in the order in which their first threads were
     * found. */
    struct hierarchy_node *nodes;
    size_t count;
    uint32_t *order;     /* owned; all threads of the history, node by node, as they were found */
    uint32_t *of_thread; /* owned; index into nodes, by thread of the history */
};

/* Fails only with NO_MEMORY. */
MUST_CHECK enum status hierarchy_create(const struct history *history,
                                        const struct identities *identities,
                                        struct hierarchy **out);
void hierarchy_destroy(struct hierarchy *hierarchy);

#endif
