/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
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

static void workers_run_does_each_task_once(void **state)
{
    static const unsigned jobs[] = {0, 1, 2, 7, WORKERS_MAX, UINT32_MAX};
    static const size_t counts[] = {0, 1, 2, 3, TASKS_MAX};

    (void)state;
    for (size_t j = 0; j < sizeof(jobs) / sizeof(jobs[0]); j++)
        for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
            struct record record = {.fails = {SIZE_MAX, SIZE_MAX}};

            assert_int_equal(workers_run(jobs[j], counts[c], count_task, &record), STATUS_OK);
            for (size_t i = 0; i < TASKS_MAX; i++)
                assert_int_equal(record.times[i], i < counts[c]);
        }
}

static void workers_run_does_as_many_tasks_at_a_time_as_jobs(void **state)
{
    struct record record = {.fails = {SIZE_MAX, SIZE_MAX}};
    pthread_barrier_t meet;

    (void)state;
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

static void workers_run_of_one_job_stays_in_the_callers_thread(void **state)
{
    struct record record = {.caller = pthread_self()};

    (void)state;
    assert_int_equal(workers_run(1, TASKS_MAX, note_thread, &record), STATUS_OK);
    assert_false(record.elsewhere);
}

static void workers_run_after_a_failure_begins_no_task(void **state)
{
    struct record record = {.fails = {5, SIZE_MAX}};

    (void)state;
    assert_int_equal(workers_run(1, TASKS_MAX, count_task, &record), STATUS_NO_MEMORY);
    for (size_t i = 0; i < TASKS_MAX; i++)
        assert_int_equal(record.times[i], i <= 5);
}

static void workers_run_of_two_failures_returns_the_first_in_order(void **state)
{
    struct record record = {.fails = {1, 0}};
    pthread_barrier_t meet;

    (void)state;
    assert_int_equal(pthread_barrier_init(&meet, NULL, 2), 0);
    record.meet = &meet;
    for (unsigned i = 0; i < 50; i++)
        assert_int_equal(workers_run(2, 2, count_task, &record), STATUS_IO);
    pthread_barrier_destroy(&meet);
}

static void workers_available_is_at_least_one(void **state)
{
    (void)state;
    assert_true(workers_available() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_run_does_each_task_once),
        cmocka_unit_test(workers_run_does_as_many_tasks_at_a_time_as_jobs),
        cmocka_unit_test(workers_run_of_one_job_stays_in_the_callers_thread),
        cmocka_unit_test(workers_run_after_a_failure_begins_no_task),
        cmocka_unit_test(workers_run_of_two_failures_returns_the_first_in_order),
        cmocka_unit_test(workers_available_is_at_least_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
