/* SPDX-License-Identifier: MIT */
/*
 * How many threads ran at each moment, and for what share of the time none, one, two … ran.
 *
 * Found from the CPU time that each thread used between two of its samples, not from how many of
 * the samples of a round found a thread runnable: those are taken one after another, and runnable
 * is not running. CPU time is exact up to a thread's last sample, so the average over any interval
 * between samples is; what a thread used after it, or one that was never sampled, is missing. How
 * it was spread inside the interval is not known: it is taken to be even, and an average of 1.3
 * threads to be one thread for 70 % of the time and two for 30 %, the least spread that has this
 * average.
 *
 * Threads are counted in 1/65536.
 */
#ifndef THREADS_CONCURRENCY_H
#define THREADS_CONCURRENCY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "threads/timeline.h"

#define CONCURRENCY_ONE UINT64_C(65536)

struct concurrency {
    uint64_t *level_ns; /* owned; how long so many ran: by their number, up to the most */
    size_t level_count; /* at least 1 */
    uint64_t total_ns;  /* the sum of level_ns: from the first sample to the last */
    uint64_t cpu_ns;    /* of all threads */
};

/* Of the timeline's rows. */
MUST_CHECK enum status concurrency_create(const struct timeline *timeline, struct concurrency *out);
void concurrency_deinit(struct concurrency *concurrency);

/* How many ran on average, in hundredths. */
uint64_t concurrency_average(const struct concurrency *concurrency);

/* What ran on average in each of `count` equal intervals from the first sample to the last. */
struct concurrency_bin {
    uint64_t running, ready; /* ready: wanted to run and had no CPU */
};

/* `bins` has `count` elements, at least one, which need not be set. */
MUST_CHECK enum status concurrency_bins(const struct timeline *timeline,
                                        struct concurrency_bin *bins, size_t count);

/*
 * The same of intervals of one width that begin at `start_ns`, no later than the timeline, and end
 * no earlier. The timeline fills the first and the last in part: what ran there is on average over
 * that part.
 */
MUST_CHECK enum status concurrency_bins_of_width(const struct timeline *timeline, uint64_t start_ns,
                                                 uint64_t width_ns, struct concurrency_bin *bins,
                                                 size_t count);

#endif
