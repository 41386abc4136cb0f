/* SPDX-License-Identifier: MIT */
/*
 * Reads a snapshot as a stream of events; see FORMAT.md.
 *
 * The reader restores each stack from the thread's previous sample, so that events have whole
 * samples. It holds one stack image per live thread and nothing that grows with the length of the
 * stream. It does not unwind and does not read ELF.
 *
 * Importers of other formats (import/) yield the same events.
 */
#ifndef SNAPSHOT_READER_H
#define SNAPSHOT_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"
#include "snapshot/event.h"

struct snap_reader;

/* Reads up to `size` bytes to `buffer`. Returns their number, 0 at the end, -errno on failure. */
typedef int64_t snap_read_fn(void *context, void *buffer, uint64_t size);

/*
 * Makes a reader of the stream that `read`, with `context` (borrowed), returns, and checks the
 * header. `name` is for messages and copied. BAD_DATA, UNSUPPORTED (version, byte order,
 * architecture), IO with `diag` filled; NO_MEMORY.
 */
MUST_CHECK enum status snap_reader_create(snap_read_fn *read, void *context, const char *name,
                                          struct snap_reader **out, struct diag *diag);
void snap_reader_destroy(struct snap_reader *reader);

const struct arch *snap_reader_arch(const struct snap_reader *reader);
/* Returns CLOCK_REALTIME minus CLOCK_MONOTONIC of the captured machine, in ns. */
uint64_t snap_reader_clock_offset(const struct snap_reader *reader);

/*
 * Sets *event to the next event, whose pointers are valid until the next call. END: after the last
 * whole record, also if the stream was cut short (snap_reader_cut_short). BAD_DATA, IO with `diag`
 * filled; NO_MEMORY. After an error the events before can be used, and further calls repeat it.
 */
MUST_CHECK enum status snap_reader_next(struct snap_reader *reader, struct snap_event *event,
                                        struct diag *diag);

/* Returns the offset in the stream behind the record that gave the last event. */
uint64_t snap_reader_off(const struct snap_reader *reader);

/*
 * To be called after END: returns whether the stream lacks the final SUMMARY, and sets *off to the
 * offset at which its last whole record ends.
 */
bool snap_reader_cut_short(const struct snap_reader *reader, uint64_t *off);

#endif
