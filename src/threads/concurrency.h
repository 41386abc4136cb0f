/* SPDX-License-Identifier: MIT */
/*
 * Computes how many threads ran at each moment, and for how much of the time none, one, two ...
 * ran.
 *
 *     a thread's running = CPU time between two of its samples / time between them
 *     1.3 threads on average = 1 thread for 70 % of the time, 2 threads for 30 %
 *
 * Runnable samples are not counted: the samples of a round are taken one after another, and
 * runnable is not running. CPU time is exact up to a thread's last sample, and so are averages
 * between samples; CPU time after the last sample, and of threads never sampled, is missing. How
 * CPU time was spread between two samples is not known: it is taken to be even, and an average to
 * have the least spread.
 *
 * Numbers of threads are in units of 1/CONCURRENCY_ONE.
 */
#ifndef THREADS_CONCURRENCY_H
#define THREADS_CONCURRENCY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "threads/timeline.h"

#define CONCURRENCY_ONE UINT64_C(65536)

struct concurrency {
    uint64_t *level_ns; /* level_ns[n]: for how long n threads ran at once, in ns; owned */
    /* number of elements of level_ns: the most threads that ran at a time, plus 1 */
    size_t level_count;
    uint64_t total_ns; /* the sum of level_ns; equals the timeline's length */
    uint64_t cpu_ns;   /* CPU time of all threads together */
};

/* Fills *out from the timeline's rows. Fails only with NO_MEMORY. */
MUST_CHECK enum status concurrency_create(const struct timeline *timeline, struct concurrency *out);
void concurrency_deinit(struct concurrency *concurrency);

/* Returns how many threads ran on average over total_ns, in hundredths of a thread. */
uint64_t concurrency_average(const struct concurrency *concurrency);

struct concurrency_bin {     /* average numbers of threads over an interval, in 1/CONCURRENCY_ONE */
    uint64_t running, ready; /* ready: that wanted to run and had no CPU */
};

/*
 * Fills bins[0 .. count-1] for `count` equal intervals from the timeline's start to its end;
 * `count` is at least 1. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status concurrency_bins(const struct timeline *timeline,
                                        struct concurrency_bin *bins, size_t count);

/*
 * Fills bins[0 .. count-1] for `count` intervals of `width_ns` from `start_ns` on, which together
 * must hold the whole timeline. An interval that the timeline covers in part has the average over
 * that part. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status concurrency_bins_of_width(const struct timeline *timeline, uint64_t start_ns,
                                                 uint64_t width_ns, struct concurrency_bin *bins,
                                                 size_t count);

#endif
