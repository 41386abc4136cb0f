/* SPDX-License-Identifier: MIT */
#include "pprof_fixture.h"

#include "output/gzip.h"

#define MAX 1000000

static void compress(const void *bytes, size_t size, struct capture *file)
{
    struct gzip *gzip;

    assert_int_equal(gzip_create(capture_begin(file), &gzip), STATUS_OK);
    assert_int_equal(gzip_write(gzip, bytes, size), STATUS_OK);
    assert_int_equal(gzip_end(gzip), STATUS_OK);
    gzip_destroy(gzip);
    capture_end(file);
}

static void assert_reads(const void *bytes, size_t size, const void *want, size_t want_size)
{
    struct diag diag;
    uint8_t *out;
    size_t out_size;

    assert_int_equal(pprof_gunzip(bytes, size, MAX, &out, &out_size, &diag), STATUS_OK);
    assert_int_equal(out_size, want_size);
    assert_memory_equal(out, want, want_size);
    free(out);
}

static void assert_refused(const void *bytes, size_t size, size_t max, const char *why)
{
    struct diag diag;
    uint8_t *out;
    size_t out_size;

    assert_int_equal(pprof_gunzip(bytes, size, max, &out, &out_size, &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, why));
    assert_string_equal(diag.file, "file");
    assert_null(out);
}

TEST(gunzip_of_gzip_and_of_what_is_none_gives_the_bytes)
{
    static uint8_t bytes[300000];
    struct capture file;

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * i >> 7);
    compress(bytes, sizeof(bytes), &file);
    assert_reads(file.text, file.size, bytes, sizeof(bytes));
    assert_reads(bytes, sizeof(bytes), bytes, sizeof(bytes));
    free(file.text);
    compress("", 0, &file);
    assert_reads(file.text, file.size, "", 0);
    free(file.text);
}

TEST(gunzip_of_several_members_is_one_text)
{
    struct capture file;
    char *two;

    compress("abc", 3, &file);
    two = malloc(2 * file.size);
    memcpy(two, file.text, file.size);
    memcpy(two + file.size, file.text, file.size);
    assert_reads(two, 2 * file.size, "abcabc", 6);
    assert_refused(two, 2 * file.size - 1, MAX, "cut short");
    free(two);
    free(file.text);
}

TEST(gunzip_of_damaged_data_is_bad_data)
{
    struct capture file;

    compress("some text", 9, &file);
    assert_refused(file.text, file.size - 3, MAX, "cut short");
    file.text[file.size - 6] ^= 1; /* of the checksum */
    assert_refused(file.text, file.size, MAX, "damaged");
    free(file.text);
}

TEST(gunzip_stops_at_the_most_that_is_read)
{
    static uint8_t zeros[1 << 20];
    struct capture file;

    compress(zeros, sizeof(zeros), &file);
    assert_refused(file.text, file.size, 500000, "larger than 500000 bytes decompressed");
    assert_refused(zeros, sizeof(zeros), 500000, "larger than 500000 bytes,");
    free(file.text);
}
