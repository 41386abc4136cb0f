/* SPDX-License-Identifier: MIT */
/*
 * The records of a perf.data, one after the other as they lie in it; those that were compressed are
 * taken out. What a record says is not looked at.
 *
 * A file is mapped (base/windows.h): of most of a stack nothing is ever looked at. What comes from
 * a pipe, or was compressed, goes through chunks: a record that is held longer than to the next
 * call keeps its chunk.
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
    uint16_t misc, size;      /* size: at least PERF_RECORD_HEAD */
    uint64_t off;             /* in the file; of a compressed one the offset of what holds it */
    struct perf_chunk *chunk; /* NULL: it lies in the file */
};

/* Bytes that arrive piece by piece: records before `pos` have been taken. */
struct perf_buffer {
    struct perf_chunk *chunk; /* holds one reference; may be NULL */
    size_t pos;
};

struct perf_reader {
    struct source_input *input; /* borrowed */
    bool is_file;               /* else a stream */
    struct windows file;
    uint64_t end;                      /* where a file's records end */
    uint64_t pos;                      /* of the next record */
    uint64_t mapped_ahead, given_back; /* up to which offsets a file's pages are */
    bool cut_short;                    /* valid at END */
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

/* A stream, until it is mapped. `input` is borrowed. */
void perf_reader_init(struct perf_reader *reader, struct source_input *input);
void perf_reader_deinit(struct perf_reader *reader);

/*
 * Maps the file `fd`, which stays borrowed: it may be closed at once. IO with `diag` filled.
 */
MUST_CHECK enum status perf_reader_map(struct perf_reader *reader, int fd, struct diag *diag);

/*
 * A file's bytes [off, off + size), valid until the next call of anything here; NULL: they are not
 * all there, or more than PERF_SECTION_MAX.
 */
const uint8_t *perf_reader_at(struct perf_reader *reader, uint64_t off, uint64_t size);

/* The records of a file are those in [off, end), which lie in it. */
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

/*
 * A record that is held, or was: where its bytes are now, valid as those of perf_reader_next. IO
 * with `diag` filled.
 */
MUST_CHECK enum status perf_record_again(struct perf_reader *reader, struct perf_record *record,
                                         struct diag *diag);

static inline void perf_record_hold(const struct perf_record *record)
{
    if (record->chunk)
        record->chunk->refs++;
}
void perf_record_release(struct perf_reader *reader, const struct perf_record *record);

#endif
