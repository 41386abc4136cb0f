/* SPDX-License-Identifier: MIT */
/*
 * Which variables were told when: for each thread runs of samples of one cell of the profile, in
 * which nothing that is told changed.
 *
 * What it takes is bounded: where it is more than a limit, of each thread every second run is
 * dropped, again and again, and only every so-manieth is told from then on.
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
    uint32_t thread;         /* as whoever adds it counts them */
    uint32_t cell;           /* the same */
    uint32_t number;         /* of the thread's runs, from 0 on */
    uint32_t moment;         /* of the table */
    uint64_t from_ns, to_ns; /* of its first and its last sample */
};

struct value_thread {
    uint32_t last;  /* 1 + its last run; 0: that is not of the last sample, or there is none */
    uint32_t count; /* of runs there were */
};

struct value_log { /* value_log_init first */
    struct value_table table;
    struct value_run *runs; /* in the order of time */
    size_t count, cap;
    struct value_thread *threads;
    size_t thread_count, thread_cap;
    uint32_t step;  /* a power of two: runs whose number is a multiple of it are there */
    uint64_t limit; /* VALUE_LOG_BYTES */
    bool is_full;   /* no more is added: the first of each thread alone are too many */
};

/* value_log_deinit, whatever the status. */
MUST_CHECK enum status value_log_init(struct value_log *log);
void value_log_deinit(struct value_log *log);

/* A sample of a cell, in one of its threads; `time_ns` as whoever adds it counts. */
struct value_sample {
    uint32_t thread, cell;
    uint64_t time_ns;
    const struct ingest_sample *given;
    struct names *names;
    struct variables *variables;
};
MUST_CHECK enum status value_log_add(struct value_log *log, const struct value_sample *sample);

/* The same where it is known what was told: a moment of the table. */
MUST_CHECK enum status value_log_add_moment(struct value_log *log, uint32_t thread, uint32_t cell,
                                            uint64_t time_ns, uint32_t moment);

/* Drops runs until `bytes` says no more than `limit`, of what is left; or nothing is. */
MUST_CHECK enum status value_log_shrink(struct value_log *log, uint64_t limit,
                                        uint64_t (*bytes)(const struct value_log *log));

/* Numbers runs of a thread anew, and lets go of what none has. */
MUST_CHECK enum status value_log_settle(struct value_log *log);

#endif
