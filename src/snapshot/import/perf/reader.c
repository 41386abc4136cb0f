/* SPDX-License-Identifier: MIT */
#include "snapshot/import/perf/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zstd.h>

#include "snapshot/import/perf/format.h"

#define RECORD_MAX UINT64_C(65536)     /* bytes: the size has 16 bits */
#define CHUNK_SIZE (UINT64_C(1) << 20) /* of a chunk; larger than any record */
#define WINDOW     (UINT64_C(4) << 20) /* bytes of a file mapped, or given back, at once */

#ifndef MADV_POPULATE_READ /* in glibc since 2.35 */
#define MADV_POPULATE_READ 22
#endif

static void chunk_release(struct perf_reader *r, struct perf_chunk *chunk)
{
    if (!chunk || --chunk->refs > 0)
        return;
    r->held -= CHUNK_SIZE;
    chunk->next = r->spare;
    r->spare = chunk;
}

static struct perf_chunk *chunk_get(struct perf_reader *r)
{
    struct perf_chunk *chunk = r->spare;

    if (chunk)
        r->spare = chunk->next;
    else
        chunk = malloc(sizeof(*chunk) + CHUNK_SIZE);
    if (!chunk)
        return NULL;
    chunk->refs = 1;
    chunk->len = 0;
    r->held += CHUNK_SIZE;
    return chunk;
}

/* Makes room in the buffer. If it needs a new chunk, bytes that were not taken move there. */
static enum status buffer_room(struct perf_reader *r, struct perf_buffer *buffer)
{
    struct perf_chunk *old = buffer->chunk, *chunk;
    size_t left = old ? old->len - buffer->pos : 0;

    if (old && old->len < CHUNK_SIZE)
        return STATUS_OK;
    chunk = chunk_get(r);
    if (!chunk)
        return STATUS_NO_MEMORY;
    if (left)
        memcpy(chunk->bytes, old->bytes + buffer->pos, left);
    chunk->len = left;
    chunk_release(r, old);
    *buffer = (struct perf_buffer){.chunk = chunk};
    return STATUS_OK;
}

/*
 * Gives back pages before `off`, since mapped pages count as our memory. If a held record needs
 * them the kernel maps them again.
 */
static void give_back(struct perf_reader *r, uint64_t off)
{
    if (off < r->given_back + WINDOW)
        return;
    off &= ~(WINDOW - 1);
    madvise((void *)(uintptr_t)(r->file.whole + r->given_back), (size_t)(off - r->given_back),
            MADV_DONTNEED);
    r->given_back = off;
}

void perf_record_release(struct perf_reader *r, const struct perf_record *record)
{
    chunk_release(r, record->chunk);
    if (!record->chunk && record->bytes && r->file.whole)
        give_back(r, record->off);
}

/* Maps what comes next all at once (Linux 5.14), which costs less than a fault for each record. */
static void map_ahead(struct perf_reader *r)
{
    uint64_t start = r->mapped_ahead, left = r->file.size - start;

    if (!r->file.whole || r->pos + RECORD_MAX <= start || left == 0)
        return;
    if (start < r->pos) {
        start = r->pos & ~(WINDOW - 1);
        left = r->file.size - start;
    }
    r->mapped_ahead = start + (left < WINDOW ? left : WINDOW);
    madvise((void *)(uintptr_t)(r->file.whole + start), (size_t)(r->mapped_ahead - start),
            MADV_POPULATE_READ);
}

void perf_reader_init(struct perf_reader *r, struct source_input *input)
{
    *r = (struct perf_reader){.input = input, .end = UINT64_MAX};
}

static enum status cannot_map(const struct perf_reader *r, struct diag *diag)
{
    diag_set(diag, r->input->name, "cannot be mapped: %s", strerror(errno));
    return STATUS_IO;
}

enum status perf_reader_map(struct perf_reader *r, int fd, struct diag *diag)
{
    struct stat st;

    if (fstat(fd, &st) != 0 ||
        windows_open(&r->file, fd, (uint64_t)st.st_size, r->input->name) != STATUS_OK)
        return cannot_map(r, diag);
    r->is_file = true;
    r->end = r->file.size;
    return STATUS_OK;
}

void perf_reader_deinit(struct perf_reader *r)
{
    chunk_release(r, r->packed.chunk);
    chunk_release(r, r->stream.chunk);
    chunk_release(r, r->inflated.chunk);
    while (r->spare) {
        struct perf_chunk *next = r->spare->next;

        free(r->spare);
        r->spare = next;
    }
    ZSTD_freeDStream(r->zstd);
    windows_close(&r->file);
}

const uint8_t *perf_reader_at(struct perf_reader *r, uint64_t off, uint64_t size)
{
    return size <= PERF_SECTION_MAX ? windows_at(&r->file, off, (size_t)size) : NULL;
}

void perf_reader_seek(struct perf_reader *r, uint64_t off, uint64_t end)
{
    r->pos = off;
    r->end = end;
}

/* Reads until `want` bytes are there: END when the stream has fewer. */
static enum status stream_fill(struct perf_reader *r, size_t want, struct diag *diag)
{
    struct perf_buffer *buffer = &r->stream;

