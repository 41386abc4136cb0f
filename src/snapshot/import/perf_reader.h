/*
 * The records of a perf.data, one after the other as they lie in it; those that were compressed are
 * taken out. What a record says is not looked at.
 *
 * They go through chunks: a record that is held longer than to the next call keeps its chunk.
 * Nothing is mapped, so that a file that somebody else makes shorter meanwhile is only cut short.
 */
#ifndef SNAPSHOT_IMPORT_PERF_READER_H
#define SNAPSHOT_IMPORT_PERF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "snapshot/import/source.h"

#define PERF_SECTION_MAX (UINT64_C(64) << 20) /* bytes of a part of the header */

struct perf_chunk {
    struct perf_chunk *next; /* of spare ones */
    uint32_t refs;
    size_t len;
    uint8_t bytes[];
};

struct perf_record {
    const uint8_t *bytes; /* `size` of them, with the head; of any alignment */
    uint32_t type;
    uint16_t misc, size; /* size: at least PERF_RECORD_HEAD */
    uint64_t off;        /* in the file; of a compressed one the offset of what holds it */
    struct perf_chunk *chunk;
};

/* Bytes that arrive piece by piece: records before `pos` have been taken. */
struct perf_buffer {
    struct perf_chunk *chunk; /* holds one reference; may be NULL */
    size_t pos;
};

struct perf_reader {
    struct source_input *input; /* borrowed */
    bool is_file;               /* else a stream */
    uint64_t size, end;         /* of a file, when it was opened; where its records end */
    uint64_t pos, read_off;     /* of the next record; of a file's bytes to be read next */
    bool cut_short;             /* valid at END */
    struct perf_buffer stream, inflated;
    /* What is being decompressed: */
    struct perf_record packed;
    uint64_t packed_pos; /* in packed.bytes; == packed_end: all is done */
    uint64_t packed_end;
    bool inflating;           /* the decompressor may hold more */
    void *zstd;               /* ZSTD_DStream; NULL until needed */
    struct perf_chunk *spare; /* to be used again: its pages are there */
    uint64_t held;            /* bytes of all chunks */
};

/* Bytes of a file's header; zero it, and free bytes. */
struct perf_section {
    uint8_t *bytes;
    size_t cap;
};

/* What is no regular file is read on. */
void perf_reader_init(struct perf_reader *reader, struct source_input *input);
void perf_reader_deinit(struct perf_reader *reader);

/*
 * A file's bytes [off, off + size), in `section` until its next use. END: they are not all there,
 * or more than PERF_SECTION_MAX; NO_MEMORY.
 */
MUST_CHECK enum status perf_reader_at(const struct perf_reader *reader, uint64_t off, uint64_t size,
                                      struct perf_section *section);

/* The records of a file are those in [off, end). */
void perf_reader_seek(struct perf_reader *reader, uint64_t off, uint64_t end);

/* Passes over the first `size` bytes of a stream. END: it is shorter. */
MUST_CHECK enum status perf_reader_begin(struct perf_reader *reader, uint64_t size,
                                         struct diag *diag);

/*
 * The next record, valid until the next call, or as long as it is held. END; BAD_DATA, IO,
 * NO_MEMORY with `diag` filled. Never COMPRESSED; AUXTRACE and TRACING_DATA without the data that
 * follows them.
 */
MUST_CHECK enum status perf_reader_next(struct perf_reader *reader, struct perf_record *record,
                                        struct diag *diag);

static inline void perf_record_hold(const struct perf_record *record)
{
    if (record->chunk)
        record->chunk->refs++;
}
void perf_record_release(struct perf_reader *reader, const struct perf_record *record);

#endif
