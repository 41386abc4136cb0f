/* SPDX-License-Identifier: MIT */
/*
 * Logs the values of variables with their time: for each thread runs of successive samples of one
 * cell of the profile with the same values.
 *
 * Memory is bounded: beyond the limit every second run of each thread is dropped, as often as
 * needed, and later only every `step`th run is kept.
 */
#ifndef OUTPUT_HTML_VALUE_LOG_H
#define OUTPUT_HTML_VALUE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/ingest_sinks.h"
#include "graph/names.h"
#include "output/html/value_table.h"
#include "variables/variables.h"

#define VALUE_LOG_BYTES (UINT64_C(64) << 20) /* bytes of memory of a log, about */

struct value_run {
    uint32_t thread; /* any number that the caller gives a thread */
    uint32_t cell;   /* any number that the caller gives a cell */
    uint32_t number; /* number of the run among the thread's, dropped ones included; from 0 */
    uint32_t moment; /* values of all frames: a moment of value_log.table */
    uint64_t from_ns, to_ns; /* times of the run's first and last sample */
};
struct value_thread {
    uint32_t last;  /* 1 + index of the run of the last sample; 0: not kept, or no sample yet */
    uint32_t count; /* number of runs, dropped ones included */
};

struct value_log { /* value_log_init makes it */
    struct value_table table;
    struct value_run *runs; /* owned; in the order of their beginnings */
    size_t count, cap;
    struct value_thread *threads;
    size_t thread_count, thread_cap;
    uint32_t step;  /* a power of two: runs whose number is a multiple of it are kept */
    uint64_t limit; /* bytes of memory, about: VALUE_LOG_BYTES */
    bool is_full;   /* nothing is added any more: even one run of each thread is too much */
};

/*
 * Makes an empty log; value_log_deinit is to be called also if this fails. All functions but
 * value_log_add fail only with NO_MEMORY.
 */
MUST_CHECK enum status value_log_init(struct value_log *log);
void value_log_deinit(struct value_log *log);

/* A sample, all borrowed: the caller's numbers and time, the sample, and the source of values. */
struct value_sample {
    uint32_t thread, cell;
    uint64_t time_ns;
    const struct ingest_sample *given;
    struct names *names;
    struct variables *variables;
};
/*
 * Adds a sample with the values of its frames' variables. Fails like variables_tell, or with
 * NO_MEMORY.
 */
MUST_CHECK enum status value_log_add(struct value_log *log, const struct value_sample *sample);

/* Adds a sample of `thread` in `cell`; `moment` of log->table has the values of its frames. */
MUST_CHECK enum status value_log_add_moment(struct value_log *log, uint32_t thread, uint32_t cell,
                                            uint64_t time_ns, uint32_t moment);

/*
 * Drops every second run of each thread until bytes(log) is at most `limit`. If one run of each is
 * still too much, drops all runs and sets is_full.
 */
MUST_CHECK enum status value_log_shrink(struct value_log *log, uint64_t limit,
                                        uint64_t (*bytes)(const struct value_log *log));

/*
 * Numbers the runs of each thread from 0 on, resets `step` to 1, and frees moments without a run.
 * The caller has sorted `runs` by thread; value_log_add must not be called afterwards.
 */
MUST_CHECK enum status value_log_settle(struct value_log *log);

#endif
