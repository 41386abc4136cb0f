/* SPDX-License-Identifier: MIT */
/* Writes the records of boards: FORMAT.md, types 21 to 23. Not in agents. */
#ifndef SNAPSHOT_BOARD_WRITER_H
#define SNAPSHOT_BOARD_WRITER_H

#include "snapshot/event.h"
#include "snapshot/writer.h"

MUST_CHECK enum status board_write(struct snap_writer *writer, const struct snap_board *board);

/* To be called before the thread's SAMPLE, with its time. `count` is at most SNAP_SYSTEM_MAX. */
MUST_CHECK enum status board_write_system(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                                          uint64_t time_ns, const struct snap_system *system,
                                          uint32_t count);

/* Writes NULL names as empty ones. */
MUST_CHECK enum status board_write_task(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                                        const struct snap_task *task);

#endif
