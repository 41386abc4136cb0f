/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "unit_test.h"
#include "symbol/elf/inflate.h"

#define CONTENT_SIZE 10000
#define ZSTD_KIND    2 /* ELFCOMPRESS_ZSTD */

static uint8_t content[CONTENT_SIZE];

static int make_content(void **state)
{
    (void)state;
    for (size_t i = 0; i < CONTENT_SIZE; i++)
        content[i] = (uint8_t)(i * i >> 5);
    return 0;
}

/* A 64-bit compression header and the compressed content; the whole size. */
static size_t make_section(uint8_t *buffer, size_t cap, uint32_t kind, uint64_t promised)
{
    Elf64_Chdr header = {.ch_type = kind, .ch_size = promised, .ch_addralign = 1};
    uLongf size = cap - sizeof(header);

    memcpy(buffer, &header, sizeof(header));
    if (kind == ZSTD_KIND)
        return sizeof(header) +
               ZSTD_compress(buffer + sizeof(header), size, content, CONTENT_SIZE, 3);
    assert_int_equal(compress(buffer + sizeof(header), &size, content, CONTENT_SIZE), Z_OK);
    return sizeof(header) + size;
}

TEST_WITH(inflate_gabi_section_gives_its_content, make_content, NULL)
{
    static const uint32_t kinds[] = {ELFCOMPRESS_ZLIB, ZSTD_KIND};
    uint8_t buffer[2 * CONTENT_SIZE], *out;
    uint64_t size;

    for (size_t i = 0; i < 2; i++) {
        size_t whole = make_section(buffer, sizeof(buffer), kinds[i], CONTENT_SIZE);

        assert_int_equal(inflate_section(buffer, whole, true, UINT64_MAX, &out, &size), STATUS_OK);
        assert_int_equal(size, CONTENT_SIZE);
        assert_memory_equal(out, content, CONTENT_SIZE);
        free(out);
        for (size_t cut = 0; cut < whole; cut += 7)
            assert_int_equal(inflate_section(buffer, cut, true, UINT64_MAX, &out, &size),
                             STATUS_BAD_DATA);
    }
}

TEST_WITH(inflate_wrong_promise_is_refused, make_content, NULL)
{
    static const uint64_t promises[] = {0, CONTENT_SIZE - 1, CONTENT_SIZE + 1, INFLATE_SECTION_MAX,
                                        UINT64_MAX};
    uint8_t buffer[2 * CONTENT_SIZE], *out;
    uint64_t size;

    for (size_t i = 0; i < sizeof(promises) / sizeof(*promises); i++) {
        size_t whole = make_section(buffer, sizeof(buffer), ELFCOMPRESS_ZLIB, promises[i]);

        assert_int_equal(inflate_section(buffer, whole, true, UINT64_MAX, &out, &size),
                         STATUS_BAD_DATA);
    }
}

TEST_WITH(inflate_unknown_compression_is_unsupported, make_content, NULL)
{
    Elf64_Chdr header = {.ch_type = 77, .ch_size = 10};
    uint8_t *out;
    uint64_t size;

    assert_int_equal(inflate_section((uint8_t *)&header, sizeof(header), true, UINT64_MAX, &out,
                                     &size),
                     STATUS_UNSUPPORTED);
}

TEST_WITH(inflate_zdebug_gives_its_content, make_content, NULL)
{
    uint8_t buffer[2 * CONTENT_SIZE] = "ZLIB", *out;
    uLongf size = sizeof(buffer) - 12;
    uint64_t got;

    buffer[10] = CONTENT_SIZE >> 8;
    buffer[11] = CONTENT_SIZE & 0xff;
    assert_int_equal(compress(buffer + 12, &size, content, CONTENT_SIZE), Z_OK);
    assert_int_equal(inflate_zdebug(buffer, 12 + size, UINT64_MAX, &out, &got), STATUS_OK);
    assert_int_equal(got, CONTENT_SIZE);
    assert_memory_equal(out, content, CONTENT_SIZE);
    free(out);
    assert_int_equal(inflate_zdebug(buffer, 12 + size, CONTENT_SIZE - 1, &out, &got),
                     STATUS_BAD_DATA);
    buffer[0] = 'X';
    assert_int_equal(inflate_zdebug(buffer, 12 + size, UINT64_MAX, &out, &got), STATUS_BAD_DATA);
    assert_int_equal(inflate_zdebug(buffer, 11, UINT64_MAX, &out, &got), STATUS_BAD_DATA);
}

TEST_WITH(inflate_xz_gives_content_and_refuses_a_cut_stream, make_content, NULL)
{
    uint8_t buffer[2 * CONTENT_SIZE], *out;
    size_t size = 0;
    uint64_t got;

    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, content, CONTENT_SIZE,
                                             buffer, &size, sizeof(buffer)),
                     LZMA_OK);
    assert_int_equal(inflate_xz(buffer, size, &out, &got), STATUS_OK);
    assert_int_equal(got, CONTENT_SIZE);
    assert_memory_equal(out, content, CONTENT_SIZE);
    free(out);
    assert_int_equal(inflate_xz(buffer, size / 2, &out, &got), STATUS_BAD_DATA);
    assert_int_equal(inflate_xz(buffer, 0, &out, &got), STATUS_BAD_DATA);
    buffer[size / 2] ^= 1;
    assert_int_equal(inflate_xz(buffer, size, &out, &got), STATUS_BAD_DATA);
}

TEST_WITH(inflate_xz_bomb_is_refused, make_content, NULL)
{
    size_t zeroes = INFLATE_XZ_MAX + 1, size = 0, cap = 1 << 20;
    uint8_t *plain = calloc(1, zeroes), *packed = malloc(cap), *out;
    uint64_t got;

    assert_true(plain && packed);
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, plain, zeroes, packed,
                                             &size, cap),
                     LZMA_OK);
    assert_int_equal(inflate_xz(packed, size, &out, &got), STATUS_BAD_DATA);
    free(plain);
    free(packed);
}
