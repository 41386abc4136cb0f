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
#include "threads/waits/wait.h"

#define TALLY_STATES 128 /* letters of /proc/PID/stat */

/* Times, or where none were measured (one sample each, a core) samples. */
struct tally {
    uint64_t samples, cpu_ns, wall_ns;
    uint64_t cpu_within_ns; /* of it what was used in wall_ns, not before a thread's first sample */
    uint32_t unsampled;     /* threads that used CPU time of which no sample tells */
    bool by_samples;
    uint64_t total, runnable, blocked;
    uint64_t untold; /* of runnable: after threads' last samples, where no CPU time is known */
    uint64_t by_kind[WAIT_KIND_COUNT]; /* of what is blocked, where the kind of wait is known */
    uint64_t by_state[TALLY_STATES];   /* ... and where it is not */
};

/* False: it used CPU time of which no sample tells. */
bool tally_is_cpu_known(const struct history_thread *thread);

/* Adds the threads whose numbers are given up. */
void tally_threads(const struct history *history, const uint32_t *threads, size_t count,
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
