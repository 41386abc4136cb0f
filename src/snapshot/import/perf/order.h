/* SPDX-License-Identifier: MIT */
/*
 * Sorts records by time. Each CPU's records are in order; those of several CPUs are not. A
 * FINISHED_ROUND says that all CPUs' buffers were written out once more: no record can still come
 * that is older than the newest one before the previous round.
 */
#ifndef SNAPSHOT_IMPORT_PERF_ORDER_H
#define SNAPSHOT_IMPORT_PERF_ORDER_H

#include "snapshot/import/perf/reader.h"

#define PERF_ORDER_MAX (UINT32_C(1) << 20)   /* most records that wait */
#define PERF_HELD_MAX  (UINT64_C(256) << 20) /* most bytes of chunks that waiting records hold */

struct perf_waiting {
    uint64_t time_ns, seq;     /* seq: number of the record; decides between equal times */
    struct perf_record record; /* held (perf_record_hold) */
};

struct perf_order {            /* zero it */
    struct perf_waiting *heap; /* owned; the waiting records, the earliest on top */
    size_t count, cap;
    uint64_t seq;       /* number of the next record */
    uint64_t newest_ns; /* latest time of all records put */
    uint64_t round_ns;  /* newest_ns at the last perf_order_round */
    uint64_t ready_ns;  /* records up to this time may be taken */
    uint64_t taken_ns;  /* latest time of the records taken */
    uint64_t late;      /* records that were put after a later one had been taken */
};

/* Releases the waiting records to `reader`, and frees the heap. */
void perf_order_deinit(struct perf_order *order, struct perf_reader *reader);

/* Adds a copy of `record`, and holds the record (perf_record_hold). NO_MEMORY. */
MUST_CHECK enum status perf_order_put(struct perf_order *order, uint64_t time_ns,
                                      const struct perf_record *record);
/* To be called at a FINISHED_ROUND. */
void perf_order_round(struct perf_order *order);
/* To be called when no more records come: all may be taken. */
void perf_order_end(struct perf_order *order);

/*
 * Takes the earliest record, if records of its time may be taken or a limit is exceeded, and sets
 * *record, which the caller releases (perf_record_release). False: there is none to take.
 */
bool perf_order_take(struct perf_order *order, const struct perf_reader *reader,
                     struct perf_record *record);

#endif
