/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"

static void low_bits_of_any_count(void **state)
{
    (void)state;
    assert_int_equal(bits_low(UINT64_MAX, 0), 0);
    assert_int_equal(bits_low(UINT64_MAX, 1), 1);
    assert_int_equal(bits_low(UINT64_MAX, 63), UINT64_MAX >> 1);
    for (uint64_t bits = 64; bits < 70; bits++)
        assert_int_equal(bits_low(UINT64_MAX - 1, bits), UINT64_MAX - 1);
    assert_int_equal(bits_low(0x1234, UINT64_MAX), 0x1234);
}

static void signed_numbers_of_any_width(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_bits_of_any_count),
        cmocka_unit_test(signed_numbers_of_any_width),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
