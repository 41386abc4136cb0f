/* SPDX-License-Identifier: MIT */
/*
 * Sums over threads: how long they were in which state, and in which functions samples found them.
 */
#ifndef THREADS_TALLY_H
#define THREADS_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"
#include "threads/history.h"
#include "threads/timeline.h"
#include "threads/waits/wait.h"

/*
 * Sums over some threads. Amounts are times (ns) of the timeline; if by_samples, numbers of
 * samples.
 *
 *     total = sum of by_state;  tally_blocked = sum of by_kind + sum of kindless
 */
struct tally {
    uint64_t samples, cpu_ns;
    uint32_t unsampled; /* threads whose CPU time is not known (tally_is_cpu_known is false) */
    /* the timeline has no times (a core, or one sample of each thread): amounts are samples */
    bool by_samples;
    uint64_t total;
    uint64_t by_state[TIMELINE_STATE_COUNT];
    /* amount in blocked states, by kind of wait; without a known wait: WAIT_UNKNOWN */
    uint64_t by_kind[WAIT_KIND_COUNT];
    /* amount without a known wait in other waiting states, by state */
    uint64_t kindless[TIMELINE_STATE_COUNT];
};

/* Returns the amount of by_state in the states in which a thread waits or is stopped. */
uint64_t tally_blocked(const struct tally *tally);

/*
 * Whether thread->cpu_ns is all its CPU time. False: cpu_ns may be too small, as the thread was
 * never sampled, or has cpu_unknown and no CPU time in its first sample.
 */
bool tally_is_cpu_known(const struct history_thread *thread);

/* Fills *out with the sums over `count` threads, indexes in the timeline's history. */
void tally_threads(const struct timeline *timeline, const uint32_t *threads, size_t count,
                   struct tally *out);

struct tally_function { /* a function's weights, in samples */
    uint32_t function;  /* number of the function in the profile's names */
    uint64_t self, total;
};

struct tally_functions;

/*
 * Prepares calls of tally_functions_of, which then need not read all the profile's chains. *out is
 * the caller's and borrows `profile`. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status tally_functions_create(const struct profile *profile,
                                              struct tally_functions **out);
void tally_functions_destroy(struct tally_functions *functions);

/*
 * Lists the functions on the chains of `count` threads (indexes in the history), sorted by self,
 * total (greatest first) and number. A function that is on a chain twice counts once in total. *out
 * is owned by `functions` and valid until the next call. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status tally_functions_of(struct tally_functions *functions,
                                          const struct history *history, const uint32_t *threads,
                                          size_t count, const struct tally_function **out,
                                          size_t *out_count);

#endif
