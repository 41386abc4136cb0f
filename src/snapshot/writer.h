/* SPDX-License-Identifier: MIT */
/*
 * Writing a snapshot; see FORMAT.md. libc only, no allocation after creation.
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

/* Writes to `fd` (borrowed) from its present position; `name` (borrowed) is for messages. */
MUST_CHECK enum status snap_writer_create(int fd, const char *name, const struct arch *arch,
                                          uint64_t clock_offset_ns, struct snap_writer **out,
                                          struct diag *diag);
/* Does not flush. */
void snap_writer_destroy(struct snap_writer *writer);

/*
 * From now on what is written goes to `pump` (borrowed): when it is full
 * `wait` is called, again and again. It returns after a while, or false to give up, which is a
 * write error. It must not call the writer. `progress` changes when the output has taken something:
 * then it is slow, not stuck.
 */
typedef bool snap_wait_fn(void *context, uint32_t progress);
void snap_writer_use_pump(struct snap_writer *writer, struct pump *pump, snap_wait_fn *wait,
                          void *context);

/* Before the first record: FILEs will follow the samples. */
void snap_writer_promise_files(struct snap_writer *writer);

/*
 * Building a record: begin, put…, end. put never fails visibly: what does not fit the buffer makes
 * end return NO_MEMORY and drops the record whole. Nothing is written, and `wait` not called,
 * before flush or relieve: the buffer holds the largest record and as many bytes before it.
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

/* Everything built so far to the kernel (for a live reader on a pipe: once a round or so). */
MUST_CHECK enum status snap_writer_flush(struct snap_writer *writer);

/*
 * Instead of writing: everything built so far, which the caller makes use of before the next record
 * is begun. Such a writer needs no `fd`.
 */
const uint8_t *snap_writer_take(struct snap_writer *writer, size_t *size);

/*
 * flush, and with a pump waits until all is written and the output closed: until then nothing is
 * certain. Without, `fd` is left to be closed by its owner.
 */
MUST_CHECK enum status snap_writer_finish(struct snap_writer *writer);

/*
 * flush, when more than 64 KiB are buffered. To be called wherever `wait` may be, as often as there
 * are records: then the buffer stays small.
 */
MUST_CHECK enum status snap_writer_relieve(struct snap_writer *writer);

/* Bytes of whole records so far, written or still buffered. */
uint64_t snap_writer_size(const struct snap_writer *writer);

/* The first error, or OK; fills `diag` (may be NULL). */
enum status snap_writer_error(const struct snap_writer *writer, struct diag *diag);

#endif
