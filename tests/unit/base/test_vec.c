/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "unit_test.h"
#include "base/vec.h"

TEST(vec_grows_geometrically_and_keeps_contents)
{
    int *items = NULL;
    size_t cap = 0, grown = 0;

    for (size_t len = 0; len < 10000; len++) {
        size_t before = cap;

        assert_int_equal(vec_reserve(&items, &cap, len + 1, sizeof(*items)), STATUS_OK);
        grown += cap != before;
        items[len] = (int)len;
    }
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(items[i], i);
    assert_true(grown < 16);
    free(items);
}

TEST(vec_room_enough_changes_nothing)
{
    int *items = NULL, *before;
    size_t cap = 0;

    assert_int_equal(vec_reserve(&items, &cap, 0, sizeof(*items)), STATUS_OK);
    assert_null(items);
    assert_int_equal(vec_reserve(&items, &cap, 3, sizeof(*items)), STATUS_OK);
    before = items;
    assert_int_equal(vec_reserve(&items, &cap, 3, sizeof(*items)), STATUS_OK);
    assert_ptr_equal(items, before);
    free(items);
}

TEST(vec_size_that_overflows_leaves_the_array)
{
    int *items = NULL, *before;
    size_t cap = 0, cap_before;

    assert_int_equal(vec_reserve(&items, &cap, 1, sizeof(*items)), STATUS_OK);
    items[0] = 42;
    before = items;
    cap_before = cap;
    assert_int_equal(vec_reserve(&items, &cap, SIZE_MAX, sizeof(*items)), STATUS_NO_MEMORY);
    assert_int_equal(vec_reserve(&items, &cap, SIZE_MAX / 4, sizeof(*items)), STATUS_NO_MEMORY);
    assert_ptr_equal(items, before);
    assert_int_equal(cap, cap_before);
    assert_int_equal(items[0], 42);
    free(items);
}