    while (!buffer->chunk || buffer->chunk->len - buffer->pos < want) {
        enum status status = buffer_room(r, buffer);
        int64_t n;

        if (status != STATUS_OK)
            return status;
        n = source_read(r->input, buffer->chunk->bytes + buffer->chunk->len,
                        CHUNK_SIZE - buffer->chunk->len);
        if (n < 0) {
            diag_set_at(diag, r->input->name, r->pos, "%s", strerror((int)-n));
            return STATUS_IO;
        }
        if (n == 0)
            return STATUS_END;
        buffer->chunk->len += (size_t)n;
    }
    return STATUS_OK;
}

enum status perf_reader_begin(struct perf_reader *r, uint64_t size, struct diag *diag)
{
    enum status status = !r->is_file      ? stream_fill(r, (size_t)size, diag)
                         : size <= r->end ? STATUS_OK
                                          : STATUS_END;

    if (status != STATUS_OK)
        return status;
    if (!r->is_file)
        r->stream.pos += (size_t)size;
    r->pos = size;
    return STATUS_OK;
}

static void read_head(const uint8_t *bytes, struct perf_record *record)
{
    record->bytes = bytes;
    memcpy(&record->type, bytes, 4);
    memcpy(&record->misc, bytes + 4, 2);
    memcpy(&record->size, bytes + 6, 2);
}

static enum status bad_size(const struct perf_reader *r, const struct perf_record *record,
                            struct diag *diag)
{
    diag_set_at(diag, r->input->name, record->off, "a record of %u bytes, which is too short",
                record->size);
    diag_hint(diag, "the file is damaged here; what was before was used");
    return STATUS_BAD_DATA;
}

enum status perf_record_again(struct perf_reader *r, struct perf_record *record, struct diag *diag)
{
    if (record->chunk || !record->bytes)
        return STATUS_OK;
    record->bytes = windows_at(&r->file, record->off, record->size);
    return record->bytes ? STATUS_OK : cannot_map(r, diag);
}

/* Returns END; a rest of less than a record means that the file was cut. */
static enum status at_end(struct perf_reader *r, uint64_t left)
{
    r->cut_short = r->cut_short || left > 0;
    return STATUS_END;
}

/* Returns whether somebody cut the file: zeroes replace the bytes that are gone (base/mapped.h). */
static bool has_shrunk(const struct perf_reader *r)
{
    struct stat st;

    return r->input->is_seekable && fstat(r->input->fd, &st) == 0 &&
           (uint64_t)st.st_size < r->file.size;
}

static enum status next_mapped(struct perf_reader *r, struct perf_record *record, struct diag *diag)
{
    const uint64_t left = r->end - r->pos;
    const uint8_t *head;

    *record = (struct perf_record){.off = r->pos};
    if (left < PERF_RECORD_HEAD)
        return at_end(r, left);
    map_ahead(r);
    head = windows_at(&r->file, r->pos, PERF_RECORD_HEAD);
    if (!head)
        return cannot_map(r, diag);
    read_head(head, record);
    if (record->size < PERF_RECORD_HEAD)
        return has_shrunk(r) ? at_end(r, left) : bad_size(r, record, diag);
    if (record->size > left)
        return at_end(r, left);
    r->pos += record->size;
    return perf_record_again(r, record, diag);
}

static enum status next_streamed(struct perf_reader *r, struct perf_record *record,
                                 struct diag *diag)
{
    struct perf_buffer *buffer = &r->stream;
    enum status status = stream_fill(r, PERF_RECORD_HEAD, diag);

    *record = (struct perf_record){.off = r->pos};
    if (status == STATUS_OK) {
        read_head(buffer->chunk->bytes + buffer->pos, record);
        if (record->size < PERF_RECORD_HEAD)
            return bad_size(r, record, diag);
        status = stream_fill(r, record->size, diag);
    }
    if (status == STATUS_END)
        return at_end(r, buffer->chunk->len - buffer->pos);
    if (status != STATUS_OK)
        return status;
    record->bytes = buffer->chunk->bytes + buffer->pos;
    record->chunk = buffer->chunk;
    buffer->pos += record->size;
    r->pos += record->size;
    return STATUS_OK;
}

/* Skips bytes that belong to a record and follow it. */
static enum status skip(struct perf_reader *r, uint64_t size, struct diag *diag)
{
    if (r->is_file) {
        if (size > r->end - r->pos)
            return at_end(r, 1);
        r->pos += size;
        return STATUS_OK;
    }
    while (size > 0) {
        enum status status = stream_fill(r, 1, diag);
        uint64_t part;

        if (status == STATUS_END)
            return at_end(r, 1);
        if (status != STATUS_OK)
            return status;
        part = r->stream.chunk->len - r->stream.pos;
        part = part < size ? part : size;
        r->stream.pos += (size_t)part;
        r->pos += part;
        size -= part;
    }
    return STATUS_OK;
}

