/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "unit_test.h"
#include "variables/value/decimal.h"

static void expect_float(uint64_t low, uint64_t high, int exponent, unsigned digits,
                         const char *want)
{
    char text[DECIMAL_TEXT_MAX];

    decimal_float((const uint64_t[]){low, high}, exponent, digits, text);
    assert_string_equal(text, want);
}

TEST(decimal_integer_of_any_size_has_its_sign)
{
    char text[DECIMAL_TEXT_MAX];
    uint8_t bytes[16] = {0};

    decimal_integer(bytes, 16, true, text);
    assert_string_equal(text, "0");
    memset(bytes, 0xff, 16);
    decimal_integer(bytes, 16, true, text);
    assert_string_equal(text, "-1");
    decimal_integer(bytes, 3, false, text);
    assert_string_equal(text, "16777215");
    bytes[2] = 0x7f;
    decimal_integer(bytes, 3, true, text);
    assert_string_equal(text, "8388607");
}

TEST(decimal_float_takes_exponents_where_printf_does)
{
    expect_float(0, 0, 5, 17, "0");
    expect_float(1, 0, 0, 17, "1");
    expect_float(1, 0, 10, 17, "1024");
    expect_float(5, 0, -1, 17, "2.5");
    expect_float(999999, 0, 0, 5, "1e+06");
    expect_float(99999, 0, 0, 5, "99999");
    expect_float(100000, 0, 0, 6, "100000");
    expect_float(1, 0, -13, 17, "0.0001220703125");
    expect_float(1, 0, -14, 17, "6.103515625e-05");
}

/* Half of the last digit goes to the even one. */
TEST(decimal_float_is_rounded_exactly)
{
    expect_float(25, 0, 0, 1, "2e+01");
    expect_float(35, 0, 0, 1, "4e+01");
    expect_float(2500000000000000001, 0, 0, 1, "3e+18");
    expect_float(UINT64_MAX, UINT64_MAX, 0, 20, "3.4028236692093846346e+38");
}

TEST(decimal_float_reaches_the_ends_of_long_double)
{
    /* The least and the largest of x87, and the least of 128 bits. */
    expect_float(1, 0, -16445, 21, "3.64519953188247460253e-4951");
    expect_float(UINT64_MAX, 0, 16320, 21, "1.18973149535723176502e+4932");
    expect_float(1, 0, -16494, 36, "6.47517511943802511092443895822764655e-4966");
}

TEST(decimal_float_of_doubles_is_as_printf_has_it)
{
    uint64_t seed = 1;

    for (unsigned i = 0; i < 2000; i++) {
        char want[64], text[DECIMAL_TEXT_MAX];
        uint64_t mantissa;
        int exponent;
        double value;

        seed = seed * 6364136223846793005 + 1442695040888963407;
        mantissa = (seed >> 11) | UINT64_C(1) << 52;
        exponent = (int)(seed % 1900) - 1000;
        value = (double)mantissa;
        for (int k = 0; k < exponent; k++)
            value *= 2;
        for (int k = 0; k > exponent; k--)
            value /= 2;
        snprintf(want, sizeof(want), "%.17g", value);
        decimal_float((const uint64_t[]){mantissa, 0}, exponent, 17, text);
        assert_string_equal(text, want);
    }
}
