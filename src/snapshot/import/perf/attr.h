/* SPDX-License-Identifier: MIT */
/*
 * The events that were recorded: how the records of each are laid out (struct perf_event_attr of
 * linux/perf_event.h), and which record is of which event.
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

#define PERF_ATTR_MAX 4096                /* events of one file */
#define PERF_ID_MAX   (UINT32_C(1) << 20) /* ids of all events of one file */

struct perf_attr {
    struct perf_event_attr attr; /* zero where the file's is shorter */
    struct perf_regs_layout regs;
};

struct perf_attrs { /* zero it */
    struct perf_attr *list;
    size_t count, cap;
    struct map by_id;  /* id → index in list */
    uint64_t id_count; /* that were added, also more than once */
    const struct arch *arch;
};

void perf_attrs_deinit(struct perf_attrs *attrs);

/* Adds an event: `size` bytes of struct perf_event_attr. BAD_DATA (too short, too many). */
MUST_CHECK enum status perf_attrs_add(struct perf_attrs *attrs, const uint8_t *bytes, size_t size);
/* Adds `count` ids of eight bytes to the last event. BAD_DATA: too many, or no event. */
MUST_CHECK enum status perf_attrs_add_ids(struct perf_attrs *attrs, const uint8_t *bytes,
                                          uint64_t count);
/* Says what the registers' bits mean; for the events to come as well. */
void perf_attrs_set_arch(struct perf_attrs *attrs, const struct arch *arch);

/* The event of a record that is no perf_user_type; NULL: not known. */
const struct perf_attr *perf_attrs_find(const struct perf_attrs *attrs,
                                        const struct perf_record *record);

/* The record's time; 0 when it has none. */
uint64_t perf_attrs_time(const struct perf_attrs *attrs, const struct perf_record *record);

/* Where the payload of a record that is no sample ends: the common fields follow it. */
size_t perf_attrs_payload_end(const struct perf_attrs *attrs, const struct perf_record *record);

#endif
