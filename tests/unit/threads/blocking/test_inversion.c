/* SPDX-License-Identifier: MIT */
/* As many threads as one likes run while one waits for a mutex, and its holder does not run. */
#include "unit_test.h"
#include "threads/blocking/inversion.h"

enum { WAITER, HOLDER, FIRST_RUNNER, THREADS_MAX = FIRST_RUNNER + INVERSIONS_MAX + 1 };

static struct history_task task(int32_t priority)
{
    return (struct history_task){.is_known = true, .priority = priority, .own_priority = priority};
}

/* Of `count` threads with tasks and processes: WAITER waits for HOLDER, the others run. */
static void find_among(struct history_thread *threads, size_t count, struct inversions *out)
{
    static struct span waits = {.end_ns = 10, .seen_ns = 10, .state = 'S', .wait = 0},
                       runs = {.start_ns = 2,
                               .end_ns = 5,
                               .seen_ns = 5,
                               .state = 'R',
                               .wait = WAIT_NONE};
    struct wait wait = {.kind = WAIT_MUTEX};
    struct waits list = {.list = &wait, .count = 1};
    struct history history = {.threads = threads, .thread_count = count, .waits = &list};
    struct wait_record record = {.thread = WAITER, .owner = HOLDER};
    const struct wait_graph graph = {.history = &history, .records = &record, .record_count = 1};

    for (size_t i = 0; i < count; i++)
        if (i != HOLDER) {
            threads[i].spans = i == WAITER ? &waits : &runs;
            threads[i].span_count = 1;
        }
    assert_int_equal(inversions_find(&graph, out), STATUS_OK);
}

static void find(size_t runners, struct inversions *out)
{
    struct history_thread threads[THREADS_MAX] = {
        [WAITER] = {.task = task(9)},
        [HOLDER] = {.task = task(1)},
    };

    for (size_t i = FIRST_RUNNER; i < FIRST_RUNNER + runners; i++)
        threads[i] = (struct history_thread){.task = task(5)};
    find_among(threads, FIRST_RUNNER + runners, out);
}

TEST(inversion_is_of_who_runs_between)
{
    struct inversions found;

    find(1, &found);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.list[0].waiter, WAITER);
    assert_int_equal(found.list[0].holder, HOLDER);
    assert_int_equal(found.list[0].runner, FIRST_RUNNER);
    assert_int_equal(found.list[0].ns, 3);
    assert_false(found.is_cut);
}

TEST(inversions_that_are_left_out_are_told)
{
    struct inversions found;

    find(INVERSIONS_MAX, &found);
    assert_int_equal(found.count, INVERSIONS_MAX);
    assert_false(found.is_cut);
    find(INVERSIONS_MAX + 1, &found);
    assert_int_equal(found.count, INVERSIONS_MAX);
    assert_true(found.is_cut);
}

/* As high as the waiter, as low as the holder, of another process, unknown: none of them. */
TEST(inversion_is_not_of_others)
{
    struct history_thread threads[] = {
        {.task = task(9)}, {.task = task(1)}, {.task = task(9)},
        {.task = task(8)}, {.task = task(1)}, {.task = task(5), .process = 1},
        {.task = task(2)}, {.task = task(0)}, {.task = {.own_priority = 5}},
    };
    struct inversions found;

    find_among(threads, sizeof(threads) / sizeof(threads[0]), &found);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.list[0].runner, 3);
    assert_int_equal(found.list[1].runner, 6);
}

TEST(inversion_by_low_numbers_first)
{
    struct history_thread threads[] = {
        {.task = task(1)}, {.task = task(9)}, {.task = task(1)},
        {.task = task(2)}, {.task = task(9)}, {.task = task(INT32_MIN)},
    };
    struct inversions found;

    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
        threads[i].task.low_first = true;
    find_among(threads, sizeof(threads) / sizeof(threads[0]), &found);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.list[0].runner, 3);
}
