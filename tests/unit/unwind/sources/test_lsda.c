/* SPDX-License-Identifier: MIT */
/* Call-site tables put together byte by byte. */
#include <string.h>

#include "unit_test.h"
#include "unwind/sources/lsda.h"

#define FUNCTION UINT64_C(0x401000)
#define LSDA     UINT64_C(0x402000)
#define OMIT     "\xff"

/* From memory of exactly that size. */
static enum status read_bytes(enum arch_id id, uint64_t start_vaddr, const void *bytes, size_t size,
                              struct landing_pads *landing_pads)
{
    const struct lsda_place place = {.start_vaddr = start_vaddr, .lsda_vaddr = LSDA};
    uint8_t *copy = test_malloc(size + (size == 0));
    enum status status;

    memcpy(copy, bytes, size);
    status = lsda_read(&place, arch_get(id), copy, size, landing_pads);
    test_free(copy);
    return status;
}

static enum status read_lsda(const void *bytes, size_t size, struct landing_pads *landing_pads)
{
    return read_bytes(ARCH_X86_64, FUNCTION, bytes, size, landing_pads);
}

static void expect_landing_pad(const struct landing_pads *landing_pads, size_t index,
                               uint64_t start, uint64_t end, uint64_t landing_pad)
{
    assert_true(index < landing_pads->count);
    assert_int_equal(landing_pads->items[index].start_vaddr, FUNCTION + start);
    assert_int_equal(landing_pads->items[index].end_vaddr, FUNCTION + end);
    assert_int_equal(landing_pads->items[index].landing_pad_vaddr, landing_pad);
    assert_int_equal(landing_pads->items[index].popped, 0);
}

static void landing_pads_init(struct landing_pads *landing_pads)
{
    *landing_pads = (struct landing_pads){0};
}

#define READ(bytes, landing_pads) read_lsda(bytes, sizeof(bytes) - 1, landing_pads)

/* As GCC writes it: types, ULEB128 call sites; behind the table the first action. */
TEST_OF(lsda_call_sites_with_pads_are_read, landing_pads, landing_pads)
{
    assert_int_equal(READ(OMIT "\x9b\x15\x01\x0f"
                               "\x04\x05\x40\x00"
                               "\x10\x80\x02\x90\x01\x01"
                               "\x90\x02\x05\x00\x00"
                               "\x01",
                          landing_pads),
                     STATUS_OK);
    assert_int_equal(landing_pads->count, 2);
    expect_landing_pad(landing_pads, 0, 0x4, 0x9, FUNCTION + 0x40);
    expect_landing_pad(landing_pads, 1, 0x10, 0x110, FUNCTION + 0x90);
}

TEST_OF(lsda_pads_count_from_lpstart, landing_pads, landing_pads)
{
    /* pcrel sdata4: LSDA + 1 - 0x1001 */
    assert_int_equal(READ("\x1b\xff\xef\xff\xff" OMIT "\x01\x04"
                          "\x04\x05\x40\x00",
                          landing_pads),
                     STATUS_OK);
    expect_landing_pad(landing_pads, 0, 0x4, 0x9, FUNCTION + 0x40);
    assert_int_equal(READ("\x03\x00\x10\x00\x00" OMIT "\x01\x04"
                          "\x04\x05\x40\x00",
                          landing_pads),
                     STATUS_OK);
    expect_landing_pad(landing_pads, 0, 0x4, 0x9, 0x1040);
    assert_int_equal(landing_pads->count, 1); /* the earlier answer is replaced */
}

TEST_OF(lsda_four_byte_call_sites_are_read, landing_pads, landing_pads)
{
    assert_int_equal(READ(OMIT OMIT "\x03\x0d"
                                    "\x04\x00\x00\x00\x05\x00\x00\x00\x40\x00\x00\x00\x01",
                          landing_pads),
                     STATUS_OK);
    expect_landing_pad(landing_pads, 0, 0x4, 0x9, FUNCTION + 0x40);
}

