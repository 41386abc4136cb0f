/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/search.h"

static void search_first_of_nothing_is_the_end(void **state)
{
    (void)state;
    assert_int_equal(SEARCH_FIRST(i, 0, 0, i < i + 1), 0);
    assert_int_equal(SEARCH_FIRST(i, 7, 7, i < i + 1), 7);
}

static void search_first_agrees_with_a_scan_for_every_count_and_key(void **state)
{
    enum { COUNT_MAX = 20 };
    uint32_t items[COUNT_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT_MAX; i++)
        items[i] = (uint32_t)(i / 3) * 2 + 1; /* 1 1 1 3 3 3 …: a key has several items, or none */
    for (size_t count = 0; count <= COUNT_MAX; count++)
        for (uint32_t key = 0; key < COUNT_MAX; key++) {
            size_t lower = 0, upper = 0;

            while (lower < count && items[lower] < key)
                lower++;
            while (upper < count && items[upper] <= key)
                upper++;
            assert_int_equal(SEARCH_FIRST(i, 0, count, items[i] < key), lower);
            assert_int_equal(SEARCH_FIRST(i, 0, count, items[i] <= key), upper);
        }
}

static void search_first_looks_at_items_between_its_bounds_only(void **state)
{
    static const uint32_t items[] = {9, 1, 3, 5, 0};
    size_t least = SIZE_MAX, most = 0;

    (void)state;
    for (uint32_t key = 0; key < 10; key++) {
        size_t at = SEARCH_FIRST(i, 1, 4,
                                 (least = i < least ? i : least, most = i > most ? i : most,
                                  items[i] < key));

        assert_in_range(at, 1, 4);
    }
    assert_int_equal(least, 1);
    assert_int_equal(most, 3);
}

static void search_first_looks_at_few_of_many_items(void **state)
{
    size_t looked = 0;

    (void)state;
    assert_int_equal(SEARCH_FIRST(i, 0, 1 << 20, (looked++, i < 777777)), 777777);
    assert_in_range(looked, 1, 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_first_of_nothing_is_the_end),
        cmocka_unit_test(search_first_agrees_with_a_scan_for_every_count_and_key),
        cmocka_unit_test(search_first_looks_at_items_between_its_bounds_only),
        cmocka_unit_test(search_first_looks_at_few_of_many_items),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
