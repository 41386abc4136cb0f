/* SPDX-License-Identifier: MIT */
/*
 * Reading a snapshot as a stream of events; see FORMAT.md.
 *
 * The reader restores each sample's stack from what was written for the thread before, so that a
 * consumer sees whole samples. It holds one stack image per live thread and nothing that grows with
 * the length of the stream. It does not unwind and knows no ELF.
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

/* Reads up to `size` bytes to `buffer`: the count, 0 at the end, negative errno on failure. */
typedef int64_t snap_read_fn(void *context, void *buffer, uint64_t size);

/*
 * Opens a stream and checks its header. `name` is for messages and copied. BAD_DATA, UNSUPPORTED
 * (version, byte order, architecture), IO with `diag` filled. The creator closes what is behind
 * `context`.
 */
MUST_CHECK enum status snap_reader_create(snap_read_fn *read, void *context, const char *name,
                                          struct snap_reader **out, struct diag *diag);
void snap_reader_destroy(struct snap_reader *reader);

const struct arch *snap_reader_arch(const struct snap_reader *reader);
/* CLOCK_REALTIME minus CLOCK_MONOTONIC on the target. */
uint64_t snap_reader_clock_offset(const struct snap_reader *reader);

/*
 * The next event; what it points to is valid until the next call. END after the last record (also
 * when the stream was cut short: ask snap_reader_cut_short). BAD_DATA, IO: `diag` filled, and what
 * was delivered before stays valid; further calls repeat the error.
 */
MUST_CHECK enum status snap_reader_next(struct snap_reader *reader, struct snap_event *event,
                                        struct diag *diag);

/* How many bytes of the stream have been used: up to the record that gave the last event. */
uint64_t snap_reader_off(const struct snap_reader *reader);

/* After END: the stream ended without SUMMARY; *off is where its last whole record ends. */
bool snap_reader_cut_short(const struct snap_reader *reader, uint64_t *off);

#endif
