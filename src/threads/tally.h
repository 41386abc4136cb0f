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
 * Amounts are times (ns) of the timeline; where it has none (one sample each, a core) samples.
 *
 *     total = sum of by_state;  tally_blocked = sum of by_kind + sum of kindless
 */
struct tally {
    uint64_t samples, cpu_ns;
    uint32_t unsampled; /* threads whose CPU time is not known: see tally_is_cpu_known */
    bool by_samples;    /* amounts count samples */
    uint64_t total;
    uint64_t by_state[TIMELINE_STATE_COUNT];
    uint64_t by_kind[WAIT_KIND_COUNT];       /* blocked: by the kind of wait, or WAIT_UNKNOWN */
    uint64_t kindless[TIMELINE_STATE_COUNT]; /* blocked in known states, by no known wait */
};

/* Returns the sum over the states in which a thread waits or is stopped. */
uint64_t tally_blocked(const struct tally *tally);

/*
 * False: the thread was never sampled, or cpu_unknown and its first sample has no CPU time. Then
 * cpu_ns may be too small.
 */
bool tally_is_cpu_known(const struct history_thread *thread);

/* Fills `out` with the sums over `count` threads of the history. */
void tally_threads(const struct timeline *timeline, const uint32_t *threads, size_t count,
                   struct tally *out);

struct tally_function { /* in samples */
    uint32_t function;  /* of the profile's names */
    uint64_t self, total;
};

struct tally_functions;

/* Reads the profile's chains once for all calls of tally_functions_of. Borrows `profile`. */
MUST_CHECK enum status tally_functions_create(const struct profile *profile,
                                              struct tally_functions **out);
void tally_functions_destroy(struct tally_functions *functions);

/*
 * Lists the functions on the threads' chains, ordered by self, total (greatest first) and number. A
 * function that is on a chain twice counts once in total. *out is borrowed until the next call.
 * Fails only with NO_MEMORY.
 */
MUST_CHECK enum status tally_functions_of(struct tally_functions *functions,
                                          const struct history *history, const uint32_t *threads,
                                          size_t count, const struct tally_function **out,
                                          size_t *out_count);

#endif
