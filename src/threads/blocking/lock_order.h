/* SPDX-License-Identifier: MIT */
/*
 * Finds orders in which threads took locks: a thread that held one lock waited for another. Orders
 * that contradict each other may deadlock one day, even if the threads never met.
 *
 *     thread 1: holds A, waits for B    thread 2: holds B, waits for A
 *
 * An order is seen only where another thread waits for the first lock, and its sample reads that
 * lock's owner while the owner waits for the second, which is a mutex or rwlock.
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
    uint32_t from, to; /* indexes of nodes of the wait graph */
    uint32_t thread;
    uint32_t chain;   /* in the profile: the chain in which the thread waited for `to` */
    uint64_t time_ns; /* when the thread began to wait for `to` */
};

struct lock_circle {       /* orders A to B, B to C, C to A, of at least two threads */
    uint32_t first, count; /* its orders: list[steps[first .. first + count - 1]] */
};

struct lock_orders {
    /* sorted by from, to, thread; for each such triple its earliest order only */
    struct lock_order *list;
    size_t count, cap;
    /* at most LOCK_ORDER_CIRCLES_MAX circles, those of two locks first */
    struct lock_circle *circles;
    size_t circle_count, circle_cap;
    uint32_t *steps; /* the circles' steps: indexes into `list` */
    size_t step_count, step_cap;
};

/*
 * Finds all orders except those of threads in a deadlock or behind one that come from their present
 * waits. *out is the caller's. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status lock_orders_find(const struct wait_graph *graph,
                                        const struct deadlocks *deadlocks,
                                        struct lock_orders **out);
void lock_orders_destroy(struct lock_orders *orders);

#endif
