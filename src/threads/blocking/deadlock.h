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
    /*
     * the circle is members[first .. first + count): each waits for the next, the last for the
     * first
     */
    uint32_t first, count;
    bool proved;
    bool inferred;     /* an owner in the circle is inferred, not read */
    bool timed;        /* a wait in the circle has a timeout, so that it ends by itself */
    uint64_t since_ns; /* when the last thread of the circle began to wait, as far as samples saw */
    /* threads outside the circle that wait for one of it, directly or through others */
    uint32_t behind;
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
    bool inferred; /* the kind of object that one of the threads waits for is inferred, not read */
};

struct deadlocks {
    /* sorted: proved with read owners, proved with an inferred one, others; then by first member */
    struct deadlock *list;
    size_t count, cap;
    /* indexes in the history's threads; each circle begins with its thread found first */
    uint32_t *members;
    size_t member_count, member_cap;
    struct standstill *standstills; /* in the order of processes */
    size_t standstill_count, standstill_cap;
    /* by thread: the thread that owns what it still waits for; HISTORY_NONE: none is known */
    uint32_t *owner;
    /*
     * by thread: index in `list` of the deadlock that it is in or behind; WAIT_GRAPH_NONE: in none
     */
    uint32_t *of_thread;
};

/*
 * Finds the deadlocks and standstills at the history's end; *out is the caller's. Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status deadlocks_find(const struct wait_graph *graph, struct deadlocks **out);
void deadlocks_destroy(struct deadlocks *deadlocks);

#endif
