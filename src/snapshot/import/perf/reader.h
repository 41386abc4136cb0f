/* SPDX-License-Identifier: MIT */
/*
 * Reads the records of a perf.data in file order, decompressing those that are compressed. Does not
 * interpret the payload of records.
 *
 * A file is mapped (base/windows.h), as most bytes of stacks are never read. Bytes from a pipe, and
 * decompressed bytes, are in chunks, which have counts of references: a record that is held
 * (perf_record_hold) keeps its chunk beyond the next call.
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

#define PERF_SECTION_MAX (UINT64_C(64) << 20) /* most bytes of a section of the header */

struct perf_chunk {
    struct perf_chunk *next; /* next chunk in perf_reader.spare */
    uint32_t refs;           /* records and buffers that hold the chunk; 0: spare */
    size_t len;              /* number of bytes in `bytes` */
    uint8_t bytes[];
};

struct perf_record {
    /* `size` bytes, head included; unaligned; NULL: an AUXTRACE or TRACING_DATA with data */
    const uint8_t *bytes;
    uint32_t type;
    uint16_t misc, size;      /* size: bytes, at least PERF_RECORD_HEAD */
    uint64_t off;             /* offset in the input; of a decompressed record its container's */
    struct perf_chunk *chunk; /* the chunk with `bytes`; NULL: they are in the mapped file */
};

/* Bytes that arrive piece by piece; records before `pos` have been returned. */
struct perf_buffer {
    struct perf_chunk *chunk; /* the buffer holds one reference; NULL: none yet */
    size_t pos;               /* offset in chunk->bytes */
};

struct perf_reader {
    struct source_input *input; /* borrowed */
    bool is_file;               /* the input is a file, which is mapped; false: a stream */
    struct windows file;
    uint64_t end;                      /* offset at which a file's records end */
    uint64_t pos;                      /* offset in the input of the next record */
    uint64_t mapped_ahead, given_back; /* file offsets up to which pages were read ahead, freed */
    bool cut_short;                    /* the input was cut; valid at END */
    struct perf_buffer stream, inflated;
    /* The compressed record that is being decompressed: */
    struct perf_record packed;
    uint64_t packed_pos;      /* offset in packed.bytes that the decompressor has reached */
    uint64_t packed_end;      /* offset in packed.bytes at which the compressed bytes end */
    bool inflating;           /* the decompressor may have more output */
    void *zstd;               /* ZSTD_DStream; NULL until needed */
    struct perf_chunk *spare; /* owned; a list of chunks to be used again */
    uint64_t held;            /* bytes of all chunks that are not spare */
};

/*
 * Makes a reader of the stream `input`, which is borrowed; perf_reader_map makes it one of a file.
 */
void perf_reader_init(struct perf_reader *reader, struct source_input *input);
void perf_reader_deinit(struct perf_reader *reader);

/*
 * Maps the file `fd`, which the reader reads from now on; the caller may close `fd` at once. IO
 * with `diag` filled.
 */
MUST_CHECK enum status perf_reader_map(struct perf_reader *reader, int fd, struct diag *diag);

/*
 * Returns a file's bytes [off, off + size), valid until the next call on the reader; NULL: the file
 * ends before, or `size` is more than PERF_SECTION_MAX.
 */
const uint8_t *perf_reader_at(struct perf_reader *reader, uint64_t off, uint64_t size);

/* Sets the range [off, end) of a file's records; it must lie in the file. */
void perf_reader_seek(struct perf_reader *reader, uint64_t off, uint64_t end);

/*
 * Skips the input's first `size` bytes. END: the input is shorter; IO with `diag` filled;
 * NO_MEMORY.
 */
MUST_CHECK enum status perf_reader_begin(struct perf_reader *reader, uint64_t size,
                                         struct diag *diag);

/*
 * Sets *record to the next record, valid until the next call or as long as it is held. The contents
 * of COMPRESSED records come instead of these; AUXTRACE and TRACING_DATA come with bytes NULL,
 * without the data that follows them. END: there are no more; BAD_DATA, IO, NO_MEMORY with `diag`
 * filled.
 */
MUST_CHECK enum status perf_reader_next(struct perf_reader *reader, struct perf_record *record,
                                        struct diag *diag);

/*
 * Sets record->bytes of an earlier record anew, as a mapped file's bytes may have moved; valid
 * until the next call. IO with `diag` filled.
 */
MUST_CHECK enum status perf_record_again(struct perf_reader *reader, struct perf_record *record,
                                         struct diag *diag);

/* Keeps the record's bytes until perf_record_release; a mapped file's need perf_record_again. */
static inline void perf_record_hold(const struct perf_record *record)
{
    if (record->chunk)
        record->chunk->refs++;
}
void perf_record_release(struct perf_reader *reader, const struct perf_record *record);

#endif
