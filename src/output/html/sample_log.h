/* SPDX-License-Identifier: MIT */
/*
 * Logs what was sampled when: for each thread, as samples come, cells of the profile (a chain and a
 * state) with their weights, in slots of time of equal width.
 *
 * Successive samples of one thread in one slot and cell are one entry. When there are
 * SAMPLE_LOG_MAX entries slots become ten times as wide, and entries that are then of one slot and
 * cell are joined, so that no weight is lost.
 */
#ifndef OUTPUT_HTML_SAMPLE_LOG_H
#define OUTPUT_HTML_SAMPLE_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"

#define SAMPLE_LOG_MAX      (UINT32_C(1) << 22)
#define SAMPLE_LOG_WIDTH_NS UINT64_C(1000000) /* of a slot, at first */

/* Weights of an entry: samples, or calls of a trace; wall, CPU, off-CPU time. */
#define LOG_WEIGHTS 4

struct log_entry {
    uint32_t thread;              /* the caller's number */
    uint32_t slot;                /* begins at slot * width_ns */
    uint32_t cell;                /* the caller's number */
    uint32_t state;               /* the caller's; sample_log_add sets 0 */
    uint64_t weight[LOG_WEIGHTS]; /* saturating sums */
};

struct sample_log { /* zeroed: empty */
    struct log_entry *list;
    size_t count, cap;
    uint64_t width_ns; /* of a slot; 0: sample_log_add was not called */
    size_t limit;      /* SAMPLE_LOG_MAX, or fewer; doubled if all entries are in one slot */
    uint32_t *last;    /* by thread: 1 + the place of its last entry; 0: none */
    size_t last_count, last_cap;
};

void sample_log_deinit(struct sample_log *log);

/* Adds a sample. `time_ns` counts from the beginning of slot 0. Fails only with NO_MEMORY. */
MUST_CHECK enum status sample_log_add(struct sample_log *log, uint32_t thread, uint32_t cell,
                                      uint64_t time_ns, const struct weights *weights);

/* Appends an entry as it is; it is joined with others by sample_log_join only. */
MUST_CHECK enum status sample_log_append(struct sample_log *log, const struct log_entry *entry);

/*
 * Sorts by thread, slot, cell and state, and joins entries that have all four in common. Nothing
 * may be added afterwards.
 */
MUST_CHECK enum status sample_log_join(struct sample_log *log);

#endif
