/* SPDX-License-Identifier: MIT */
/* Ranges over each other; more by those of a perf map, in test_jit_map.c. */
#include "base/overlay.h"

#include <stdlib.h>

#include "unit_test.h"

static void add(struct overlay *overlay, uint64_t start_addr, uint64_t end_addr, uint32_t data)
{
    const struct overlay_range range = {start_addr, end_addr, data};

    assert_int_equal(overlay_add(overlay, &range), STATUS_OK);
    assert_int_equal(overlay_sort(overlay), STATUS_OK);
}

/* 0: none. */
static uint32_t data_at(const struct overlay *overlay, uint64_t addr)
{
    const struct overlay_range *range = overlay_at(overlay, addr);

    return range ? range->data : 0;
}

static enum status count(void *context, const struct overlay_range *range)
{
    *(uint32_t *)context += range->data;
    return STATUS_OK;
}

TEST(overlay_last_range_holds)
{
    struct overlay overlay = {.len = 0};
    uint32_t sum = 0;

    assert_null(overlay_at(&overlay, 1));
    add(&overlay, 10, 100, 1);
    add(&overlay, 20, 30, 2);
    add(&overlay, 25, 40, 3);
    assert_int_equal(data_at(&overlay, 9), 0);
    assert_int_equal(data_at(&overlay, 19), 1);
    assert_int_equal(data_at(&overlay, 24), 2);
    assert_int_equal(data_at(&overlay, 39), 3);
    assert_int_equal(data_at(&overlay, 99), 1);
    assert_int_equal(data_at(&overlay, 100), 0);
    assert_int_equal(overlay_each(&overlay, 11, 30, count, &sum), STATUS_OK);
    assert_int_equal(sum, 2 + 3);
    overlay_clear(&overlay);
    assert_int_equal(data_at(&overlay, 19), 0);
    overlay_deinit(&overlay);
}

TEST(overlay_has_so_many_ranges_alone)
{
    const struct overlay_range range = {1, 2, 3};
    struct overlay overlay = {.len = OVERLAY_RANGES_MAX};

    assert_int_equal(overlay_add(&overlay, &range), STATUS_NOT_FOUND);
}
