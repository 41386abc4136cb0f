/* SPDX-License-Identifier: MIT */
/*
 * The time of a snapshot that counts (--from, --to), by the time since its first sample:
 *
 *     first sample       first_ns   last_ns               last sample
 *     |----------------|----+----------+----|-------------|
 *     origin_ns      from_ns              to_ns
 *     |<---------------------- span_ns ------------------>|
 *
 * A sample outside [from_ns, to_ns) is as if not taken.
 */
#ifndef GRAPH_TIME_WINDOW_H
#define GRAPH_TIME_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "snapshot/event.h"

struct time_window {         /* zeroed: all time counts */
    uint64_t from_ns, to_ns; /* set by the caller, in ns since the first sample; to_ns 0: no end */
    /* Results: number of samples outside; length of the longest snapshot */
    uint64_t samples_outside, span_ns;
    /* The next ones tell of the snapshot being read, on its clock. */
    bool has_origin;  /* there was a sample: origin_ns is the time of the first one */
    bool has_counted; /* there was a sample inside: first_ns and last_ns are valid */
    uint64_t origin_ns;
    uint64_t first_ns, last_ns; /* times of the first and last sample that time_window_count took */
};

/* Takes a sample's time; returns whether it is the snapshot's first one, at origin_ns. */
bool time_window_begin(struct time_window *window, uint64_t time_ns);
/* Ends the snapshot: the next sample has another clock. */
void time_window_end(struct time_window *window);

/* Whether `time_ns` lies inside; before the first sample it is at from_ns 0. */
bool time_window_has(const struct time_window *window, uint64_t time_ns);

/*
 * Returns the time of a thread's end or exec; 0 if it is not before to_ns: the thread is alive to
 * the end of the time that counts.
 */
uint64_t time_window_cut_end(const struct time_window *window, uint64_t time_ns);

/*
 * Returns the sample if it lies inside, else NULL and counts it in samples_outside. With from_ns, a
 * thread's first sample inside (*counted is false, and becomes true) is changed in *copy: it
 * repeats nothing, as its sample is not shown, and its times are cut at from_ns.
 */
const struct snap_sample *time_window_cut(struct time_window *window,
                                          const struct snap_sample *sample, bool *counted,
                                          struct snap_sample *copy);

/* Takes the time of a sample inside into first_ns and last_ns. */
void time_window_count(struct time_window *window, uint64_t time_ns);

#endif
