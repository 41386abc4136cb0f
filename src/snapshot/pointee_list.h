/* SPDX-License-Identifier: MIT */
/*
 * The memory that one thread's registers and stack point to, from its last POINTEES record
 * (FORMAT.md, type 20). Private to snapshot/, and to recent/.
 */
#ifndef SNAPSHOT_POINTEE_LIST_H
#define SNAPSHOT_POINTEE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"
#include "snapshot/event.h"

struct pointee_list {
    uint64_t time_ns;           /* time of the SAMPLE that the record belongs to */
    struct snap_region *pieces; /* owned, with their bytes; disjoint, ascending */
    uint32_t count;
    size_t size; /* bytes of memory for `pieces` and the bytes that they point to */
};

/* Frees the contents; the list is empty then. */
void pointee_list_clear(struct pointee_list *list);

/*
 * Replaces the list by that of a POINTEES record, read from its time field on; bytes that the
 * record leaves out as known are copied from the old list. BAD_DATA: *what (static storage) says
 * why; NO_MEMORY. On failure the list is unchanged.
 */
MUST_CHECK enum status pointee_list_take(struct pointee_list *list, struct cursor *c,
                                         const char **what);

#endif
