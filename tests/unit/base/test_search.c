/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "unit_test.h"
#include "base/search.h"

TEST(search_first_of_nothing_is_the_end)
{
    assert_int_equal(SEARCH_FIRST(i, 0, 0, i < i + 1), 0);
    assert_int_equal(SEARCH_FIRST(i, 7, 7, i < i + 1), 7);
}

TEST(search_first_agrees_with_a_scan_for_every_count_and_key)
{
    enum { COUNT_MAX = 20 };
    uint32_t items[COUNT_MAX];

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

TEST(search_first_looks_at_items_between_its_bounds_only)
{
    static const uint32_t items[] = {9, 1, 3, 5, 0};
    size_t least = SIZE_MAX, most = 0;

    for (uint32_t key = 0; key < 10; key++) {
        size_t at = SEARCH_FIRST(i, 1, 4,
                                 (least = i < least ? i : least, most = i > most ? i : most,
                                  items[i] < key));

        assert_in_range(at, 1, 4);
    }
    assert_int_equal(least, 1);
    assert_int_equal(most, 3);
}

TEST(search_first_looks_at_few_of_many_items)
{
    size_t looked = 0;

    assert_int_equal(SEARCH_FIRST(i, 0, 1 << 20, (looked++, i < 777777)), 777777);
    assert_in_range(looked, 1, 21);
}
