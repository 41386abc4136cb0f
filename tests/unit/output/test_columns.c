/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "output/columns.h"

static size_t fit(const char *text, size_t width)
{
    struct columns columns;
    size_t size;

    columns_init(&columns);
    size = columns_fit(&columns, text, strlen(text), width);
    columns_deinit(&columns);
    return size;
}

TEST(columns_ascii_takes_one_each)
{
    assert_int_equal(fit("", 5), 0);
    assert_int_equal(fit("abcdef", 4), 4);
    assert_int_equal(fit("abcdef", 6), 6);
    assert_int_equal(fit("abcdef", 0), 0);
}

TEST(columns_wide_character_does_not_half_fit)
{
    assert_int_equal(fit("漢字", 4), 6);
    assert_int_equal(fit("漢字", 3), 3);
    assert_int_equal(fit("漢字", 1), 0);
    assert_int_equal(fit("a\xf0\x9f\x98\x80", 2), 1);
    assert_int_equal(fit("a\xf0\x9f\x98\x80", 3), 5);
}

TEST(columns_combining_character_stays_with_its_base)
{
    assert_int_equal(fit("e\xcc\x81x", 1), 3);
    assert_int_equal(fit("e\xcc\x81x", 2), 4);
}

TEST(columns_arrow_and_ellipsis_take_one)
{
    assert_int_equal(fit("← …", 3), 7);
}

/* Cleaned text has none, but a width must not depend on that. */
TEST(columns_what_is_no_utf8_takes_one_a_byte)
{
    assert_int_equal(fit("\xff\xfe\x80", 2), 2);
    assert_int_equal(fit("\xe6\xbc", 1), 1);
    assert_int_equal(fit("\xe6\xbc", 2), 2);
}

TEST(columns_without_tables_counts_characters)
{
    const struct columns none = {0};

    assert_int_equal(columns_fit(&none, "漢字x", 7, 2), 6);
    assert_int_equal(columns_fit(&none, "漢字x", 7, 3), 7);
}
