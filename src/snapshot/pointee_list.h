/* SPDX-License-Identifier: MIT */
/*
 * What one thread's registers and stack point to, as its last POINTEES record tells it (FORMAT.md,
 * type 20). Private to snapshot/, and to recent/.
 */
#ifndef SNAPSHOT_POINTEE_LIST_H
#define SNAPSHOT_POINTEE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"
#include "snapshot/event.h"

struct pointee_list {
    uint64_t time_ns;           /* of the SAMPLE that it is of */
    struct snap_region *pieces; /* owned, with their bytes; apart, ascending */
    uint32_t count;
    size_t size; /* bytes of all this */
};

/* Makes it empty. */
void pointee_list_clear(struct pointee_list *list);

/*
 * Puts what a POINTEES record says, from its time on, in the list's place; bytes that are as they
 * were are taken from the list. BAD_DATA: `what` says why; then, as with NO_MEMORY, the list is as
 * it was.
 */
MUST_CHECK enum status pointee_list_take(struct pointee_list *list, struct cursor *c,
                                         const char **what);

#endif
