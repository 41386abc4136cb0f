/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "unit_test.h"
#include "base/sort.h"

#define COUNT_MAX 3000

/* Sorts `count` items of the given bits and checks order, stability and that none is lost. */
static void check(size_t count, uint64_t mask, uint64_t random)
{
    struct sort_item *items = calloc(count + 1, sizeof(*items));
    uint64_t *keys = calloc(count + 1, sizeof(*keys));

    assert_non_null(items);
    assert_non_null(keys);
    for (size_t i = 0; i < count; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        keys[i] = UINT64_C(0x5500000000000000) ^ (random & mask);
        items[i] = (struct sort_item){.key = keys[i], .id = (uint32_t)i};
    }
    assert_int_equal(sort_items(items, count), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        assert_true(items[i].id < count && items[i].key == keys[items[i].id]);
        assert_true(i == 0 || items[i - 1].key < items[i].key ||
                    (items[i - 1].key == items[i].key && items[i - 1].id < items[i].id));
    }
    free(items);
    free(keys);
}

TEST(sort_any_number_of_items_is_sorted_and_stable)
{
    static const size_t counts[] = {0, 1, 2, 3, 47, 48, 49, 50, 255, 256, 257, COUNT_MAX};

    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        check(counts[i], UINT64_MAX, 88172645463325252u + i);
        check(counts[i], 0xff, 12345 + i);                       /* one pass: many are equal */
        check(counts[i], UINT64_C(0xff00000000ff0000), 999 + i); /* two passes, far apart */
        check(counts[i], UINT64_C(0xf0f0f0), 31 + i);            /* three */
        check(counts[i], 0, 1 + i);                              /* all equal */
    }
}

TEST(sort_sorted_and_reversed_items_are_sorted)
{
    struct sort_item items[COUNT_MAX];

    for (size_t i = 0; i < COUNT_MAX; i++)
        items[i] = (struct sort_item){.key = i * 3, .id = (uint32_t)i};
    assert_int_equal(sort_items(items, COUNT_MAX), STATUS_OK);
    for (size_t i = 0; i < COUNT_MAX; i++)
        assert_int_equal(items[i].id, i);
    for (size_t i = 0; i < COUNT_MAX; i++)
        items[i] = (struct sort_item){.key = UINT64_MAX - i, .id = (uint32_t)i};
    assert_int_equal(sort_items(items, COUNT_MAX), STATUS_OK);
    for (size_t i = 0; i < COUNT_MAX; i++)
        assert_int_equal(items[i].id, COUNT_MAX - 1 - i);
}
