/* SPDX-License-Identifier: MIT */
/*
 * The recorded events of a perf.data: the layout of each event's records (struct perf_event_attr of
 * linux/perf_event.h), and which record belongs to which event.
 */
#ifndef SNAPSHOT_IMPORT_PERF_ATTR_H
#define SNAPSHOT_IMPORT_PERF_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "snapshot/import/perf/format.h"
#include "snapshot/import/perf/reader.h"
#include "snapshot/import/perf/regs.h"

#define PERF_ATTR_MAX 4096                /* most events of one file */
#define PERF_ID_MAX   (UINT32_C(1) << 20) /* most ids of all events of one file */

struct perf_attr {
    struct perf_event_attr attr;  /* members that the file's struct is too short for are zero */
    struct perf_regs_layout regs; /* layout of the registers in the event's samples */
};

struct perf_attrs { /* zero it */
    struct perf_attr *list;
    size_t count, cap;
    struct map by_id;        /* id -> index in list */
    uint64_t id_count;       /* ids added, repeated ones included */
    const struct arch *arch; /* set by perf_attrs_set_arch; NULL: not known yet */
};

void perf_attrs_deinit(struct perf_attrs *attrs);

/*
 * Adds an event, given by `size` bytes of its struct perf_event_attr. BAD_DATA: too few bytes, or
 * too many events; NO_MEMORY.
 */
MUST_CHECK enum status perf_attrs_add(struct perf_attrs *attrs, const uint8_t *bytes, size_t size);
/*
 * Adds `count` ids of 8 bytes to the event added last. BAD_DATA: too many ids, or there is no
 * event; NO_MEMORY.
 */
MUST_CHECK enum status perf_attrs_add_ids(struct perf_attrs *attrs, const uint8_t *bytes,
                                          uint64_t count);
/* Sets the architecture, by which perf_attr.regs of present and later events are made. */
void perf_attrs_set_arch(struct perf_attrs *attrs, const struct arch *arch);

/*
 * Returns the event of a record, whose type must be below PERF_USER_TYPE: the only event, or that
 * with the record's id, or, for a record that is no sample, the first one. NULL: not known.
 */
const struct perf_attr *perf_attrs_find(const struct perf_attrs *attrs,
                                        const struct perf_record *record);

/* Returns the record's time in ns of the recorded clock; 0: the record has none. */
uint64_t perf_attrs_time(const struct perf_attrs *attrs, const struct perf_record *record);

/*
 * Returns the offset, from the record's beginning, at which the payload ends and the common fields
 * (sample_id) begin. The record must not be a sample.
 */
size_t perf_attrs_payload_end(const struct perf_attrs *attrs, const struct perf_record *record);

#endif
