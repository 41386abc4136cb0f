/* SPDX-License-Identifier: MIT */
#include "snapshot/import/gunzip.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>

#define PART_SIZE 65536

struct gunzip {
    struct source_input packed;
    z_stream stream;
    bool at_end;    /* of the input */
    bool is_begun;  /* some of a member was read, but not all */
    bool has_ended; /* a member was read whole */
    int failed;     /* errno that every further call returns; 0: none */
    uint64_t taken; /* bytes of the input that were read */
    uint64_t given; /* bytes that were decompressed */
    struct diag problem;
    uint8_t part[PART_SIZE];
};

bool gunzip_begins(const uint8_t *head, size_t size)
{
    return size >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

enum status gunzip_create(const struct source_input *input, struct gunzip **out)
{
    enum { WINDOW_BITS = 15, GZIP_ONLY = 16 };
    struct gunzip *g = calloc(1, sizeof(*g));

    if (!g)
        return STATUS_NO_MEMORY;
    g->packed = *input;
    if (inflateInit2(&g->stream, WINDOW_BITS + GZIP_ONLY) != Z_OK) {
        free(g);
        return STATUS_NO_MEMORY;
    }
    *out = g;
    return STATUS_OK;
}

void gunzip_destroy(struct gunzip *g)
{
    if (g)
        inflateEnd(&g->stream);
    free(g);
}

const struct diag *gunzip_problem(const struct gunzip *g)
{
    return g->problem.what[0] ? &g->problem : NULL;
}

/* Reads the next part of the input, once all before is used. */
static int take_part(struct gunzip *g)
{
    int64_t n;

    if (g->stream.avail_in > 0 || g->at_end)
        return 0;
    n = source_read(&g->packed, g->part, sizeof(g->part));
    if (n < 0) {
        diag_set(&g->problem, g->packed.name, "%s", strerror((int)-n));
        return (int)-n;
    }
    g->at_end = n == 0;
    g->taken += (uint64_t)n;
    g->stream.next_in = g->part;
    g->stream.avail_in = (uInt)n;
    return 0;
}

static int too_large(struct gunzip *g)
{
    diag_set(&g->problem, g->packed.name,
             "is larger than %" PRIu64 " bytes decompressed, which is more than is read",
             GUNZIP_MAX);
    diag_hint(&g->problem, "decompress it with `gzip -d`");
    return EFBIG;
}

static int inflate_part(struct gunzip *g)
{
    const int result = inflate(&g->stream, Z_NO_FLUSH);

    g->is_begun = result != Z_STREAM_END;
    g->has_ended |= !g->is_begun;
    if (result == Z_STREAM_END)
        return inflateReset(&g->stream) == Z_OK ? 0 : ENOMEM;
    if (result == Z_OK || result == Z_BUF_ERROR)
        return 0;
    if (result == Z_MEM_ERROR)
        return ENOMEM;
    diag_set_at(&g->problem, g->packed.name, g->taken - g->stream.avail_in,
                "the compressed data is damaged");
    return EBADMSG;
}

/* Zeros behind the last member, as of copies in blocks, are no part of the text. */
static bool is_behind_all(struct gunzip *g)
{
    if (g->is_begun || !g->has_ended || g->stream.next_in[0] != 0)
        return false;
    g->at_end = true;
    g->stream.avail_in = 0;
    return true;
}

int64_t gunzip_read(struct gunzip *g, void *buffer, uint64_t size)
{
    const uInt most = size < PART_SIZE ? (uInt)size : PART_SIZE;

    if (size == 0)
        return 0;
    g->stream.next_out = buffer;
    g->stream.avail_out = most;
    while (!g->failed && g->stream.avail_out == most) {
        g->failed = take_part(g);
        if (g->failed || (g->at_end && g->stream.avail_in == 0) || is_behind_all(g))
            break;
        g->failed = inflate_part(g);
    }
    g->given += most - g->stream.avail_out;
    if (!g->failed && g->given > GUNZIP_MAX)
        g->failed = too_large(g);
    if (g->stream.avail_out < most) /* what comes before a failure is good */
        return most - g->stream.avail_out;
    if (g->failed)
        return -g->failed;
    if (g->is_begun && !g->problem.what[0])
        diag_set_at(&g->problem, g->packed.name, g->taken, "the compressed data is cut short");
    return 0;
}
