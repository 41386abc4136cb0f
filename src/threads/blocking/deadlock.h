/* SPDX-License-Identifier: MIT */
/*
 * Threads that wait for one another in a circle when the history ends.
 *
 * A deadlock is proved where at one instant all threads of the circle were blocked for certain, and
 * each lock was held by the next of them then: a span counts from its second repeat, or from a
 * sample for which all were stopped (sure_ns), to its last (seen_ns), the spans of all have an
 * instant in common, and each owner was read off the lock while the owner itself was blocked, so
 * that it could not have let go since. In a core all is of one instant. Any other circle is
 * possible, no more: threads are looked at one after another, and what was seen of one may be over
 * when the next is seen.
 *
 * An owner that was not read but inferred makes a circle a likely one at the best.
 */
#ifndef THREADS_BLOCKING_DEADLOCK_H
#define THREADS_BLOCKING_DEADLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "threads/blocking/wait_graph.h"

struct deadlock {
    uint32_t first, count; /* in members: each waits for what the next holds, the last the first */
    bool proved;           /* they were blocked together */
    bool inferred;         /* an owner is not read off its lock */
    bool timed;            /* a wait ends by itself: see wait_now */
    uint64_t since_ns;     /* when the last of them was found there */
    uint32_t behind;       /* other threads that wait for one of them, or for one that does */
};

/*
 * A process all of whose threads wait for what only another of its threads gives. Where they all
 * wait for locks, or for the end of another, some of them wait for one another in a circle, even if
 * nothing tells who holds what. Where not all threads were captured, or a lock names an owner that
 * is none of them, nothing can be said. A thread whose futex has changed already goes on, and one
 * that waits for what several processes share may be helped by another; then there is no
 * standstill.
 */
struct standstill {
    uint32_t process, thread_count;
    bool locks_only;
    bool inferred; /* what kind of object one of them waits for */
};

struct deadlocks {
    struct deadlock *list; /* proved ones first, then by their first members */
    size_t count, cap;
    uint32_t *members; /* in the history's threads; of each the one that was found first leads */
    size_t member_count, member_cap;
    struct standstill *standstills; /* in the order of processes */
    size_t standstill_count, standstill_cap;
    uint32_t *owner;     /* by thread: who holds what it still waits for; HISTORY_NONE */
    uint32_t *of_thread; /* by thread: the deadlock that it is in or waits for; WAIT_GRAPH_NONE */
};

/* Fails only for memory. */
MUST_CHECK enum status deadlocks_find(const struct wait_graph *graph, struct deadlocks **out);
void deadlocks_destroy(struct deadlocks *deadlocks);

#endif
