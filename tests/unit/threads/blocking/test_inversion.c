/* SPDX-License-Identifier: MIT */
/* As many threads as one likes run while one waits for a mutex, and its holder does not run. */
#include "unit_test.h"
#include "threads/blocking/inversion.h"

enum { WAITER, HOLDER, FIRST_RUNNER, THREADS_MAX = FIRST_RUNNER + INVERSIONS_MAX + 1 };

static struct history_task task(int32_t priority)
{
    return (struct history_task){.is_known = true, .priority = priority, .own_priority = priority};
}

static void find(size_t runners, struct inversions *out)
{
    static struct span waits = {.end_ns = 10, .seen_ns = 10, .state = 'S', .wait = 0},
                       runs = {.start_ns = 2,
                               .end_ns = 5,
                               .seen_ns = 5,
                               .state = 'R',
                               .wait = WAIT_NONE};
    struct history_thread threads[THREADS_MAX] = {
        [WAITER] = {.task = task(9), .spans = &waits, .span_count = 1},
        [HOLDER] = {.task = task(1)},
    };
    struct wait wait = {.kind = WAIT_MUTEX};
    struct waits list = {.list = &wait, .count = 1};
    struct history history = {.threads = threads,
                              .thread_count = FIRST_RUNNER + runners,
                              .waits = &list};
    struct wait_record record = {.thread = WAITER, .owner = HOLDER};
    const struct wait_graph graph = {.history = &history, .records = &record, .record_count = 1};

    for (size_t i = FIRST_RUNNER; i < history.thread_count; i++)
        threads[i] = (struct history_thread){.task = task(5), .spans = &runs, .span_count = 1};
    assert_int_equal(inversions_find(&graph, out), STATUS_OK);
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
