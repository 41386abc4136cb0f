/* SPDX-License-Identifier: MIT */
/*
 * Adds the records of boards (FORMAT.md, types 21 to 23) to a writer. All functions fail like
 * snap_writer_end. Agents do not have this file.
 */
#ifndef SNAPSHOT_BOARD_WRITER_H
#define SNAPSHOT_BOARD_WRITER_H

#include "snapshot/event.h"
#include "snapshot/writer.h"

MUST_CHECK enum status board_write(struct snap_writer *writer, const struct snap_board *board);

/*
 * Writes a SYSTEM with `count` registers, at most SNAP_SYSTEM_MAX. To be called before the thread's
 * SAMPLE is written; time_ns is the SAMPLE's.
 */
MUST_CHECK enum status board_write_system(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                                          uint64_t time_ns, const struct snap_system *system,
                                          uint32_t count);

/* Writes a TASK; `object` and `system` that are NULL are written as "". */
MUST_CHECK enum status board_write_task(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                                        const struct snap_task *task);

#endif
