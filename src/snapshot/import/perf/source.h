/* SPDX-License-Identifier: MIT */
/*
 * Private to the importer of perf.data: the state that its source files share.
 *
 * perf.c sorts the records; records.c takes in records that are no samples; events.c turns a sample
 * into events: first those about the sample's process and thread that were not delivered yet, then
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

#define PERF_CHAIN_MAX 8192 /* most addresses of a record's chain: a record has at most 64 KiB */

/*
 * Most mappings delivered for all processes: PERF_TOLD_MAPS, and one more per PERF_TOLD_BYTES of
 * records. Without a bound many forks of a process with many mappings would cost too much.
 */
#define PERF_TOLD_MAPS  (UINT64_C(1) << 20)
#define PERF_TOLD_BYTES 4

enum perf_step { /* the next kind of event for the current sample */
                 PERF_STEP_NONE,
                 PERF_STEP_PROCESS,
                 PERF_STEP_MAPS,
                 PERF_STEP_KERNEL,
                 PERF_STEP_THREAD,
                 PERF_STEP_SAMPLE,
};

/* perf's name of the kernel in MMAP records; a symbol's name may follow. */
#define PERF_KERNEL "[kernel.kallsyms]"

/* The recorded kernel, for the MAP event. */
struct perf_kernel {
    bool is_known, is_reported; /* the other members are set; the MAP was delivered */
    struct snap_kernel facts;
    char symbol[32];
    uint64_t start_addr, end_addr;
    uint8_t build_id[PERF_BUILD_ID_MAX];
    uint8_t build_id_size;
};

struct perf_counts { /* for messages to the user */
    uint64_t samples, with_stack, with_chain;
    uint64_t lost_records, lost_samples;
    uint64_t reported_lost; /* lost records and samples that LOSS events have told of */
    uint64_t compat, guest,
        damaged;    /* samples left out: other word size; guest; records: damaged */
    uint64_t bytes; /* bytes of records taken in */
    uint64_t reported_maps, kept_maps; /* mappings delivered; not delivered, beyond the bound */
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
    struct perf_record current; /* held: the current event points into this record */
    struct perf_record ahead;   /* held; the next record, read early to learn the architecture */
    bool has_ahead, has_ended, has_notes;
    enum status end; /* valid if has_ended: END, or the error of the reader */
    struct diag end_diag;
    /* The current sample: */
    enum perf_step step;
    struct perf_sample sample;
    const struct perf_attr *attr;
    uint32_t thread; /* index in tasks.threads */
    /* Mappings to deliver by address, before mappings that the process has made since. */
    struct perf_layout layout;
    struct perf_map vdso; /* with has_vdso: mapping whose CODE is delivered next */
    bool has_vdso;
    uint64_t kernel_chain[PERF_CHAIN_MAX], user_chain[PERF_CHAIN_MAX];
    uint32_t kernel_count, user_count;
    struct snap_region region;
    uint64_t time_ns; /* time of the last sample */
};

/*
 * Takes in a record that is no sample, with type below PERF_USER_TYPE. BAD_DATA: the record is
 * malformed; NO_MEMORY.
 */
MUST_CHECK enum status perf_record_use(struct perf_source *source,
                                       const struct perf_record *record);

/*
 * Makes `record` the current sample; a sample of a guest or of another word size is only counted.
 * BAD_DATA: the record is malformed; NO_MEMORY.
 */
MUST_CHECK enum status perf_sample_begin(struct perf_source *source,
                                         const struct perf_record *record);

/*
 * Sets *event to the next event of the current sample and of records before; false: none is left.
 */
bool perf_event_next(struct perf_source *source, struct snap_event *event);

/*
 * Returns the bytes of this program's own vDSO, and sets *size, if `module` is the same vDSO: by
 * module's build-id or, if it has none, if same_kernel (this machine's kernel was recorded). NULL:
 * `module` is another, or not certainly the same.
 */
const uint8_t *perf_vdso_bytes(const struct perf_module *module, bool same_kernel, uint64_t *size);

#endif
