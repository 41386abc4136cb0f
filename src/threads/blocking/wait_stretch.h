/* SPDX-License-Identifier: MIT */
/*
 * Stretches of time in which a thread waited for an object or held it: a wait graph's edges are
 * sums of them. Also sums of time by chain.
 */
#ifndef THREADS_BLOCKING_WAIT_STRETCH_H
#define THREADS_BLOCKING_WAIT_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct stretch {
    uint64_t start_ns, end_ns;
    uint64_t waited_ns; /* of a wait: its length less the thread's CPU time; of a hold: 0 */
    uint64_t seen_ns;   /* of a wait: time of the last sample in it; of a hold: 0 */
    uint32_t node, thread;
    /*
     * indexes in the history's waits and threads: of a wait: its own `wait`; of a hold: the reading
     * that told the owner
     */
    uint32_t wait, waiter;
    /* chain: of a wait, its chain in the profile; take_chain: of a hold, as in struct hold_edge */
    uint32_t chain, take_chain;
    bool inferred;  /* of a hold: the owner is inferred, not read */
    bool by_itself; /* of a hold: the owner waits for the object that it holds itself */
    bool goes_on;   /* the thread has not run since the stretch before it: both are one wait */
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

/* Compares two struct stretch for qsort: by thread, then time, then chain. */
int stretch_compare(const void *a, const void *b);

/* Returns how much time (ns) `count` stretches cover together; `list` is sorted by start_ns. */
uint64_t stretches_covered(const struct stretch *list, size_t count);

MUST_CHECK enum status chain_times_add(struct chain_times *times, uint32_t chain, uint64_t ns);

/*
 * Sums up `times` by chain, which it sorts by chain, and returns the sum with the most ns, of
 * equals the one with the most entries. Entries without a chain do not count; if no entry has one,
 * the returned chain is HISTORY_NONE.
 */
struct chain_time chain_times_heaviest(struct chain_time *times, size_t count);

#endif
