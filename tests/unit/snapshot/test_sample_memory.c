/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "snapshot/sample_memory.h"

static const struct snap_region regions[] = {
    {0x7000, 0x7008, 0x8000, (const uint8_t *)"stack---"},
    {0x9000, 0x9008, 0xa000, (const uint8_t *)"another-"},
};

static const struct snap_wait waits[] = {
    {.kind = SNAP_WAIT_FD, .fd = 3, .link = "/dev/null"},
    {.kind = SNAP_WAIT_MEMORY, .addr = 0x5000, .bytes = (const uint8_t *)"lockword", .size = 8},
    {.kind = SNAP_WAIT_MEMORY, .addr = 0x9004, .bytes = (const uint8_t *)"LATE", .size = 4},
};

static const struct snap_region pointees[] = {
    {0x6000, 0x6008, 0, (const uint8_t *)"a string"},
    {0x7004, 0x700c, 0, (const uint8_t *)"no stack"},
};

static const struct snap_sample sample = {.regions = regions,
                                          .region_count = 2,
                                          .waits = waits,
                                          .wait_count = 3,
                                          .pointees = pointees,
                                          .pointee_count = 2};

static void expect(uint64_t addr, const char *text)
{
    char bytes[16];

    assert_true(sample_read(&sample, addr, bytes, strlen(text)));
    assert_memory_equal(bytes, text, strlen(text));
}

static void expect_none(uint64_t addr, size_t size)
{
    char bytes[16] = "untouched";

    assert_false(sample_read(&sample, addr, bytes, size));
    assert_string_equal(bytes, "untouched");
}

TEST(sample_read_finds_what_a_piece_holds)
{
    expect(0x5000, "lockword");
    expect(0x5004, "word");
    expect(0x7000, "stack---");
    expect(0x9000, "anot");
}

TEST(sample_read_prefers_the_memory_of_a_wait)
{
    expect(0x9004, "LATE");
    expect(0x9002, "other"); /* which the wait holds in part only */
}

TEST(sample_read_finds_what_is_pointed_to_last)
{
    expect(0x6002, "string");
    expect(0x7004, "k---");
    expect(0x7005, "o stack"); /* which the region holds in part only */
}

TEST(sample_read_of_what_no_piece_holds_whole_copies_nothing)
{
    expect_none(0x4fff, 2);
    expect_none(0x5001, 8);
    expect_none(0x5008, 1);
    expect_none(0x6002, 7);
    expect_none(0x700c, 1);
    expect_none(0x7001, SIZE_MAX);
    expect_none(UINT64_MAX, 2);
    expect_none(0, 1);
}
