/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "graph/amount.h"

TEST(amount_of_shares_are_rounded_and_bounded)
{
    char buffer[AMOUNT_TEXT_MAX];

    assert_string_equal(amount_share(buffer, 1, 3), "33.33%");
    assert_string_equal(amount_share(buffer, 2, 3), "66.67%");
    assert_string_equal(amount_share(buffer, 5, 0), "0.00%");
    assert_string_equal(amount_share(buffer, 5, 4), "100.00%");
    assert_string_equal(amount_share(buffer, UINT64_MAX / 2, UINT64_MAX), "50.00%");
    assert_string_equal(amount_share(buffer, UINT64_MAX, UINT64_MAX), "100.00%");
    assert_string_equal(amount_share(buffer, 1, UINT64_MAX), "0.00%");
}

TEST(amount_of_deltas_have_a_sign_unless_nothing_changed)
{
    char buffer[AMOUNT_TEXT_MAX];

    assert_string_equal(amount_delta(buffer, 1), "+0.01%");
    assert_string_equal(amount_delta(buffer, -10000), "-100.00%");
    assert_string_equal(amount_delta(buffer, 0), "0.00%");
}

TEST(amount_of_weights_have_fitting_units)
{
    char buffer[AMOUNT_TEXT_MAX];

    assert_string_equal(amount_weight(buffer, WEIGHT_SAMPLES, 12345), "12345");
    assert_string_equal(amount_weight(buffer, WEIGHT_SAMPLES, 0), "0");
    assert_string_equal(amount_weight(buffer, WEIGHT_WALL, 0), "0 s");
    assert_string_equal(amount_weight(buffer, WEIGHT_WALL, 999), "999 ns");
    assert_string_equal(amount_weight(buffer, WEIGHT_WALL, 1999), "1 µs");
    assert_string_equal(amount_weight(buffer, WEIGHT_CPU, 12345678), "12.3 ms");
    assert_string_equal(amount_weight(buffer, WEIGHT_CPU, 61234567890), "61.234 s");
    assert_string_equal(amount_weight(buffer, WEIGHT_CPU, UINT64_MAX), "18446744073.709 s");
}

TEST(amount_width_does_not_count_what_takes_no_column)
{
    char buffer[64];

    snprintf(buffer, sizeof(buffer), "%*s|%*s", amount_width("1 µs", 6), "1 µs",
             amount_width("1 ms", 6), "1 ms");
    assert_string_equal(buffer, "  1 µs|  1 ms");
}

TEST(amount_of_percents_is_for_prose)
{
    char buffer[AMOUNT_TEXT_MAX];

    assert_string_equal(amount_percent(buffer, 0, 0), "0.0 %");
    assert_string_equal(amount_percent(buffer, 1, 3000), "<0.1 %");
    assert_string_equal(amount_percent(buffer, 1, 1000), "0.1 %");
    assert_string_equal(amount_percent(buffer, 994, 10000), "9.9 %");
    assert_string_equal(amount_percent(buffer, 996, 10000), "10 %");
    assert_string_equal(amount_percent(buffer, 2, 3), "67 %");
    assert_string_equal(amount_percent(buffer, 9999, 10000), ">99 %");
    assert_string_equal(amount_percent(buffer, 7, 7), "100 %");
}

TEST(amount_of_hertz_has_a_digit)
{
    char buffer[AMOUNT_TEXT_MAX];

    assert_string_equal(amount_hertz(buffer, 98765), "98.8");
    assert_string_equal(amount_hertz(buffer, 99949), "99.9");
    assert_string_equal(amount_hertz(buffer, 99950), "100.0");
    assert_string_equal(amount_hertz(buffer, 1), "0.001");
}

TEST(amount_of_cutoff_is_the_first_weight_not_below)
{
    assert_int_equal(amount_cutoff(200, 0.006), 2);
    assert_int_equal(amount_cutoff(100, 0.07), 7);
    assert_int_equal(amount_cutoff(1000, 0.005), 5);
    assert_int_equal(amount_cutoff(10, 0.001), 1);
    assert_int_equal(amount_cutoff(10, 0), 0);
    assert_int_equal(amount_cutoff(10, -1), 0);
    assert_int_equal(amount_cutoff(0, 0.5), 0);
    assert_true(amount_cutoff(UINT64_MAX, 2) == UINT64_MAX);
}
