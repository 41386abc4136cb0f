/* SPDX-License-Identifier: MIT */
/* Where a thread's CPU time of a second goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/cpu_stretch.h"

#define MS(n)  ((uint64_t)(n)*1000000)
#define PLACES 4096

/* What each place was given, by its number. */
struct given {
    uint64_t cpu_ns[PLACES];
    unsigned calls[PLACES];
    uint64_t sum_ns;
};

static enum status give(void *context, const struct cpu_place *place, uint64_t cpu_ns)
{
    struct given *given = context;

    assert_true(place->number < PLACES);
    given->cpu_ns[place->number] += cpu_ns;
    given->calls[place->number]++;
    given->sum_ns += cpu_ns;
    return STATUS_OK;
}

/* A sample at so many milliseconds, which is its number; what was used since the one before. */
static void add(struct cpu_stretch *stretch, struct given *given, unsigned ms, uint64_t used_ns,
                int rank)
{
    const struct cpu_place place = {.number = ms, .time_ns = MS(ms)};

    cpu_stretch_use(stretch, MS(ms), used_ns);
    if (rank < CPU_RANKS)
        assert_int_equal(cpu_stretch_add(stretch, (enum cpu_rank)rank, &place, give, given),
                         STATUS_OK);
}

#define ASLEEP CPU_RANKS

static void end(struct cpu_stretch *stretch, struct given *given)
{
    assert_int_equal(cpu_stretch_end(stretch, give, given), STATUS_OK);
}

static void stretch_is_shared_by_samples_on_a_cpu_alone_where_they_are_enough(void **state)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

    (void)state;
    add(&stretch, &given, 1, 10, CPU_LEFT_IN_CODE);
    add(&stretch, &given, 2, 20, CPU_LEFT_IN_CALL);
    for (unsigned ms = 3; ms < 3 + CPU_STRETCH_FEW; ms++)
        add(&stretch, &given, ms, 30, CPU_ON);
    add(&stretch, &given, 9, 10, ASLEEP);
    end(&stretch, &given);
    assert_int_equal(given.sum_ns, 40 + CPU_STRETCH_FEW * 30);
    assert_int_equal(given.cpu_ns[1] + given.cpu_ns[2], 0);
    for (unsigned ms = 3; ms < 3 + CPU_STRETCH_FEW; ms++)
        assert_int_equal(given.cpu_ns[ms], 40);
    assert_int_equal(stretch.used_ns, 0);
    cpu_stretch_deinit(&stretch);
}

static void stretch_with_few_on_a_cpu_is_shared_with_those_pushed_off_one(void **state)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

    (void)state;
    add(&stretch, &given, 1, 30, CPU_ON);
    add(&stretch, &given, 2, 20, CPU_LEFT_IN_CALL);
    add(&stretch, &given, 3, 10, CPU_LEFT_IN_CODE);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[1], 30);
    assert_int_equal(given.cpu_ns[2], 0);
    assert_int_equal(given.cpu_ns[3], 30);
    cpu_stretch_deinit(&stretch);
}

static void stretch_of_calls_alone_is_theirs(void **state)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

    (void)state;
    add(&stretch, &given, 1, 7, CPU_LEFT_IN_CALL);
    add(&stretch, &given, 2, 8, CPU_LEFT_IN_CALL);
    assert_false(cpu_stretch_is_over(&stretch, MS(1) + CPU_STRETCH_NS));
    assert_true(cpu_stretch_is_over(&stretch, MS(1) + CPU_STRETCH_MAX_NS));
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[1] + given.cpu_ns[2], 15);
    assert_int_equal(given.cpu_ns[1], 7);
    cpu_stretch_deinit(&stretch);
}

static void stretch_without_a_place_leaves_its_time_to_the_next(void **state)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

    (void)state;
    add(&stretch, &given, 1, 5, ASLEEP);
    end(&stretch, &given);
    assert_int_equal(given.sum_ns, 0);
    assert_int_equal(stretch.used_ns, 5);
    add(&stretch, &given, 2, 6, CPU_ON);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[2], 11);
    cpu_stretch_deinit(&stretch);
}

static void stretch_is_over_after_a_second_or_enough_samples(void **state)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};
    unsigned ms = 10;

    (void)state;
    assert_false(cpu_stretch_is_over(&stretch, MS(5)));
    add(&stretch, &given, ms, 1, CPU_LEFT_IN_CODE);
    assert_false(cpu_stretch_is_over(&stretch, MS(10) + CPU_STRETCH_NS - 1));
    assert_true(cpu_stretch_is_over(&stretch, MS(10) + CPU_STRETCH_NS));
    assert_false(cpu_stretch_is_over(&stretch, MS(9))); /* times of a thread may stand still */
    for (unsigned i = 0; i < CPU_STRETCH_ON; i++)
        add(&stretch, &given, ++ms, 1, CPU_ON);
    assert_true(cpu_stretch_is_over(&stretch, MS(ms)));
    end(&stretch, &given);
    assert_false(cpu_stretch_is_over(&stretch, MS(ms) + CPU_STRETCH_MAX_NS));
    cpu_stretch_deinit(&stretch);
}

/* Each place is told of once, whether it is kept or not, and all time is given. */
static void stretch_of_many_samples_keeps_some_of_all_its_time(void **state)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};
    unsigned with = 0, early = 0;

    (void)state;
    for (unsigned ms = 0; ms < 1000; ms++)
        add(&stretch, &given, ms, 1000, CPU_LEFT_IN_CODE);
    assert_true(stretch.ranks[CPU_LEFT_IN_CODE].count <= CPU_STRETCH_KEPT);
    end(&stretch, &given);
    assert_int_equal(given.sum_ns, 1000000);
    for (unsigned ms = 0; ms < 1000; ms++) {
        assert_int_equal(given.calls[ms], 1);
        with += given.cpu_ns[ms] > 0;
        early += given.cpu_ns[ms] > 0 && ms < 500;
    }
    assert_in_range(with, CPU_STRETCH_KEPT / 2, CPU_STRETCH_KEPT);
    assert_in_range(early, with / 2 - 1, with / 2 + 1);
    cpu_stretch_deinit(&stretch);
}

static enum status refuse(void *context, const struct cpu_place *place, uint64_t cpu_ns)
{
    (void)context;
    (void)place;
    (void)cpu_ns;
    return STATUS_IO;
}

static void stretch_hands_on_what_its_receiver_returns(void **state)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

    (void)state;
    add(&stretch, &given, 1, 1, CPU_ON);
    assert_int_equal(cpu_stretch_end(&stretch, refuse, NULL), STATUS_IO);
    cpu_stretch_deinit(&stretch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretch_is_shared_by_samples_on_a_cpu_alone_where_they_are_enough),
        cmocka_unit_test(stretch_with_few_on_a_cpu_is_shared_with_those_pushed_off_one),
        cmocka_unit_test(stretch_of_calls_alone_is_theirs),
        cmocka_unit_test(stretch_without_a_place_leaves_its_time_to_the_next),
        cmocka_unit_test(stretch_is_over_after_a_second_or_enough_samples),
        cmocka_unit_test(stretch_of_many_samples_keeps_some_of_all_its_time),
        cmocka_unit_test(stretch_hands_on_what_its_receiver_returns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
