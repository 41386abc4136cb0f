/* SPDX-License-Identifier: MIT */
/*
 * Decodes the records of a snapshot, checks each against those before, and makes its event. The
 * caller (reader.c) finds records in the stream and checks their checksums. FORMAT.md has the
 * format. Private to the reader, and to recent/, which follows a stream in the same way.
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
    struct map processes; /* keys are the pids of known processes */
    struct thread_table threads;
    struct stack_image spare; /* memory for the next stack_image_restore */
    char *strings[3];         /* owned; NUL-terminated copies for the last event */
    uint64_t idle_serial;     /* number of the last IDLE record */
    bool tells_ready;         /* samples of some process distinguish SNAP_STATE_READY */
    size_t idle_next; /* slot + 1 of the next thread that the last IDLE is a repeat for; 0: none */
    uint64_t idle_ns; /* time of the last IDLE record */
};

void snap_records_deinit(struct snap_records *records);

/*
 * Sets *event to the repeat of the next thread that the last IDLE record is about; false: none is
 * left. To be called until false before the next snap_records_take.
 */
bool snap_records_idle(struct snap_records *records, struct snap_event *event);

/*
 * Sets *event from a record whose checksum is right and whose payload is `c`; the payload must live
 * as long as the event is used. NOT_FOUND: the record yields no event (after an IDLE
 * snap_records_idle yields events); BAD_DATA: *what (static storage) says why; NO_MEMORY.
 */
MUST_CHECK enum status snap_records_take(struct snap_records *records, uint16_t type,
                                         uint16_t flags, struct cursor *c, struct snap_event *event,
                                         const char **what);

#endif
