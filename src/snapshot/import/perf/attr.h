/* SPDX-License-Identifier: MIT */
/*
 * The recorded events of a perf.data: how each one's records are laid out (struct perf_event_attr
 * of linux/perf_event.h), and which record belongs to which event.
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
    struct perf_event_attr attr; /* zero where the file's struct is shorter */
    struct perf_regs_layout regs;
};

struct perf_attrs { /* zero it */
    struct perf_attr *list;
    size_t count, cap;
    struct map by_id;  /* id -> index in list */
    uint64_t id_count; /* ids added, repeated ones included */
    const struct arch *arch;
};

void perf_attrs_deinit(struct perf_attrs *attrs);

/*
 * Adds an event, `size` bytes of struct perf_event_attr. BAD_DATA: too short, too many; NO_MEMORY.
 */
MUST_CHECK enum status perf_attrs_add(struct perf_attrs *attrs, const uint8_t *bytes, size_t size);
/* Adds `count` ids of 8 bytes to the last event. BAD_DATA: too many, or no event; NO_MEMORY. */
MUST_CHECK enum status perf_attrs_add_ids(struct perf_attrs *attrs, const uint8_t *bytes,
                                          uint64_t count);
/* Sets the architecture, by which registers' masks are read, for present and later events. */
void perf_attrs_set_arch(struct perf_attrs *attrs, const struct arch *arch);

/* Returns the event of a record whose type is below PERF_USER_TYPE; NULL: not known. */
const struct perf_attr *perf_attrs_find(const struct perf_attrs *attrs,
                                        const struct perf_record *record);

/* Returns the record's time, ns of the recorded clock; 0: none. */
uint64_t perf_attrs_time(const struct perf_attrs *attrs, const struct perf_record *record);

/* Returns the offset in a record that is no sample where payload ends and common fields begin. */
size_t perf_attrs_payload_end(const struct perf_attrs *attrs, const struct perf_record *record);

#endif
