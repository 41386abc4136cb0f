/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "unit_test.h"
#include "base/interval.h"

#define NOBODY UINT32_MAX

static struct interval_set *make(struct interval *list, size_t count)
{
    struct interval_set *set;

    assert_int_equal(interval_sort(list, count), STATUS_OK);
    assert_int_equal(interval_set_create(list, count, &set), STATUS_OK);
    return set;
}

static uint32_t winner(const struct interval_set *set, uint64_t addr)
{
    uint32_t id;

    return interval_set_find(set, addr, &id) == STATUS_OK ? id : NOBODY;
}

TEST(interval_nested_inner_wins_and_outer_resumes)
{
    struct interval list[] = {{.start = 10, .end = 100, .id = 0},
                              {.start = 20, .end = 30, .id = 1}};
    struct interval_set *set = make(list, 2);

    assert_int_equal(winner(set, 9), NOBODY);
    assert_int_equal(winner(set, 10), 0);
    assert_int_equal(winner(set, 20), 1);
    assert_int_equal(winner(set, 29), 1);
    assert_int_equal(winner(set, 30), 0);
    assert_int_equal(winner(set, 99), 0);
    assert_int_equal(winner(set, 100), NOBODY);
    interval_set_destroy(set);
}

TEST(interval_lower_group_wins_over_inner)
{
    struct interval list[] = {{.start = 10, .end = 100, .id = 0, .group = 0},
                              {.start = 20, .end = 120, .id = 1, .group = 1}};
    struct interval_set *set = make(list, 2);

    assert_int_equal(winner(set, 25), 0);
    assert_int_equal(winner(set, 100), 1);
    assert_int_equal(winner(set, 119), 1);
    interval_set_destroy(set);
}

TEST(interval_same_start_rank_then_shorter_then_first_wins)
{
    struct interval list[] = {
        {.start = 10, .end = 20, .id = 0, .rank = 2},
        {.start = 10, .end = 30, .id = 1, .rank = 3},
        {.start = 50, .end = 70, .id = 2},
        {.start = 50, .end = 60, .id = 3},
        {.start = 80, .end = 90, .id = 5},
        {.start = 80, .end = 90, .id = 4},
    };
    struct interval_set *set = make(list, 6);

    assert_int_equal(winner(set, 10), 1);
    assert_int_equal(winner(set, 50), 3);
    assert_int_equal(winner(set, 60), 2);
    assert_int_equal(winner(set, 80), 4);
    interval_set_destroy(set);
}

TEST(interval_empty_and_reversed_are_left_out)
{
    struct interval list[] = {{.start = 10, .end = 10, .id = 0}, {.start = 20, .end = 5, .id = 1}};
    struct interval_set *set = make(list, 2);
    struct interval_piece piece;
    size_t at = 0;

    assert_false(interval_set_next(set, &at, &piece));
    assert_int_equal(winner(set, 10), NOBODY);
    interval_set_destroy(set);
}

TEST(interval_highest_addresses_are_found)
{
    struct interval list[] = {{.start = UINT64_MAX - 5, .end = UINT64_MAX, .id = 7}};
    struct interval_set *set = make(list, 1);

    assert_int_equal(winner(set, UINT64_MAX - 1), 7);
    assert_int_equal(winner(set, UINT64_MAX), NOBODY);
    interval_set_destroy(set);
}

/* The best interval at an address, found the slow way. */
static uint32_t slow_winner(const struct interval *list, size_t count, uint64_t addr)
{
    const struct interval *best = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct interval *it = &list[i];

        if (addr < it->start || addr >= it->end)
            continue;
        if (!best || it->group < best->group ||
            (it->group == best->group &&
             (it->start > best->start ||
              (it->start == best->start &&
               (it->rank > best->rank ||
                (it->rank == best->rank &&
                 (it->end < best->end || (it->end == best->end && it->id < best->id))))))))
            best = it;
    }
    return best ? best->id : NOBODY;
}

TEST(interval_random_overlaps_agree_with_linear_search)
{
    struct interval list[60];
    uint64_t random = 88172645463325252u;

    for (unsigned round = 0; round < 200; round++) {
        struct interval_set *set;

        for (uint32_t i = 0; i < 60; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            list[i] = (struct interval){.start = random % 200,
                                        .end = random % 200 + (random >> 20) % 40,
                                        .id = i,
                                        .group = (uint8_t)((random >> 40) % 3),
                                        .rank = (uint8_t)((random >> 50) % 3)};
        }
        set = make(list, 60);
        for (uint64_t addr = 0; addr < 245; addr++)
            assert_int_equal(winner(set, addr), slow_winner(list, 60, addr));
        interval_set_destroy(set);
    }
}
