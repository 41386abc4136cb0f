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
 * Buffers the file header. NO_MEMORY with `diag` filled.
 */
MUST_CHECK enum status snap_writer_create(int fd, const char *name, const struct arch *arch,
                                          uint64_t clock_offset_ns, struct snap_writer **out,
                                          struct diag *diag);
/* Does not flush. */
void snap_writer_destroy(struct snap_writer *writer);

/*
 * Redirects all further output to `pump` (borrowed). While its pipe is full `wait` is called again
 * and again: it returns true after a while, or false to give up, which is a write error. It must
 * not call the writer. If `progress` differs from the last call's, the output has taken something:
 * it is slow, not stuck.
 */
typedef bool snap_wait_fn(void *context, uint32_t progress);
void snap_writer_use_pump(struct snap_writer *writer, struct pump *pump, snap_wait_fn *wait,
                          void *context);

/* Marks in the file header that FILEs follow the samples. To be called before the first record. */
void snap_writer_promise_files(struct snap_writer *writer);

/*
 * A record is built by begin, puts, end. A put never fails visibly: if the record does not fit the
 * buffer, end drops it whole and returns NO_MEMORY. Only flush, relieve and finish write or call
 * `wait`: the buffer holds the largest record and as many bytes before it. _str cuts at 65535
 * bytes.
 */
void snap_writer_begin(struct snap_writer *writer, enum snap_type type, bool required);
void snap_writer_u8(struct snap_writer *writer, uint8_t value);
void snap_writer_u16(struct snap_writer *writer, uint16_t value);
void snap_writer_u32(struct snap_writer *writer, uint32_t value);
void snap_writer_u64(struct snap_writer *writer, uint64_t value);
void snap_writer_str(struct snap_writer *writer, const char *text);
void snap_writer_bytes(struct snap_writer *writer, const void *data, size_t size); /* with length */
void snap_writer_raw(struct snap_writer *writer, const void *data, size_t size);   /* without */
MUST_CHECK enum status snap_writer_end(struct snap_writer *writer);

/* Writes all whole records to the kernel (for a live reader on a pipe: once a round or so). */
MUST_CHECK enum status snap_writer_flush(struct snap_writer *writer);

/*
 * Instead of flush: returns all whole records, *size bytes, valid until the next record is begun,
 * and empties the buffer. A writer used so needs no `fd`.
 */
const uint8_t *snap_writer_take(struct snap_writer *writer, size_t *size);

/*
 * Flushes. With a pump it then waits until all is written and the output closed: before that
 * nothing is certain to arrive. Without one it leaves `fd` open for its owner.
 */
MUST_CHECK enum status snap_writer_finish(struct snap_writer *writer);

/*
 * Flushes if more than 64 KiB are buffered. Called after each record where `wait` may be called, it
 * keeps the buffer small.
 */
MUST_CHECK enum status snap_writer_relieve(struct snap_writer *writer);

/* Returns the bytes of whole records so far with the file header, written or buffered. */
uint64_t snap_writer_size(const struct snap_writer *writer);

/* Returns the first write error, with `diag` filled (may be NULL), or OK. */
enum status snap_writer_error(const struct snap_writer *writer, struct diag *diag);

#endif
