/* SPDX-License-Identifier: MIT */
/*
 * Decodes the records of a snapshot, checks each against those before it, and makes its event.
 * Framing and checksums are reader.c's; the format is FORMAT.md's. Private to the reader, and to
 * recent/, which follows a stream in the same way.
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

struct snap_records { /* zero it and set `arch` */
    const struct arch *arch;
    /* Private: state from the records so far. */
    struct map processes; /* pid -> 1 */
    struct thread_table threads;
    struct stack_image spare;
    char *strings[3]; /* NUL-terminated copies for the event being delivered */
    uint64_t idle_serial;
    bool tells_ready; /* some process's samples distinguish SNAP_STATE_READY */
    size_t idle_next; /* slot + 1 of the next thread to deliver the IDLE record for; 0: none */
    uint64_t idle_ns;
};

void snap_records_deinit(struct snap_records *records);

/*
 * Fills *event for the next thread of the last IDLE record; false: none left. To be called until
 * false before the next snap_records_take.
 */
bool snap_records_idle(struct snap_records *records, struct snap_event *event);

/*
 * Fills *event from a record with a right checksum, whose payload is `c`; the payload must live as
 * long as the event is used. NOT_FOUND: the record yields no event (after IDLE ask
 * snap_records_idle); BAD_DATA: *what says why; NO_MEMORY.
 */
MUST_CHECK enum status snap_records_take(struct snap_records *records, uint16_t type,
                                         uint16_t flags, struct cursor *c, struct snap_event *event,
                                         const char **what);

#endif
