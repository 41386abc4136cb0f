/* SPDX-License-Identifier: MIT */
/*
 * Reads the records of a perf.data in file order, decompressing those that are compressed. Does not
 * look into records.
 *
 * A file is mapped (base/windows.h): most bytes of stacks are never looked at. Bytes from a pipe,
 * and decompressed ones, are in chunks: a record that is held longer than to the next call keeps
 * its chunk.
 */
#ifndef SNAPSHOT_IMPORT_PERF_READER_H
#define SNAPSHOT_IMPORT_PERF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "base/windows.h"
#include "snapshot/import/source.h"

#define PERF_SECTION_MAX (UINT64_C(64) << 20) /* bytes of a section of the header */

struct perf_chunk {
    struct perf_chunk *next; /* next spare chunk */
    uint32_t refs;
    size_t len;
    uint8_t bytes[];
};

struct perf_record {
    const uint8_t *bytes; /* `size` bytes, head included; unaligned */
    uint32_t type;
    uint16_t misc, size;      /* size: bytes, at least PERF_RECORD_HEAD */
    uint64_t off;             /* file offset; of a compressed record that of its container */
    struct perf_chunk *chunk; /* NULL: the record lies in the mapped file */
};

/* Bytes that arrive piece by piece; records before `pos` have been taken. */
struct perf_buffer {
    struct perf_chunk *chunk; /* holds one reference; may be NULL */
    size_t pos;
};

struct perf_reader {
    struct source_input *input; /* borrowed */
    bool is_file;               /* false: a stream */
    struct windows file;
    uint64_t end;                      /* offset at which a file's records end */
    uint64_t pos;                      /* offset of the next record */
    uint64_t mapped_ahead, given_back; /* up to these offsets pages are */
    bool cut_short;                    /* the file was cut; valid at END */
    struct perf_buffer stream, inflated;
    /* The record being decompressed: */
    struct perf_record packed;
    uint64_t packed_pos; /* position in packed.bytes; packed_end: done */
    uint64_t packed_end;
    bool inflating;           /* the decompressor may hold more */
    void *zstd;               /* ZSTD_DStream; NULL until needed */
    struct perf_chunk *spare; /* chunks to be used again */
    uint64_t held;            /* bytes of all chunks */
};

/* Makes a reader of a stream, until perf_reader_map. `input` is borrowed. */
void perf_reader_init(struct perf_reader *reader, struct source_input *input);
void perf_reader_deinit(struct perf_reader *reader);

/* Maps `fd`, which may be closed at once: the reader reads this file. IO with `diag` filled. */
MUST_CHECK enum status perf_reader_map(struct perf_reader *reader, int fd, struct diag *diag);

/*
 * Returns a file's bytes [off, off + size), valid until the next call on the reader; NULL: not all
 * there, or more than PERF_SECTION_MAX.
 */
const uint8_t *perf_reader_at(struct perf_reader *reader, uint64_t off, uint64_t size);

/* Sets the range [off, end) of a file's records; it must lie in the file. */
void perf_reader_seek(struct perf_reader *reader, uint64_t off, uint64_t end);

/* Skips the first `size` bytes. END: the input is shorter; IO with `diag` filled; NO_MEMORY. */
MUST_CHECK enum status perf_reader_begin(struct perf_reader *reader, uint64_t size,
                                         struct diag *diag);

/*
 * Fills *record with the next record, valid until the next call or as long as it is held. Never
 * COMPRESSED; AUXTRACE and TRACING_DATA come without the data that follows them (bytes NULL). END;
 * BAD_DATA, IO, NO_MEMORY with `diag` filled.
 */
MUST_CHECK enum status perf_reader_next(struct perf_reader *reader, struct perf_record *record,
                                        struct diag *diag);

/* Sets an earlier record's bytes to where they are now, until the next call. IO with `diag`. */
MUST_CHECK enum status perf_record_again(struct perf_reader *reader, struct perf_record *record,
                                         struct diag *diag);

static inline void perf_record_hold(const struct perf_record *record)
{
    if (record->chunk)
        record->chunk->refs++;
}
void perf_record_release(struct perf_reader *reader, const struct perf_record *record);

#endif
