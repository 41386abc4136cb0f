/* SPDX-License-Identifier: MIT */
/*
 * Sorts records by time. Each CPU's records are in order; those of several CPUs are not. A
 * FINISHED_ROUND says that all CPUs' buffers were written out once more: no record can still come
 * that is older than the newest one before the previous round.
 */
#ifndef SNAPSHOT_IMPORT_PERF_ORDER_H
#define SNAPSHOT_IMPORT_PERF_ORDER_H

#include "snapshot/import/perf/reader.h"

#define PERF_ORDER_MAX (UINT32_C(1) << 20)   /* records that may wait */
#define PERF_HELD_MAX  (UINT64_C(256) << 20) /* bytes of chunks that waiting records may hold */

struct perf_waiting {
    uint64_t time_ns, seq;
    struct perf_record record; /* held (perf_record_hold) */
};

struct perf_order {            /* zero it */
    struct perf_waiting *heap; /* owned; the earliest on top */
    size_t count, cap;
    uint64_t seq;
    uint64_t newest_ns; /* latest time of all records */
    uint64_t round_ns;  /* newest_ns at the previous round */
    uint64_t ready_ns;  /* records up to this time may be taken */
    uint64_t taken_ns;  /* latest time of those taken */
    uint64_t late;      /* records that came after a later one had been taken */
};

void perf_order_deinit(struct perf_order *order, struct perf_reader *reader);

/* Adds a record, which it holds. NO_MEMORY. */
MUST_CHECK enum status perf_order_put(struct perf_order *order, uint64_t time_ns,
                                      const struct perf_record *record);
void perf_order_round(struct perf_order *order);
void perf_order_end(struct perf_order *order); /* no more records will come: all may be taken */

/*
 * Takes the earliest record that is due, or that must go because too many wait; the caller releases
 * it. False: none.
 */
bool perf_order_take(struct perf_order *order, const struct perf_reader *reader,
                     struct perf_record *record);

#endif
