/* SPDX-License-Identifier: MIT */
#include "output/gzip.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#define ZLIB_CONST
#include <zlib.h>

struct gzip {
    z_stream stream;
    FILE *out;
    uint8_t buffer[65536];
};

enum status gzip_create(FILE *out, struct gzip **result)
{
    enum { WINDOW_BITS = 15, GZIP_HEADER = 16, MEMORY_LEVEL = 8 }; /* zlib's usual ones */
    struct gzip *gzip = calloc(1, sizeof(*gzip));

    if (!gzip)
        return STATUS_NO_MEMORY;
    gzip->out = out;
    if (deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS + GZIP_HEADER,
                     MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(gzip);
        return STATUS_NO_MEMORY;
    }
    *result = gzip;
    return STATUS_OK;
}

void gzip_destroy(struct gzip *gzip)
{
    if (!gzip)
        return;
    deflateEnd(&gzip->stream);
    free(gzip);
}

/* Writes the output until all input is taken, or with Z_FINISH until all output is written. */
static enum status drain(struct gzip *gzip, int flush)
{
    size_t size;

    do {
        gzip->stream.next_out = gzip->buffer;
        gzip->stream.avail_out = sizeof(gzip->buffer);
        deflate(&gzip->stream, flush);
        size = sizeof(gzip->buffer) - gzip->stream.avail_out;
        if (fwrite(gzip->buffer, 1, size, gzip->out) != size)
            return STATUS_IO;
    } while (gzip->stream.avail_out == 0);
    return STATUS_OK;
}

enum status gzip_write(struct gzip *gzip, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;

    while (size) {
        uInt part = size < UINT_MAX ? (uInt)size : UINT_MAX;
        enum status status;

        gzip->stream.next_in = next;
        gzip->stream.avail_in = part;
        status = drain(gzip, Z_NO_FLUSH);
        if (status != STATUS_OK)
            return status;
        next += part;
        size -= part;
    }
    return STATUS_OK;
}

enum status gzip_end(struct gzip *gzip)
{
    gzip->stream.next_in = NULL;
    gzip->stream.avail_in = 0;
    return drain(gzip, Z_FINISH);
}
