/* SPDX-License-Identifier: MIT */
/* The waits of one thread, from WAIT records (FORMAT.md, type 13). Private to snapshot/. */
#ifndef SNAPSHOT_WAIT_LIST_H
#define SNAPSHOT_WAIT_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"
#include "snapshot/event.h"

struct wait_list {
    struct snap_wait *waits; /* owned, with the bytes and texts that they point to */
    uint32_t count;
    size_t size; /* bytes of memory for `waits` and the bytes and texts that they point to */
};

/* Frees the contents; the list is empty then. */
void wait_list_clear(struct wait_list *list);

/*
 * Adds the wait of a WAIT record, read from its time field on. NOT_FOUND: the record is of an
 * unknown kind, and nothing is added. BAD_DATA: *what (static storage) says why; NO_MEMORY.
 */
MUST_CHECK enum status wait_list_add(struct wait_list *list, struct cursor *c, const char **what);

/* Sets the time of all SNAP_WAIT_MEMORY waits to time_ns, at which their memory was the same. */
void wait_list_unchanged(struct wait_list *list, uint64_t time_ns);

#endif
