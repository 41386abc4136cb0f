/* SPDX-License-Identifier: MIT */
#include "unit_test.h"
#include "base/cursor.h"

TEST(cursor_fixed_reads_little_endian)
{
    static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    struct cursor c = cursor_init(bytes, sizeof(bytes));
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;

    assert_true(cursor_u8(&c, &u8));
    assert_true(cursor_u16(&c, &u16));
    assert_true(cursor_u32(&c, &u32));
    assert_true(cursor_u64(&c, &u64));
    assert_int_equal(u8, 0x01);
    assert_int_equal(u16, 0x0302);
    assert_int_equal(u32, 0x07060504);
    assert_true(u64 == UINT64_C(0x0f0e0d0c0b0a0908));
    assert_int_equal(cursor_left(&c), 0);
}

TEST(cursor_short_read_leaves_all_as_it_was)
{
    static const uint8_t bytes[] = {1, 2, 3};
    struct cursor c = cursor_init(bytes, sizeof(bytes));
    const uint8_t *view = NULL;
    uint32_t u32 = 77;
    uint64_t u64 = 78;

    assert_false(cursor_u32(&c, &u32));
    assert_false(cursor_u64(&c, &u64));
    assert_false(cursor_uint(&c, 4, &u64));
    assert_false(cursor_skip(&c, 4));
    assert_false(cursor_skip(&c, UINT64_MAX));
    assert_false(cursor_bytes(&c, UINT64_MAX - 1, &view));
    assert_int_equal(c.pos, 0);
    assert_int_equal(u32, 77);
    assert_int_equal(u64, 78);
    assert_null(view);
}

TEST(cursor_uint_takes_the_four_sizes_only)
{
    static const uint8_t bytes[] = {0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9, 0xf8};
    static const uint64_t expected[] = {0, 0xff,       0xfeff,
                                        0, 0xfcfdfeff, 0,
                                        0, 0,          0xf8f9fafbfcfdfeff};
    uint64_t value;

    for (unsigned size = 0; size <= 8; size++) {
        struct cursor c = cursor_init(bytes, sizeof(bytes));
        bool ok = cursor_uint(&c, size, &value);

        assert_int_equal(ok, expected[size] != 0);
        assert_int_equal(c.pos, ok ? size : 0);
        if (ok)
            assert_true(value == expected[size]);
    }
}

struct leb {
    uint8_t bytes[24];
    uint8_t size;
    bool fits;
    uint64_t value;
};

TEST(cursor_uleb_fails_when_it_does_not_fit)
{
    static const struct leb cases[] = {
        {{0x00}, 1, true, 0},
        {{0x7f}, 1, true, 127},
        {{0x80, 0x01}, 2, true, 128},
        {{0xe5, 0x8e, 0x26}, 3, true, 624485}, /* the standard's example, DWARF 5 appendix C */
        {{0x80, 0x80, 0x00}, 3, true, 0},      /* padded */
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 10, true, UINT64_MAX},
        {{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, 10, true, UINT64_C(1) << 63},
        /* Bit 64, alone and with all others. */
        {{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02}, 10, false, 0},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 10, false, 0},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0x00}, 11, true, UINT64_MAX},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0x7f}, 11, false, 0},
        {{0x80}, 1, false, 0},
        {{0}, 0, false, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cursor c = cursor_init(cases[i].bytes, cases[i].size);
        uint64_t value = 99;

        assert_int_equal(cursor_uleb(&c, &value), cases[i].fits);
        assert_int_equal(c.pos, cases[i].fits ? cases[i].size : 0);
        assert_true(value == (cases[i].fits ? cases[i].value : 99));
    }
}

TEST(cursor_sleb_extends_the_sign_and_fails_when_it_does_not_fit)
{
    static const struct leb cases[] = {
        {{0x00}, 1, true, 0},
        {{0x3f}, 1, true, 63},
        {{0x40}, 1, true, (uint64_t)-64},
        {{0x7f}, 1, true, (uint64_t)-1},
        {{0x80, 0x7f}, 2, true, (uint64_t)-128},
        {{0xff, 0x00}, 2, true, 127},
        {{0xff, 0xff, 0x7f}, 3, true, (uint64_t)-1}, /* padded */
        {{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, 10, true, UINT64_C(1) << 63},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00}, 10, true, INT64_MAX},
        {{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, 11, true, 0},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
         11,
         true,
         (uint64_t)-1},
        /* 2^63 needs bit 63 and a positive sign beyond it. */
        {{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, 10, false, 0},
        {{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xff, 0x00}, 11, false, 0},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x80, 0x7f}, 11, false, 0},
        {{0xff}, 1, false, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cursor c = cursor_init(cases[i].bytes, cases[i].size);
        int64_t value = 99;

        assert_int_equal(cursor_sleb(&c, &value), cases[i].fits);
        assert_int_equal(c.pos, cases[i].fits ? cases[i].size : 0);
        assert_true((uint64_t)value == (cases[i].fits ? cases[i].value : 99));
    }
}

TEST(cursor_leb_without_end_is_refused)
{
    uint8_t padding[64];
    struct cursor c;
    uint64_t value;

    for (size_t i = 0; i < sizeof(padding); i++)
        padding[i] = i == sizeof(padding) - 1 ? 0x00 : 0x80;
    c = cursor_init(padding, sizeof(padding));
    assert_false(cursor_uleb(&c, &value));
    c.pos = sizeof(padding) - 20;
    assert_true(cursor_uleb(&c, &value));
    assert_int_equal(value, 0);
}

TEST(cursor_string_must_end_inside_the_data)
{
    static const char text[] = {'a', 'b', '\0', 'c', 'd'};
    struct cursor c = cursor_init(text, sizeof(text));
    struct cursor nothing = cursor_init(NULL, 0);
    const char *out = NULL;

    assert_true(cursor_string(&c, &out));
    assert_string_equal(out, "ab");
    assert_int_equal(c.pos, 3);
    assert_false(cursor_string(&c, &out));
    assert_int_equal(c.pos, 3);
    assert_false(cursor_string(&nothing, &out));
}
