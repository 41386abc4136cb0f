/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "unit_test.h"
#include <pthread.h>
#include <stdbool.h>

#include "base/workers.h"

#define TASKS_MAX 300

struct record {
    unsigned times[TASKS_MAX];
    size_t fails[2]; /* tasks that fail: with NO_MEMORY, with IO; SIZE_MAX: none */
    pthread_t caller;
    bool elsewhere; /* some task ran in another thread than the caller's */
    pthread_barrier_t *meet;
};

static enum status count_task(void *context, size_t i)
{
    struct record *record = context;

    record->times[i]++;
    if (record->meet)
        pthread_barrier_wait(record->meet);
    if (i == record->fails[0])
        return STATUS_NO_MEMORY;
    return i == record->fails[1] ? STATUS_IO : STATUS_OK;
}

TEST(workers_run_does_each_task_once)
{
    static const unsigned jobs[] = {0, 1, 2, 7, WORKERS_MAX, UINT32_MAX};
    static const size_t counts[] = {0, 1, 2, 3, TASKS_MAX};

    for (size_t j = 0; j < sizeof(jobs) / sizeof(jobs[0]); j++)
        for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
            struct record record = {.fails = {SIZE_MAX, SIZE_MAX}};

            assert_int_equal(workers_run(jobs[j], counts[c], count_task, &record), STATUS_OK);
            for (size_t i = 0; i < TASKS_MAX; i++)
                assert_int_equal(record.times[i], i < counts[c]);
        }
}

TEST(workers_run_does_as_many_tasks_at_a_time_as_jobs)
{
    struct record record = {.fails = {SIZE_MAX, SIZE_MAX}};
    pthread_barrier_t meet;

    /* None of three tasks ends before all have begun. */
    assert_int_equal(pthread_barrier_init(&meet, NULL, 3), 0);
    record.meet = &meet;
    assert_int_equal(workers_run(3, 3, count_task, &record), STATUS_OK);
    pthread_barrier_destroy(&meet);
}

static enum status note_thread(void *context, size_t i)
{
    struct record *record = context;

    (void)i;
    record->elsewhere |= !pthread_equal(pthread_self(), record->caller);
    return STATUS_OK;
}

TEST(workers_run_of_one_job_stays_in_the_callers_thread)
{
    struct record record = {.caller = pthread_self()};

    assert_int_equal(workers_run(1, TASKS_MAX, note_thread, &record), STATUS_OK);
    assert_false(record.elsewhere);
}

TEST(workers_run_after_a_failure_begins_no_task)
{
    struct record record = {.fails = {5, SIZE_MAX}};

    assert_int_equal(workers_run(1, TASKS_MAX, count_task, &record), STATUS_NO_MEMORY);
    for (size_t i = 0; i < TASKS_MAX; i++)
        assert_int_equal(record.times[i], i <= 5);
}

TEST(workers_run_of_two_failures_returns_the_first_in_order)
{
    struct record record = {.fails = {1, 0}};
    pthread_barrier_t meet;

    assert_int_equal(pthread_barrier_init(&meet, NULL, 2), 0);
    record.meet = &meet;
    for (unsigned i = 0; i < 50; i++)
        assert_int_equal(workers_run(2, 2, count_task, &record), STATUS_IO);
    pthread_barrier_destroy(&meet);
}

TEST(workers_available_is_at_least_one)
{
    assert_true(workers_available() >= 1);
}
