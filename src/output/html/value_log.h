/* SPDX-License-Identifier: MIT */
/*
 * Logs which values variables had when: for each thread runs of successive samples of one cell of
 * the profile with the same values.
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
#include "graph/ingest.h"
#include "graph/names.h"
#include "output/html/value_table.h"
#include "variables/variables.h"

#define VALUE_LOG_BYTES (UINT64_C(64) << 20) /* of memory, about */

struct value_run {
    uint32_t thread;         /* the caller's number */
    uint32_t cell;           /* the caller's number */
    uint32_t number;         /* counts the thread's runs, with those dropped, from 0 on */
    uint32_t moment;         /* of the table */
    uint64_t from_ns, to_ns; /* times of its first and its last sample */
};

struct value_thread {
    uint32_t last;  /* 1 + the run of its last sample; 0: that was not kept, or there is none */
    uint32_t count; /* runs, with those dropped */
};

struct value_log { /* value_log_init first */
    struct value_table table;
    struct value_run *runs; /* in the order of time */
    size_t count, cap;
    struct value_thread *threads;
    size_t thread_count, thread_cap;
    uint32_t step;  /* a power of two: runs whose number is a multiple of it are kept */
    uint64_t limit; /* bytes, about: VALUE_LOG_BYTES */
    bool is_full;   /* nothing is added any more: even one run of each thread is too much */
};

/* Functions that return a status fail only with NO_MEMORY, but value_log_add (variables_tell). */

/* Call value_log_deinit whatever the status. */
MUST_CHECK enum status value_log_init(struct value_log *log);
void value_log_deinit(struct value_log *log);

/* Adds a sample, with the values of its frames' variables; `time_ns` on the caller's clock. */
struct value_sample {
    uint32_t thread, cell;
    uint64_t time_ns;
    const struct ingest_sample *given;
    struct names *names;
    struct variables *variables;
};
MUST_CHECK enum status value_log_add(struct value_log *log, const struct value_sample *sample);

/* Adds a sample whose values are a moment of the table. */
MUST_CHECK enum status value_log_add_moment(struct value_log *log, uint32_t thread, uint32_t cell,
                                            uint64_t time_ns, uint32_t moment);

/* Drops runs until `bytes` of the log is at most `limit`; sets is_full if that leaves nothing. */
MUST_CHECK enum status value_log_shrink(struct value_log *log, uint64_t limit,
                                        uint64_t (*bytes)(const struct value_log *log));

/*
 * Numbers the runs of each thread anew, resets `step` to 1, and frees moments without a run.
 * Runs are sorted by thread, and nothing may be added afterwards.
 */
MUST_CHECK enum status value_log_settle(struct value_log *log);

#endif
