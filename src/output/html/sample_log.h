/* SPDX-License-Identifier: MIT */
/*
 * Logs samples with their time: for each thread the cells of the profile (a chain and a state) with
 * their weights, in slots of time of equal width.
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
#define SAMPLE_LOG_WIDTH_NS UINT64_C(1000000) /* width of a slot at first */

/* Weights of an entry: samples (or calls of a trace), wall, CPU, off-CPU time. */
#define LOG_WEIGHTS 4

struct log_entry {
    uint32_t thread;              /* any number that the caller gives a thread */
    uint32_t slot;                /* index of the slot, which begins at slot * width_ns */
    uint32_t cell;                /* any number that the caller gives a cell */
    uint32_t state;               /* any number of the caller; sample_log_add sets 0 */
    uint64_t weight[LOG_WEIGHTS]; /* sums, which stop at UINT64_MAX */
};

struct sample_log { /* zeroed: empty */
    struct log_entry *list;
    size_t count, cap;
    uint64_t width_ns; /* width of a slot; 0: sample_log_add was not called */
    /* entries at which slots widen; 0: SAMPLE_LOG_MAX; doubled if widening frees too few */
    size_t limit;
    uint32_t *last; /* by thread: 1 + index of the thread's last entry; 0: none */
    size_t last_count, last_cap;
};

void sample_log_deinit(struct sample_log *log);

/* Adds a sample's weights; `time_ns` is from the beginning of slot 0. Fails only with NO_MEMORY. */
MUST_CHECK enum status sample_log_add(struct sample_log *log, uint32_t thread, uint32_t cell,
                                      uint64_t time_ns, const struct weights *weights);

/* Appends a copy of an entry; only sample_log_join joins it with others. NO_MEMORY. */
MUST_CHECK enum status sample_log_append(struct sample_log *log, const struct log_entry *entry);

/*
 * Sorts entries by thread, slot, cell and state, and joins those that have all four in common.
 * Nothing may be added afterwards. NO_MEMORY.
 */
MUST_CHECK enum status sample_log_join(struct sample_log *log);

#endif
