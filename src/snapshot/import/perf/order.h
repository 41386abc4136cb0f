/* SPDX-License-Identifier: MIT */
/*
 * Records in the order of time. Each CPU's records are in order, those of several are not; a
 * FINISHED_ROUND says that all CPUs' buffers were written out once more, so that nothing older than
 * what came before the round before can still come.
 */
#ifndef SNAPSHOT_IMPORT_PERF_ORDER_H
#define SNAPSHOT_IMPORT_PERF_ORDER_H

#include "snapshot/import/perf/reader.h"

#define PERF_ORDER_MAX (UINT32_C(1) << 20)   /* records that wait */
#define PERF_HELD_MAX  (UINT64_C(256) << 20) /* bytes of records that wait */

struct perf_waiting {
    uint64_t time_ns, seq;
    struct perf_record record; /* held */
};

struct perf_order {            /* zero it */
    struct perf_waiting *heap; /* the earliest first */
    size_t count, cap;
    uint64_t seq;
    uint64_t newest_ns; /* of all that came */
    uint64_t round_ns;  /* newest_ns at the last round */
    uint64_t ready_ns;  /* what is not later may be taken */
    uint64_t taken_ns;  /* of the last one taken */
    uint64_t late;      /* records that came when later ones had been taken */
};

void perf_order_deinit(struct perf_order *order, struct perf_reader *reader);

/* Holds the record. */
MUST_CHECK enum status perf_order_put(struct perf_order *order, uint64_t time_ns,
                                      const struct perf_record *record);
void perf_order_round(struct perf_order *order);
void perf_order_end(struct perf_order *order); /* no more will come */

/*
 * The earliest record that may be taken, or that has to be because too many wait: it is the
 * caller's to release. False: none.
 */
bool perf_order_take(struct perf_order *order, const struct perf_reader *reader,
                     struct perf_record *record);

#endif