TEST_OF(lsda_neighbours_with_one_pad_are_one, landing_pads, landing_pads)
{
    assert_int_equal(READ(OMIT OMIT "\x01\x08"
                                    "\x04\x05\x40\x00"
                                    "\x09\x05\x40\x01",
                          landing_pads),
                     STATUS_OK);
    assert_int_equal(landing_pads->count, 1);
    expect_landing_pad(landing_pads, 0, 0x4, 0xe, FUNCTION + 0x40);
}

TEST_OF(lsda_without_call_sites_has_no_landing_pads, landing_pads, landing_pads)
{
    assert_int_equal(READ(OMIT OMIT "\x01\x00", landing_pads), STATUS_OK);
    assert_int_equal(landing_pads->count, 0);
}

TEST_OF(lsda_cut_anywhere_is_refused, landing_pads, landing_pads)
{
    static const char table[] = "\x1b\xff\xef\xff\xff\x9b\x15\x01\x0f"
                                "\x04\x05\x40\x00"
                                "\x10\x80\x02\x90\x01\x01"
                                "\x90\x02\x05\x00\x00";

    assert_int_equal(READ(table, landing_pads), STATUS_OK);
    for (size_t size = 0; size < sizeof(table) - 1; size++) {
        assert_int_equal(read_lsda(table, size, landing_pads), STATUS_BAD_DATA);
        assert_int_equal(landing_pads->count, 0);
    }
}

TEST_OF(lsda_damage_is_refused, landing_pads, landing_pads)
{
    /*
     * Not in order; not a whole record; a LEB128 without end or too large; beyond the address
     * space.
     */
    assert_int_equal(READ(OMIT OMIT "\x01\x08\x09\x05\x40\x00\x04\x05\x40\x00", landing_pads),
                     STATUS_BAD_DATA);
    assert_int_equal(landing_pads->count, 0);
    assert_int_equal(READ(OMIT OMIT "\x01\x05\x04\x05\x40\x00\x09", landing_pads), STATUS_BAD_DATA);
    assert_int_equal(READ(OMIT OMIT "\x01\x04\x04\x05\x40\x80", landing_pads), STATUS_BAD_DATA);
    assert_int_equal(READ(OMIT OMIT "\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
                          landing_pads),
                     STATUS_BAD_DATA);
    assert_int_equal(READ(OMIT OMIT "\x01\x0d\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x40\x00",
                          landing_pads),
                     STATUS_BAD_DATA);
    /* Distances from elsewhere, bases that are not known, formats that do not exist. */
    assert_int_equal(READ(OMIT OMIT "\x11\x04\x04\x05\x40\x00", landing_pads), STATUS_UNSUPPORTED);
    assert_int_equal(READ("\x33\x00\x00\x00\x00" OMIT "\x01\x00", landing_pads),
                     STATUS_UNSUPPORTED);
    assert_int_equal(READ("\x9b\x00\x00\x00\x00" OMIT "\x01\x00", landing_pads),
                     STATUS_UNSUPPORTED);
    assert_int_equal(READ(OMIT OMIT "\x07\x04\x04\x05\x40\x00", landing_pads), STATUS_BAD_DATA);
}

/* 32-bit addresses wrap; what is written may be anything. */
TEST_OF(lsda_any_bytes_are_survived, landing_pads, landing_pads)
{
    uint8_t bytes[64];
    uint32_t random = 1;

    for (unsigned round = 0; round < 20000; round++) {
        for (size_t i = 0; i < sizeof(bytes); i++)
            bytes[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
        if (round & 1)
            memcpy(bytes, OMIT OMIT "\x01\x20", 4);
        if (read_bytes(round & 2 ? ARCH_ARM : ARCH_X86_64, UINT32_MAX - round, bytes, round % 65,
                       landing_pads) != STATUS_OK)
            assert_int_equal(landing_pads->count, 0);
        for (size_t i = 1; i < landing_pads->count; i++)
            assert_true(landing_pads->items[i].start_vaddr >= landing_pads->items[i - 1].end_vaddr);
    }
}
