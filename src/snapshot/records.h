/* SPDX-License-Identifier: MIT */
/*
 * The records of a snapshot: what each says, whether that fits what came before it, and the event
 * that it is. What the reader has of them, their frames and checksums, is in reader.c; the format
 * is in FORMAT.md. Private to the reader, and to recent/, which follows a stream as it does.
 */
#ifndef SNAPSHOT_RECORDS_H
#define SNAPSHOT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/cursor.h"
#include "base/map.h"
#include "base/status.h"
#include "snapshot/event.h"
#include "snapshot/stack_image.h"
#include "snapshot/thread_table.h"

struct snap_records { /* zero it, and set the first */
    const struct arch *arch;
    /* Private: what the records so far have left. */
    struct map processes; /* pid -> 1 */
    struct thread_table threads;
    struct stack_image spare;
    char *strings[3]; /* NUL-terminated copies for the event being delivered */
    uint64_t idle_serial;
    bool tells_ready; /* a process's samples tell who had a CPU */
    size_t
        idle_next; /* slot + 1 of the thread that an IDLE record is delivered for next; 0: none */
    uint64_t idle_ns;
};

void snap_records_deinit(struct snap_records *records);

/* Delivers the next thread of an IDLE record; false when all had their turn. */
bool snap_records_idle(struct snap_records *records, struct snap_event *event);

/*
 * Fills the event from a record whose checksum is right: its payload is what `c` has, which lives
 * as long as the event is used. NOT_FOUND: there is nothing to deliver; BAD_DATA: *what is wrong
 * with it; NO_MEMORY.
 */
MUST_CHECK enum status snap_records_take(struct snap_records *records, uint16_t type,
                                         uint16_t flags, struct cursor *c, struct snap_event *event,
                                         const char **what);

#endif
