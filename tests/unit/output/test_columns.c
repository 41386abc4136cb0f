/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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

static void columns_ascii_takes_one_each(void **state)
{
    (void)state;
    assert_int_equal(fit("", 5), 0);
    assert_int_equal(fit("abcdef", 4), 4);
    assert_int_equal(fit("abcdef", 6), 6);
    assert_int_equal(fit("abcdef", 0), 0);
}

static void columns_wide_character_does_not_half_fit(void **state)
{
    (void)state;
    assert_int_equal(fit("漢字", 4), 6);
    assert_int_equal(fit("漢字", 3), 3);
    assert_int_equal(fit("漢字", 1), 0);
    assert_int_equal(fit("a\xf0\x9f\x98\x80", 2), 1);
    assert_int_equal(fit("a\xf0\x9f\x98\x80", 3), 5);
}

static void columns_combining_character_stays_with_its_base(void **state)
{
    (void)state;
    assert_int_equal(fit("e\xcc\x81x", 1), 3);
    assert_int_equal(fit("e\xcc\x81x", 2), 4);
}

static void columns_arrow_and_ellipsis_take_one(void **state)
{
    (void)state;
    assert_int_equal(fit("← …", 3), 7);
}

/* Cleaned text has none, but a width must not depend on that. */
static void columns_what_is_no_utf8_takes_one_a_byte(void **state)
{
    (void)state;
    assert_int_equal(fit("\xff\xfe\x80", 2), 2);
    assert_int_equal(fit("\xe6\xbc", 1), 1);
    assert_int_equal(fit("\xe6\xbc", 2), 2);
}

static void columns_without_tables_counts_characters(void **state)
{
    const struct columns none = {0};

    (void)state;
    assert_int_equal(columns_fit(&none, "漢字x", 7, 2), 6);
    assert_int_equal(columns_fit(&none, "漢字x", 7, 3), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_ascii_takes_one_each),
        cmocka_unit_test(columns_wide_character_does_not_half_fit),
        cmocka_unit_test(columns_combining_character_stays_with_its_base),
        cmocka_unit_test(columns_arrow_and_ellipsis_take_one),
        cmocka_unit_test(columns_what_is_no_utf8_takes_one_a_byte),
        cmocka_unit_test(columns_without_tables_counts_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
