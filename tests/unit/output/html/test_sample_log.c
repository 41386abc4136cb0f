/* SPDX-License-Identifier: MIT */
/* What was sampled when: joined where it is alike, coarser where it is too much, never lost. */
#include "unit_test.h"
#include "output/html/sample_log.h"

#define MS UINT64_C(1000000)

static void add(struct sample_log *log, uint32_t thread, uint32_t cell, uint64_t time_ns,
                uint64_t cpu_ns)
{
    const struct weights weights = {.value = {1, 10, cpu_ns, 3}};

    assert_int_equal(sample_log_add(log, thread, cell, time_ns, &weights), STATUS_OK);
}

static void expect_entry(const struct sample_log *log, size_t i, uint32_t thread, uint32_t slot,
                         uint32_t cell, uint64_t samples)
{
    assert_true(i < log->count);
    assert_int_equal(log->list[i].thread, thread);
    assert_int_equal(log->list[i].slot, slot);
    assert_int_equal(log->list[i].cell, cell);
    assert_int_equal(log->list[i].weight[WEIGHT_SAMPLES], samples);
}

static uint64_t sum(const struct sample_log *log, enum weight_kind kind)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < log->count; i++)
        sum += log->list[i].weight[kind];
    return sum;
}

TEST(neighbours_of_a_thread_are_one_entry)
{
    struct sample_log log = {.list = NULL};

    add(&log, 2, 5, 0, 1);
    add(&log, 1, 5, 100, 1); /* another thread is no neighbour */
    add(&log, 2, 5, MS - 1, 2);
    add(&log, 2, 5, MS, 4); /* another slot */
    add(&log, 2, 6, MS, 8);
    add(&log, 2, 5, MS, 16); /* one that is not the last */
    assert_int_equal(log.count, 5);
    expect_entry(&log, 0, 2, 0, 5, 2);
    assert_int_equal(log.list[0].weight[WEIGHT_CPU], 3);
    assert_int_equal(log.list[0].weight[WEIGHT_WALL], 20);
    assert_int_equal(log.list[0].weight[WEIGHT_OFFCPU], 6);
    expect_entry(&log, 1, 1, 0, 5, 1);
    expect_entry(&log, 2, 2, 1, 5, 1);
    sample_log_deinit(&log);
}

TEST(joined_it_is_in_order_and_has_each_once)
{
    struct sample_log log = {.list = NULL};

    add(&log, 2, 5, 3 * MS, 1);
    add(&log, 1, 7, 2 * MS, 1);
    add(&log, 1, 5, 2 * MS, 1);
    add(&log, 1, 7, 2 * MS, 1);
    add(&log, 1, 7, 1 * MS, 1); /* as ticks come: late */
    assert_int_equal(sample_log_join(&log), STATUS_OK);
    assert_int_equal(log.count, 4);
    expect_entry(&log, 0, 1, 1, 7, 1);
    expect_entry(&log, 1, 1, 2, 5, 1);
    expect_entry(&log, 2, 1, 2, 7, 2);
    expect_entry(&log, 3, 2, 3, 5, 1);
    sample_log_deinit(&log);
}

TEST(states_of_one_cell_stay_apart)
{
    struct sample_log log = {.list = NULL};
    struct log_entry entry = {.thread = 1, .cell = 2, .state = 3, .weight = {1}};

    assert_int_equal(sample_log_append(&log, &entry), STATUS_OK);
    entry.state = 1;
    assert_int_equal(sample_log_append(&log, &entry), STATUS_OK);
    entry.state = 3;
    assert_int_equal(sample_log_append(&log, &entry), STATUS_OK);
    assert_int_equal(sample_log_join(&log), STATUS_OK);
    assert_int_equal(log.count, 2);
    assert_int_equal(log.list[0].state, 1);
    assert_int_equal(log.list[1].state, 3);
    assert_int_equal(log.list[1].weight[0], 2);
    sample_log_deinit(&log);
}

/* Of 16 entries at the most. */
TEST(too_many_entries_make_slots_wider)
{
    struct sample_log log = {.limit = 16};

    for (uint64_t i = 0; i < 1000; i++) /* two threads, one chain each, in turn */
        add(&log, (uint32_t)(i % 2), 7, i * MS, i);
    assert_true(log.count <= 16);
    assert_int_equal(log.width_ns, 1000 * MS); /* 1, 10, 100 ms are still too fine */
    assert_int_equal(log.limit, 16);
    assert_int_equal(sum(&log, WEIGHT_SAMPLES), 1000);
    assert_int_equal(sum(&log, WEIGHT_WALL), 10000);
    assert_int_equal(sum(&log, WEIGHT_CPU), 999 * 500);
    add(&log, 0, 7, 1001 * MS, 0);
    assert_int_equal(sample_log_join(&log), STATUS_OK);
    assert_int_equal(log.count, 3);
    expect_entry(&log, 0, 0, 0, 7, 500);
    expect_entry(&log, 1, 0, 1, 7, 1);
    expect_entry(&log, 2, 1, 0, 7, 500);
    sample_log_deinit(&log);
}

TEST(what_cannot_be_joined_is_kept_all_the_same)
{
    struct sample_log log = {.limit = 16};

    for (uint32_t i = 0; i < 100; i++)
        add(&log, 3, i, i * MS, 1);
    assert_int_equal(log.count, 100);
    assert_int_equal(sum(&log, WEIGHT_SAMPLES), 100);
    for (size_t i = 0; i < log.count; i++)
        assert_int_equal(log.list[i].weight[WEIGHT_SAMPLES], 1);
    sample_log_deinit(&log);
}

TEST(times_beyond_all_slots_make_them_wider)
{
    struct sample_log log = {.list = NULL};

    add(&log, 1, 1, 0, 1);
    add(&log, 1, 1, UINT64_MAX, 1);
    assert_int_equal(log.count, 2);
    assert_true(log.width_ns > MS);
    assert_int_equal(log.list[1].slot, UINT64_MAX / log.width_ns);
    sample_log_deinit(&log);
}
