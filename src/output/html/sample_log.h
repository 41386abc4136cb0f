/* SPDX-License-Identifier: MIT */
/*
 * What was sampled when: for each thread, in the order in which samples come, the cells of the
 * profile (a chain and a state) and what was added to them, in slots of time of equal width.
 *
 * Neighbours of one thread in one slot and cell are one entry. What there is of distinct entries is
 * bounded: where they are more than SAMPLE_LOG_MAX the slots become ten times as wide, and what is
 * then of one slot and cell is joined, so that no weight is lost.
 */
#ifndef OUTPUT_HTML_SAMPLE_LOG_H
#define OUTPUT_HTML_SAMPLE_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"

#define SAMPLE_LOG_MAX      (UINT32_C(1) << 22)
#define SAMPLE_LOG_WIDTH_NS UINT64_C(1000000) /* of a slot, at first */

/* What an entry adds up: of a trace the first is calls. */
#define LOG_WEIGHTS 4

struct log_entry {
    uint32_t thread;              /* as whoever adds it counts them */
    uint32_t slot;                /* begins at slot * width_ns */
    uint32_t cell;                /* as whoever adds it counts them */
    uint32_t state;               /* for whoever has one; joined are only those of one cell */
    uint64_t weight[LOG_WEIGHTS]; /* saturate */
};

struct sample_log { /* zeroed: empty */
    struct log_entry *list;
    size_t count, cap;
    uint64_t width_ns; /* of a slot; 0: nothing was added */
    size_t limit;      /* SAMPLE_LOG_MAX, or fewer; grows where entries cannot be joined any more */
    uint32_t *last;    /* by thread: 1 + the place of its last entry; 0: it has none */
    size_t last_count, last_cap;
};

void sample_log_deinit(struct sample_log *log);

/* `time_ns` is counted from where slot 0 begins. Fails only for memory. */
MUST_CHECK enum status sample_log_add(struct sample_log *log, uint32_t thread, uint32_t cell,
                                      uint64_t time_ns, const struct weights *weights);

/* An entry as it is, which no other is joined with before sample_log_join. */
MUST_CHECK enum status sample_log_append(struct sample_log *log, const struct log_entry *entry);

/*
 * Sorts by thread, slot, cell and state, and joins those that have all of them in common. Nothing
 * is added any more.
 */
MUST_CHECK enum status sample_log_join(struct sample_log *log);

#endif
