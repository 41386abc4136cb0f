/* SPDX-License-Identifier: MIT */
/*
 * Private to the importer of perf.data: what its files share.
 *
 * perf.c puts the records in order; perf_records.c takes in what is no sample; perf_events.c turns
 * a sample into events: first what the reader has not been told of its process and thread, then
 * the sample.
 */
#ifndef SNAPSHOT_IMPORT_PERF_SOURCE_H
#define SNAPSHOT_IMPORT_PERF_SOURCE_H

#include "snapshot/import/perf/attr.h"
#include "snapshot/import/perf/header.h"
#include "snapshot/import/perf/layout.h"
#include "snapshot/import/perf/order.h"
#include "snapshot/import/perf/sample.h"
#include "snapshot/import/perf/tasks.h"
#include "snapshot/import/source.h"

#define PERF_CHAIN_MAX 8192 /* addresses in a record: it has 64 KiB */

/*
 * Mappings that are told of processes from their beginning on: so many, and one more for each so
 * many bytes of records. A file of forks of one large process would cost its square otherwise.
 */
#define PERF_TOLD_MAPS  (UINT64_C(1) << 20)
#define PERF_TOLD_BYTES 4

enum perf_step { /* what comes next for the sample at hand */
                 PERF_STEP_NONE,
                 PERF_STEP_PROCESS,
                 PERF_STEP_MAPS,
                 PERF_STEP_KERNEL,
                 PERF_STEP_THREAD,
                 PERF_STEP_SAMPLE,
};

#define PERF_KERNEL "[kernel.kallsyms]" /* what perf calls it; a symbol may follow */

/* The kernel of the samples, as its MAP will be. */
struct perf_kernel {
    bool is_known, is_reported;
    struct snap_kernel facts;
    char symbol[32];
    uint64_t start_addr, end_addr;
    uint8_t build_id[PERF_BUILD_ID_MAX];
    uint8_t build_id_size;
};

struct perf_counts { /* of what the user should know */
    uint64_t samples, with_stack, with_chain;
    uint64_t lost_records, lost_samples;
    uint64_t reported_lost; /* of both, in LOSS events */
    uint64_t compat, guest, damaged;
    uint64_t bytes;                    /* of the records that were taken in */
    uint64_t reported_maps, kept_maps; /* kept: that were not told */
};

struct perf_source {
    struct snap_source base;
    struct source_input *input; /* borrowed */
    struct perf_reader reader;
    struct perf_header header;
    struct perf_attrs attrs;
    struct perf_order order;
    struct perf_tasks tasks;
    struct perf_kernel kernel;
    struct perf_counts counts;
    struct perf_record current; /* what the event at hand points into; held */
    struct perf_record ahead;   /* read to learn the architecture; held */
    bool has_ahead, has_ended, has_notes;
    enum status end; /* when has_ended: END or what was wrong */
    struct diag end_diag;
    /* The sample at hand: */
    enum perf_step step;
    struct perf_sample sample;
    const struct perf_attr *attr;
    uint32_t thread;           /* index in tasks.threads */
    struct perf_layout layout; /* maps that are told; then those of the process's that are new */
    struct perf_map vdso;      /* its bytes are told next, where has_vdso */
    bool has_vdso;
    uint64_t kernel_chain[PERF_CHAIN_MAX], user_chain[PERF_CHAIN_MAX];
    uint32_t kernel_count, user_count;
    struct snap_region region;
    uint64_t time_ns; /* of the last sample */
};

/*
 * Takes in a record with a time that is no sample. BAD_DATA: it is malformed; its loss is to be
 * counted, no more.
 */
MUST_CHECK enum status perf_record_use(struct perf_source *source,
                                       const struct perf_record *record);

/* Makes a sample the one at hand. BAD_DATA: as above. */
MUST_CHECK enum status perf_sample_begin(struct perf_source *source,
                                         const struct perf_record *record);

/* The next event of what is at hand; false: there is none left. */
bool perf_event_next(struct perf_source *source, struct snap_event *event);

/*
 * The vDSO of this very process where `module` is it: its bytes and how many. NULL: it is not, or
 * one cannot tell. `same_kernel`: this machine's kernel was recorded.
 */
const uint8_t *perf_vdso_bytes(const struct perf_module *module, bool same_kernel, uint64_t *size);

#endif
