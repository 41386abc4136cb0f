/* SPDX-License-Identifier: MIT */
/*
 * What threads did, added up: how long they were in which state, and in which functions samples
 * found them.
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

/* Times as the timeline has them, or where none were measured (one sample each, a core) samples. */
struct tally {
    uint64_t samples, cpu_ns;
    uint32_t unsampled; /* threads that used CPU time of which no sample tells */
    bool by_samples;
    uint64_t total; /* the sum of by_state */
    uint64_t by_state[TIMELINE_STATE_COUNT];
    uint64_t by_kind[WAIT_KIND_COUNT];       /* of it where the kind of wait is known */
    uint64_t kindless[TIMELINE_STATE_COUNT]; /* ... and where threads waited, and it is not */
};

/* Of all states in which a thread waits, or is stopped. */
uint64_t tally_blocked(const struct tally *tally);

/* False: it used CPU time of which no sample tells. */
bool tally_is_cpu_known(const struct history_thread *thread);

/* Adds the threads whose numbers are given up. */
void tally_threads(const struct timeline *timeline, const uint32_t *threads, size_t count,
                   struct tally *out);

struct tally_function { /* in samples */
    uint32_t function;  /* of the profile's names */
    uint64_t self, total;
};

struct tally_functions;

/* Reads the profile's chains once for all that follow. */
MUST_CHECK enum status tally_functions_create(const struct profile *profile,
                                              struct tally_functions **out);
void tally_functions_destroy(struct tally_functions *functions);

/*
 * In which functions the threads were, by self, then total, then number. *out is valid until the
 * next call. A function that is on a chain twice counts once.
 */
MUST_CHECK enum status tally_functions_of(struct tally_functions *functions,
                                          const struct history *history, const uint32_t *threads,
                                          size_t count, const struct tally_function **out,
                                          size_t *out_count);

#endif
