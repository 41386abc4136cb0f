/* SPDX-License-Identifier: MIT */
/*
 * Writes a snapshot; see FORMAT.md. libc only, no allocation after creation.
 *
 * Records are built in one buffer and written whole, so that a file never holds half a record
 * unless the disk was full or the writer was killed within write(2). The first write error is kept:
 * later calls do nothing and return IO, the file stays readable up to its last whole record.
 */
#ifndef SNAPSHOT_WRITER_H
#define SNAPSHOT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/status.h"
#include "snapshot/format.h"

struct snap_writer;
struct pump;

/*
 * Makes a writer to `fd` (borrowed) from its present position; `name` (borrowed) is for messages.
 * The file header, with `arch` and clock_offset_ns (CLOCK_REALTIME minus CLOCK_MONOTONIC), is
 * buffered. NO_MEMORY with `diag` filled.
 */
MUST_CHECK enum status snap_writer_create(int fd, const char *name, const struct arch *arch,
                                          uint64_t clock_offset_ns, struct snap_writer **out,
                                          struct diag *diag);
/* Frees the writer; buffered records are lost. */
void snap_writer_destroy(struct snap_writer *writer);

/*
 * Redirects all further output to `pump` (borrowed). While the pump's pipe is full wait(context) is
 * called again and again: `wait` returns true after a while, or false to give up, which is a write
 * error; it must not call the writer. `progress`: pump_progress; if it differs from the last
 * call's, the output is slow, not stuck.
 */
typedef bool snap_wait_fn(void *context, uint32_t progress);
void snap_writer_use_pump(struct snap_writer *writer, struct pump *pump, snap_wait_fn *wait,
                          void *context);

/* Sets SNAP_HAS_FILES in the file header. To be called before the first record. */
void snap_writer_promise_files(struct snap_writer *writer);

/*
 * A record is built by snap_writer_begin, calls that append to it, and snap_writer_end. `required`:
 * readers that do not know the type must refuse the snapshot. Nothing is written yet: only
 * snap_writer_flush, _relieve and _finish write or call `wait`. snap_writer_end returns NO_MEMORY,
 * and drops the record, if it is too large for the buffer or the format; IO: an earlier write has
 * failed. snap_writer_str writes a length and at most 65535 bytes.
 */
void snap_writer_begin(struct snap_writer *writer, enum snap_type type, bool required);
void snap_writer_u8(struct snap_writer *writer, uint8_t value);
void snap_writer_u16(struct snap_writer *writer, uint16_t value);
void snap_writer_u32(struct snap_writer *writer, uint32_t value);
void snap_writer_u64(struct snap_writer *writer, uint64_t value);
void snap_writer_str(struct snap_writer *writer, const char *text);
/* the bytes behind their number */
void snap_writer_bytes(struct snap_writer *writer, const void *data, size_t size);
/* the bytes alone */
void snap_writer_raw(struct snap_writer *writer, const void *data, size_t size);
MUST_CHECK enum status snap_writer_end(struct snap_writer *writer);

/*
 * Writes all buffered records, for example once a round for a live reader on a pipe. IO: this or an
 * earlier write has failed.
 */
MUST_CHECK enum status snap_writer_flush(struct snap_writer *writer);

/*
 * Instead of snap_writer_flush: returns the buffered records, sets *size to their bytes, and
 * empties the buffer; valid until the next record is begun. A writer used so needs no `fd`.
 */
const uint8_t *snap_writer_take(struct snap_writer *writer, size_t *size);

/*
 * Calls snap_writer_flush. With a pump, then ends the pump and waits until all is written and the
 * output is closed. Without a pump `fd` stays open. IO: some write has failed.
 */
MUST_CHECK enum status snap_writer_finish(struct snap_writer *writer);

/*
 * Calls snap_writer_flush if more than 64 KiB are buffered. To be called after records, where
 * `wait` may be called, to keep the buffer small.
 */
MUST_CHECK enum status snap_writer_relieve(struct snap_writer *writer);

/* Returns the bytes of the file header and all whole records so far, written or buffered. */
uint64_t snap_writer_size(const struct snap_writer *writer);

/* Returns the status of the first write error, with `diag` filled unless it is NULL; OK: none. */
enum status snap_writer_error(const struct snap_writer *writer, struct diag *diag);

#endif
