/* SPDX-License-Identifier: MIT */
/*
 * Finds threads that wait for one another in a circle when the history ends.
 *
 *     A waits for a lock that B holds, B waits for a lock that A holds
 *
 * A deadlock is proved if all threads of the circle were blocked for certain at one instant, and
 * each lock was held by the next thread then. A thread is blocked for certain from sure_ns to
 * seen_ns of its last span (struct span_proof); these intervals of all threads must have an instant
 * in common. Each owner must have been read off the lock while the owner itself was blocked, so
 * that it cannot have let go since. In a core everything is of one instant. Any other circle is
 * possible only: threads are sampled one after another, and what one sample saw may be over at the
 * next.
 *
 * An owner that is inferred, not read, makes a circle likely at best.
 */
#ifndef THREADS_BLOCKING_DEADLOCK_H
#define THREADS_BLOCKING_DEADLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "threads/blocking/wait_graph.h"

struct deadlock {
    uint32_t first, count; /* in members: each waits for the next, the last for the first */
    bool proved;
    bool inferred;     /* an owner is */
    bool timed;        /* a wait has a timeout, and ends by itself */
    uint64_t since_ns; /* when the last of them began to wait, as far as samples saw */
    uint32_t behind;   /* other threads that wait for one of them, directly or through others */
};

/*
 * A process whose threads all wait, at one instant, for what only another of its threads can give.
 * If all wait for locks or joins, some of them wait for one another in a circle, even where it is
 * not known who holds what. There is no standstill if threads of the process were not captured, a
 * wait has a doubt or a timeout, its futex has changed already (so that the thread goes on), or its
 * object, of no known owner, may be shared with other processes.
 */
struct standstill {
    uint32_t process, thread_count;
    bool locks_only; /* all wait for mutexes, rwlocks or joins */
    bool inferred;   /* the kind of one of their objects is */
};

struct deadlocks {
    struct deadlock *list; /* proved and read, proved and inferred, others; by first member */
    size_t count, cap;
    uint32_t *members; /* in the history's threads; of each circle the first one found leads */
    size_t member_count, member_cap;
    struct standstill *standstills; /* in the order of processes */
    size_t standstill_count, standstill_cap;
    uint32_t *owner;     /* by thread: the owner of what it still waits for; HISTORY_NONE */
    uint32_t *of_thread; /* by thread: the deadlock that it is in or behind; WAIT_GRAPH_NONE */
};

/* Fails only with NO_MEMORY. */
MUST_CHECK enum status deadlocks_find(const struct wait_graph *graph, struct deadlocks **out);
void deadlocks_destroy(struct deadlocks *deadlocks);

#endif
