/* SPDX-License-Identifier: MIT */
#include "symbol/elf/inflate.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef CG_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif
#include <lzma.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/cursor.h"
#include "base/large.h"
#include "base/shortage.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

static bool plausible_size(uint64_t want, size_t compressed)
{
    return want <= INFLATE_SECTION_MAX && want / INFLATE_RATIO_MAX <= compressed;
}

/* Exactly `want` bytes, or an error: the header has promised that size. */
#ifdef CG_LIBDEFLATE
static bool inflate_zlib(const uint8_t *in, size_t in_size, uint8_t *out, uint64_t want)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    bool good = decompressor &&
                libdeflate_zlib_decompress(decompressor, in, in_size, out, (size_t)want, NULL) ==
                    LIBDEFLATE_SUCCESS;

    if (!decompressor)
        shortage_note(NULL, ENOMEM);
    libdeflate_free_decompressor(decompressor);
    return good;
}
#else
static bool inflate_zlib(const uint8_t *in, size_t in_size, uint8_t *out, uint64_t want)
{
    uLongf got = (uLongf)want;

    int result = uncompress(out, &got, in, in_size);

    if (result == Z_MEM_ERROR)
        shortage_note(NULL, ENOMEM);
    return result == Z_OK && got == want;
}
#endif

static bool inflate_zstd(const uint8_t *in, size_t in_size, uint8_t *out, uint64_t want)
{
    size_t got = ZSTD_decompress(out, (size_t)want, in, in_size);

    if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
        shortage_note(NULL, ENOMEM);
    return !ZSTD_isError(got) && got == want;
}

static enum status inflate_to(uint32_t kind, const uint8_t *in, size_t in_size, uint64_t want,
                              uint64_t max, uint8_t **out, uint64_t *out_size)
{
    uint8_t *buffer;
    bool good;

    if (kind != ELFCOMPRESS_ZLIB && kind != ELFCOMPRESS_ZSTD)
        return STATUS_UNSUPPORTED;
    if (want > max || !plausible_size(want, in_size))
        return STATUS_BAD_DATA;
    buffer = large_alloc((size_t)want + INFLATE_PAD);
    if (!buffer)
        return STATUS_NO_MEMORY;
    good = kind == ELFCOMPRESS_ZLIB ? inflate_zlib(in, in_size, buffer, want)
                                    : inflate_zstd(in, in_size, buffer, want);
    if (!good) {
        free(buffer);
        return STATUS_BAD_DATA;
    }
    memset(buffer + want, 0, INFLATE_PAD);
    *out = buffer;
    *out_size = want;
    return STATUS_OK;
}

enum status inflate_section(const uint8_t *bytes, size_t size, bool wide, uint64_t max,
                            uint8_t **out, uint64_t *out_size)
{
    struct cursor c = cursor_init(bytes, size);
    unsigned word = wide ? 8 : 4;
    uint64_t want, align;
    uint32_t kind;

    if (!cursor_u32(&c, &kind) || (wide && !cursor_skip(&c, 4)) || !cursor_uint(&c, word, &want) ||
        !cursor_uint(&c, word, &align))
        return STATUS_BAD_DATA;
    return inflate_to(kind, bytes + c.pos, cursor_left(&c), want, max, out, out_size);
}

enum status inflate_zdebug(const uint8_t *bytes, size_t size, uint64_t max, uint8_t **out,
                           uint64_t *out_size)
{
    uint64_t want = 0;

    if (size < 12 || memcmp(bytes, "ZLIB", 4) != 0)
        return STATUS_BAD_DATA;
    for (size_t i = 4; i < 12; i++)
        want = want << 8 | bytes[i];
    return inflate_to(ELFCOMPRESS_ZLIB, bytes + 12, size - 12, want, max, out, out_size);
}

bool inflate_size(const uint8_t *bytes, size_t size, bool wide, bool zdebug, uint64_t *out)
{
    struct cursor c = cursor_init(bytes, size);

    if (!zdebug)
        return cursor_skip(&c, wide ? 8 : 4) && cursor_uint(&c, wide ? 8 : 4, out);
    *out = 0;
    for (size_t i = 4; i < 12 && size >= 12; i++)
        *out = *out << 8 | bytes[i];
    return size >= 12;
}

enum status inflate_xz(const uint8_t *bytes, size_t size, uint8_t **out, uint64_t *out_size)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    uint8_t *buffer = NULL;
    size_t cap = 0;
    lzma_ret ret = lzma_stream_decoder(&stream, INFLATE_XZ_MAX, 0);
    enum status status = ret == LZMA_OK ? STATUS_OK : STATUS_NO_MEMORY;

    stream.next_in = bytes;
    stream.avail_in = size;
    while (status == STATUS_OK && ret == LZMA_OK) {
        if (stream.avail_out == 0) {
            size_t more = cap ? cap * 2 : (size_t)256 << 10;
            uint8_t *bigger = more <= INFLATE_XZ_MAX ? realloc(buffer, more) : NULL;

            if (!bigger) {
                status = more <= INFLATE_XZ_MAX ? STATUS_NO_MEMORY : STATUS_BAD_DATA;
                break;
            }
            buffer = bigger;
            stream.next_out = buffer + cap;
            stream.avail_out = more - cap;
            cap = more;
        }
        ret = lzma_code(&stream, LZMA_FINISH);
    }
    if (ret == LZMA_MEM_ERROR)
        shortage_note(NULL, ENOMEM);
    if (status == STATUS_OK && ret != LZMA_STREAM_END)
        status = STATUS_BAD_DATA;
    *out_size = stream.total_out;
    lzma_end(&stream);
    if (status != STATUS_OK) {
        free(buffer);
        return status;
    }
    *out = buffer;
    return STATUS_OK;
}
