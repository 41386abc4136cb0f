/* SPDX-License-Identifier: MIT */
#include "unit_test.h"
#include "base/bits.h"

TEST(low_bits_of_any_count)
{
    assert_int_equal(bits_low(UINT64_MAX, 0), 0);
    assert_int_equal(bits_low(UINT64_MAX, 1), 1);
    assert_int_equal(bits_low(UINT64_MAX, 63), UINT64_MAX >> 1);
    for (uint64_t bits = 64; bits < 70; bits++)
        assert_int_equal(bits_low(UINT64_MAX - 1, bits), UINT64_MAX - 1);
    assert_int_equal(bits_low(0x1234, UINT64_MAX), 0x1234);
}

TEST(signed_numbers_of_any_width)
{
    assert_int_equal(bits_signed(UINT64_MAX, 0), 0);
    assert_int_equal(bits_signed(1, 1), -1);
    assert_int_equal(bits_signed(0x80, 8), INT8_MIN);
    assert_int_equal(bits_signed(0x17f, 8), 0x7f);
    assert_int_equal(bits_signed(UINT64_C(1) << 62, 63), INT64_MIN / 2);
    for (uint64_t bits = 64; bits < 70; bits++) {
        assert_int_equal(bits_signed(UINT64_C(1) << 63, bits), INT64_MIN);
        assert_int_equal(bits_signed(0x80, bits), 0x80);
    }
}
