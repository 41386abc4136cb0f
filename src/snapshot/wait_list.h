/* SPDX-License-Identifier: MIT */
/*
 * What one thread waits for, as WAIT records tell it (FORMAT.md, type 13). Private to snapshot/.
 */
#ifndef SNAPSHOT_WAIT_LIST_H
#define SNAPSHOT_WAIT_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"
#include "snapshot/event.h"

struct wait_list {
    struct snap_wait *waits; /* owned, and so is what each of them points to */
    uint32_t count;
    size_t size; /* bytes of all this */
};

/* Makes it empty. */
void wait_list_clear(struct wait_list *list);

/*
 * Adds what a WAIT record says from its time on. NOT_FOUND: a kind that is not known, nothing was
 * added. BAD_DATA: `what` says why.
 */
MUST_CHECK enum status wait_list_add(struct wait_list *list, struct cursor *c, const char **what);

/* The memory in it was the same at this time. */
void wait_list_unchanged(struct wait_list *list, uint64_t time_ns);

#endif
