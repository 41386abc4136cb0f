/* SPDX-License-Identifier: MIT */
/*
 * Stretches of time in which a thread waited for an object or held it, from which a wait graph's
 * edges are summed up; and sums of time by chain.
 */
#ifndef THREADS_BLOCKING_WAIT_STRETCH_H
#define THREADS_BLOCKING_WAIT_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct stretch {
    uint64_t start_ns, end_ns;
    uint64_t waited_ns; /* its length without CPU time */
    uint64_t seen_ns;   /* the last sample in it */
    uint32_t node, thread;
    uint32_t wait, waiter;      /* in the history's waits, its threads: they told the owner */
    uint32_t chain, take_chain; /* as in struct wait_edge, struct hold_edge */
    bool inferred;              /* the owner is */
    bool by_itself;             /* the waiter holds the object itself */
    bool goes_on;               /* the thread has not run since the stretch before it: one wait */
};

struct stretches {
    struct stretch *list;
    size_t count, cap;
};

struct chain_time {
    uint32_t chain;
    uint32_t count;
    uint64_t ns;
};

struct chain_times {
    struct chain_time *list;
    size_t count, cap;
};

MUST_CHECK enum status stretches_add(struct stretches *to, struct stretch stretch);

/* For qsort: by thread, then time, then chain. */
int stretch_compare(const void *a, const void *b);

/* Returns the length of the union of stretches, which are sorted by their beginnings. */
uint64_t stretches_covered(const struct stretch *list, size_t count);

MUST_CHECK enum status chain_times_add(struct chain_times *times, uint32_t chain, uint64_t ns);

/*
 * Sums up by chain, and returns the sum of the chain with the longest time, of equals the most
 * entries. Its chain is HISTORY_NONE if no entry has one. Sorts `times` by chain.
 */
struct chain_time chain_times_heaviest(struct chain_time *times, size_t count);

#endif
