/* SPDX-License-Identifier: MIT */
/*
 * Stretches of time in which a thread waited for an object or held it, before they are summed up to
 * the edges of a wait graph; and which chain of calls had the most of a time.
 */
#ifndef THREADS_BLOCKING_WAIT_STRETCH_H
#define THREADS_BLOCKING_WAIT_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct stretch {
    uint64_t start_ns, end_ns;
    uint64_t waited_ns; /* of it, that the thread did not run */
    uint64_t seen_ns;   /* the last sample in it */
    uint32_t node, thread;
    uint32_t wait, waiter; /* in the history's waits, its threads: that one waited so */
    uint32_t chain, take_chain;
    bool inferred;
    bool by_itself; /* the one that waits is the one that holds it */
    bool goes_on;   /* the thread has not run since the stretch before it: one wait */
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

/* The length of the union of intervals that are sorted by their beginnings. */
uint64_t stretches_covered(const struct stretch *list, size_t count);

MUST_CHECK enum status chain_times_add(struct chain_times *times, uint32_t chain, uint64_t ns);

/*
 * Sums up by chain, and orders them so; the one with the longest time, then the most often there.
 * HISTORY_NONE: none.
 */
struct chain_time chain_times_heaviest(struct chain_time *times, size_t count);

#endif