static enum status next_outer(struct perf_reader *r, struct perf_record *record, struct diag *diag)
{
    enum status status = r->is_file ? next_mapped(r, record, diag) : next_streamed(r, record, diag);
    uint64_t size = 0;

    if (status != STATUS_OK)
        return status;
    if (record->type == PERF_AUXTRACE && record->size >= PERF_RECORD_HEAD + 8)
        memcpy(&size, record->bytes + PERF_RECORD_HEAD, 8);
    if (record->type == PERF_HEADER_TRACING_DATA && record->size >= PERF_RECORD_HEAD + 4) {
        memcpy(&size, record->bytes + PERF_RECORD_HEAD, 4);
        size = (size + 7) & ~UINT64_C(7);
    }
    if (size == 0)
        return STATUS_OK;
    /* The record's bytes may go while its data is skipped; nobody needs them. */
    record->bytes = NULL;
    record->chunk = NULL;
    return skip(r, size, diag);
}

/* Begins a compressed record. All of a file's are one stream; each is flushed, none ends it. */
static enum status begin_inflating(struct perf_reader *r, const struct perf_record *record,
                                   struct diag *diag)
{
    uint64_t start = PERF_RECORD_HEAD, size = record->size - start;

    if (record->type == PERF_COMPRESSED2) {
        if (size < 8)
            return bad_size(r, record, diag);
        memcpy(&size, record->bytes + start, 8);
        start += 8;
        if (size > record->size - start)
            return bad_size(r, record, diag);
    }
    if (!r->zstd && !(r->zstd = ZSTD_createDStream()))
        return STATUS_NO_MEMORY;
    perf_record_hold(record);
    perf_record_release(r, &r->packed);
    r->packed = *record;
    r->packed_pos = start;
    r->packed_end = start + size;
    r->inflating = true;
    return STATUS_OK;
}

static enum status inflate_more(struct perf_reader *r, struct diag *diag)
{
    struct perf_buffer *buffer = &r->inflated;
    enum status status = buffer_room(r, buffer);
    ZSTD_inBuffer in = {.size = (size_t)r->packed_end, .pos = (size_t)r->packed_pos};
    ZSTD_outBuffer out;
    size_t result;

    if (status == STATUS_OK)
        status = perf_record_again(r, &r->packed, diag);
    if (status != STATUS_OK)
        return status;
    in.src = r->packed.bytes;
    out = (ZSTD_outBuffer){buffer->chunk->bytes, CHUNK_SIZE, buffer->chunk->len};
    result = ZSTD_decompressStream(r->zstd, &out, &in);
    if (ZSTD_isError(result)) {
        diag_set_at(diag, r->input->name, r->packed.off, "a compressed record is damaged: %s",
                    ZSTD_getErrorName(result));
        diag_hint(diag, "what was before was used");
        return STATUS_BAD_DATA;
    }
    /* A full buffer may mean that there is more. */
    r->inflating = out.pos == out.size || in.pos < in.size;
    /* No progress at all: what is left cannot be used. */
    if (in.pos == r->packed_pos && out.pos == buffer->chunk->len)
        r->inflating = false;
    r->packed_pos = in.pos;
    buffer->chunk->len = out.pos;
    return STATUS_OK;
}

/* Takes a whole decompressed record; NOT_FOUND: more bytes are needed. */
static enum status next_inflated(struct perf_reader *r, struct perf_record *record,
                                 struct diag *diag)
{
    struct perf_buffer *buffer = &r->inflated;
    size_t left = buffer->chunk ? buffer->chunk->len - buffer->pos : 0;

    if (left < PERF_RECORD_HEAD)
        return STATUS_NOT_FOUND;
    *record = (struct perf_record){.off = r->packed.off, .chunk = buffer->chunk};
    read_head(buffer->chunk->bytes + buffer->pos, record);
    if (record->size < PERF_RECORD_HEAD)
        return bad_size(r, record, diag);
    if (record->size > left)
        return STATUS_NOT_FOUND;
    buffer->pos += record->size;
    return STATUS_OK;
}

static enum status next_record(struct perf_reader *r, struct perf_record *record, struct diag *diag)
{
    enum status status;

    for (;;) {
        status = next_inflated(r, record, diag);
        if (status == STATUS_NOT_FOUND && r->inflating) {
            status = inflate_more(r, diag);
            if (status != STATUS_OK)
                return status;
            continue;
        }
        if (status != STATUS_NOT_FOUND)
            return status;
        status = next_outer(r, record, diag);
        if (status == STATUS_END && r->inflated.chunk && r->inflated.chunk->len > r->inflated.pos)
            r->cut_short = true;
        if (status != STATUS_OK ||
            (record->type != PERF_COMPRESSED && record->type != PERF_COMPRESSED2))
            return status;
        status = begin_inflating(r, record, diag);
        if (status != STATUS_OK)
            return status;
    }
}

enum status perf_reader_next(struct perf_reader *r, struct perf_record *record, struct diag *diag)
{
    enum status status = next_record(r, record, diag);

    if (status == STATUS_NO_MEMORY)
        diag_set_at(diag, r->input->name, r->pos, "out of memory");
    return status;
}
