/* SPDX-License-Identifier: MIT */
/*
 * Which thread made which: processes, in each the threads that were there or were made by none that
 * is known, below each thread those that it made. Threads of one identity below the same node are
 * one node. What a thread of a kind makes of its own kind, be it by others, joins that node, so
 * that the tree is no deeper for it.
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
    uint32_t depth;        /* 0: below the process */
    uint32_t subtree;      /* nodes that follow and are below it */
    uint32_t first, count; /* its threads: order[first], … */
};

struct hierarchy {
    /*
     * Owned. By process, depth first, a node's children in the order in which their first threads
     * were found.
     */
    struct hierarchy_node *nodes;
    size_t count;
    uint32_t *order;     /* owned; all threads of the history, node by node, as they were found */
    uint32_t *of_thread; /* owned; index into nodes, by thread of the history */
};

MUST_CHECK enum status hierarchy_create(const struct history *history,
                                        const struct identities *identities,
                                        struct hierarchy **out);
void hierarchy_destroy(struct hierarchy *hierarchy);

#endif
