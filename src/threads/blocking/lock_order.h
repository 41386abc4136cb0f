/* SPDX-License-Identifier: MIT */
/*
 * In which order threads took locks, as far as they were seen: one that held a lock waited for
 * another. Two such orders that contradict each other may deadlock one day, even if they never met.
 *
 * An order is seen only where a thread waits for the second lock while another waits for the first:
 * that one tells who holds it. What was never waited for is not seen.
 */
#ifndef THREADS_BLOCKING_LOCK_ORDER_H
#define THREADS_BLOCKING_LOCK_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "threads/blocking/deadlock.h"
#include "threads/blocking/wait_graph.h"

#define LOCK_ORDER_CIRCLES_MAX 64

struct lock_order {    /* a thread that held `from` waited for `to` */
    uint32_t from, to; /* nodes of the graph */
    uint32_t thread;
    uint32_t chain; /* in the profile: in which it waited */
    uint64_t time_ns;
};

struct lock_circle { /* from one lock to the next, the last to the first, by at least two threads */
    uint32_t first, count; /* in steps */
};

struct lock_orders {
    struct lock_order *list; /* by from, to, thread; of several the earliest */
    size_t count, cap;
    struct lock_circle *circles; /* LOCK_ORDER_CIRCLES_MAX at the most; pairs first */
    size_t circle_count, circle_cap;
    uint32_t *steps; /* in list */
    size_t step_count, step_cap;
};

/* Without the order in which those wait that are in a deadlock now. Fails only for memory. */
MUST_CHECK enum status lock_orders_find(const struct wait_graph *graph,
                                        const struct deadlocks *deadlocks,
                                        struct lock_orders **out);
void lock_orders_destroy(struct lock_orders *orders);

#endif
