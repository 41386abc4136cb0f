/* SPDX-License-Identifier: MIT */
#include "snapshot/import/gunzip.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define ZLIB_CONST
#include <zlib.h>

#define PART_SIZE 65536

struct gunzip {
    struct source_input *input;
    struct diag *diag;
    z_stream stream;
    bool is_gzip, ended; /* ended: between two members */
    uint64_t read_off;
    uint8_t *bytes;
    size_t size, cap, max;
    uint8_t part[PART_SIZE];
};

bool gunzip_begins(const uint8_t *head, size_t size)
{
    return size >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

static enum status reserve(struct gunzip *g)
{
    if (g->size < g->max)
        return vec_reserve(&g->bytes, &g->cap, g->size + PART_SIZE, 1);
    diag_set(g->diag, g->input->name, "is larger than %zu bytes%s, which is more than is read",
             g->max, g->is_gzip ? " decompressed" : "");
    return STATUS_BAD_DATA;
}

/* Puts what comes out behind the bytes; with room for PART_SIZE. */
static enum status inflate_some(struct gunzip *g)
{
    int result;

    if (g->ended && inflateReset(&g->stream) != Z_OK)
        return STATUS_NO_MEMORY;
    g->stream.next_out = g->bytes + g->size;
    g->stream.avail_out = PART_SIZE;
    result = inflate(&g->stream, Z_NO_FLUSH);
    g->size += PART_SIZE - g->stream.avail_out;
    g->ended = result == Z_STREAM_END;
    if (result == Z_OK || result == Z_STREAM_END)
        return STATUS_OK;
    if (result == Z_MEM_ERROR)
        return STATUS_NO_MEMORY;
    diag_set_at(g->diag, g->input->name, g->read_off - g->stream.avail_in,
                "the compressed data is damaged");
    return STATUS_BAD_DATA;
}

static enum status take_part(struct gunzip *g, size_t size)
{
    enum status status = STATUS_OK;

    if (!g->is_gzip) {
        status = reserve(g);
        if (status == STATUS_OK)
            memcpy(g->bytes + g->size, g->part, size);
        g->size += status == STATUS_OK ? size : 0;
        return status;
    }
    g->stream.next_in = g->part;
    g->stream.avail_in = (uInt)size;
    do {
        status = reserve(g);
        if (status == STATUS_OK)
            status = inflate_some(g);
    } while (status == STATUS_OK &&
             (g->stream.avail_in > 0 || (g->stream.avail_out == 0 && !g->ended)));
    return status;
}

static enum status read_all(struct gunzip *g)
{
    enum status status = STATUS_OK;

    while (status == STATUS_OK) {
        int64_t n = source_read(g->input, g->part, sizeof(g->part));

        if (n < 0) {
            diag_set(g->diag, g->input->name, "%s", strerror((int)-n));
            return STATUS_IO;
        }
        if (n == 0)
            break;
        g->read_off += (uint64_t)n;
        status = take_part(g, (size_t)n);
    }
    if (status == STATUS_OK && g->is_gzip && !g->ended) {
        diag_set_at(g->diag, g->input->name, g->read_off, "the compressed data is cut short");
        status = STATUS_BAD_DATA;
    }
    return status;
}

enum status gunzip_input(struct source_input *input, size_t max, uint8_t **bytes, size_t *size,
                         struct diag *diag)
{
    enum { WINDOW_BITS = 15, GZIP_ONLY = 16 };
    struct gunzip *g = calloc(1, sizeof(*g));
    enum status status = STATUS_NO_MEMORY;

    if (g) {
        g->input = input;
        g->diag = diag;
        g->max = max;
        g->is_gzip = gunzip_begins(input->head, input->head_len);
        if (!g->is_gzip || inflateInit2(&g->stream, WINDOW_BITS + GZIP_ONLY) == Z_OK)
            status = read_all(g);
        if (g->is_gzip)
            inflateEnd(&g->stream);
    }
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, input->name, "%s", status_name(status));
    *bytes = NULL;
    *size = 0;
    if (status == STATUS_OK) {
        *bytes = g->bytes;
        *size = g->size;
    } else if (g) {
        free(g->bytes);
    }
    free(g);
    return status;
}
