/* SPDX-License-Identifier: MIT */
/* How far apart rounds are so that a capture costs what it may. */
#include "capture/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)

static struct budget budget;

static void begin(uint32_t percent, uint64_t period_ns)
{
    const struct budget_use none = {0};

    budget_init(&budget, percent * BUDGET_UNIT, period_ns, &none);
}

static void within_the_limit_nothing_changes(void **state)
{
    const struct budget_use use = {.wall_ns = 1000 * MS,
                                   .idle_ns = 1000 * MS,
                                   .target_ns = 900 * MS,
                                   .held_ns = 14 * MS,
                                   .own_ns = 15 * MS};

    (void)state;
    begin(3, 10 * MS);
    assert_false(budget_is_due(&budget, 999 * MS));
    assert_true(budget_is_due(&budget, 1000 * MS));
    assert_int_equal(budget_check(&budget, &use, 10 * MS), 10 * MS);
    assert_false(budget.exceeded);
    assert_false(budget_is_due(&budget, 1999 * MS));
}

static void either_cost_makes_rounds_rarer(void **state)
{
    const struct budget_use held = {.wall_ns = 1000 * MS, .idle_ns = 1000 * MS, .held_ns = 60 * MS};
    const struct budget_use own = {.wall_ns = 1000 * MS, .idle_ns = 1000 * MS, .own_ns = 60 * MS};
    uint64_t period;

    (void)state;
    begin(3, 10 * MS);
    period = budget_check(&budget, &held, 10 * MS);
    assert_in_range(period, 23 * MS, 24 * MS); /* 2 / 0.85 as far apart */
    assert_true(budget.exceeded);
    begin(3, 10 * MS);
    assert_int_equal(budget_check(&budget, &own, 10 * MS), period);
}

/* Where no CPU is idle it costs twice as much, where one is for half the time, once and a half. */
static void without_an_idle_cpu_it_costs_twice(void **state)
{
    struct budget_use use = {.wall_ns = 1000 * MS, .held_ns = 10 * MS, .own_ns = 30 * MS};

    (void)state;
    begin(4, 10 * MS);
    assert_in_range(budget_check(&budget, &use, 10 * MS), 23 * MS, 24 * MS);
    assert_true(budget.exceeded);
    begin(4, 10 * MS);
    use.idle_ns = 500 * MS;
    assert_in_range(budget_check(&budget, &use, 10 * MS), 17 * MS, 18 * MS);
    begin(4, 10 * MS);
    use.idle_ns = 1000 * MS;
    assert_int_equal(budget_check(&budget, &use, 10 * MS), 10 * MS);
    assert_false(budget.exceeded);
}

/* A second, and what it cost: the rest may cost what a second may. */
static void time_without_a_capture_is_not_checked(void **state)
{
    const struct budget_use from = {.wall_ns = 200 * MS,
                                    .target_ns = 100 * MS,
                                    .held_ns = 2 * MS,
                                    .own_ns = 5 * MS,
                                    .signals_ns = 1 * MS,
                                    .signals = 50};
    const struct budget_use to = {.wall_ns = 1200 * MS,
                                  .target_ns = 900 * MS,
                                  .held_ns = 32 * MS,
                                  .own_ns = 45 * MS,
                                  .idle_ns = 1000 * MS,
                                  .signals_ns = 101 * MS,
                                  .signals = 5000};
    const struct budget_use use = {.wall_ns = 2000 * MS,
                                   .target_ns = 1700 * MS,
                                   .held_ns = 30 * MS + 5 * MS,
                                   .own_ns = 40 * MS + 25 * MS,
                                   .idle_ns = 1000 * MS,
                                   .signals_ns = 103 * MS,
                                   .signals = 5040};

    (void)state;
    begin(3, 10 * MS);
    budget_skip(&budget, &from, &to);
    assert_false(budget_is_due(&budget, 1999 * MS));
    assert_true(budget_is_due(&budget, 2000 * MS));
    /* 30 ms of 1,000, and no CPU was idle */
    assert_in_range(budget_check(&budget, &use, 10 * MS), 23 * MS, 24 * MS);
    assert_false(budget.signals_exceed);
}

static void cpu_time_of_many_threads_permits_more(void **state)
{
    const struct budget_use use = {.wall_ns = 1000 * MS,
                                   .idle_ns = 1000 * MS,
                                   .target_ns = 8000 * MS,
                                   .own_ns = 200 * MS};

    (void)state;
    begin(3, 10 * MS);
    assert_int_equal(budget_check(&budget, &use, 10 * MS), 10 * MS);
}

static void rounds_get_rarer_and_denser_by_steps(void **state)
{
    struct budget_use use = {.wall_ns = 1000 * MS, .idle_ns = 1000 * MS, .own_ns = 990 * MS};

    (void)state;
    begin(3, 10 * MS);
    assert_int_equal(budget_check(&budget, &use, 10 * MS), 80 * MS);
    use.wall_ns += 1000 * MS;
    use.idle_ns += 1000 * MS; /* and nothing used */
    assert_int_equal(budget_check(&budget, &use, 80 * MS), 40 * MS);
    use.wall_ns += 1000 * MS;
    use.idle_ns += 1000 * MS;
    assert_int_equal(budget_check(&budget, &use, 12 * MS), 10 * MS);
    use.wall_ns += 1000 * MS;
    use.idle_ns += 1000 * MS;
    use.own_ns += 1000 * MS;
    assert_int_equal(budget_check(&budget, &use, 1900 * MS), 2000 * MS);
}

/* A process that ends takes its CPU time with it. */
static void time_that_shrinks_is_none(void **state)
{
    struct budget_use use = {.wall_ns = 1000 * MS, .idle_ns = 1000 * MS, .target_ns = 5000 * MS};

    (void)state;
    begin(3, 10 * MS);
    assert_int_equal(budget_check(&budget, &use, 10 * MS), 10 * MS);
    use = (struct budget_use){.wall_ns = 2000 * MS,
                              .idle_ns = 2000 * MS,
                              .target_ns = 100 * MS,
                              .own_ns = 29 * MS};
    assert_int_equal(budget_check(&budget, &use, 10 * MS), 10 * MS);
}

/* They do not go with the rounds, which stay as they are. */
static void signals_may_cost_an_eighth(void **state)
{
    const struct budget_use little = {.wall_ns = 1000 * MS, .signals_ns = 3 * MS, .signals = 1000};
    const struct budget_use few = {.wall_ns = 2000 * MS, .signals_ns = 503 * MS, .signals = 1099};
    const struct budget_use more = {.wall_ns = 3000 * MS, .signals_ns = 507 * MS, .signals = 1199};
    const struct budget_use none = {.wall_ns = 4000 * MS, .signals_ns = 507 * MS, .signals = 1199};

    (void)state;
    begin(3, 10 * MS);
    assert_int_equal(budget_check(&budget, &little, 10 * MS), 10 * MS);
    assert_false(budget.signals_exceed);
    assert_int_equal(budget_check(&budget, &few, 10 * MS), 10 * MS);
    assert_false(budget.signals_exceed);
    assert_int_equal(budget_check(&budget, &more, 10 * MS), 10 * MS);
    assert_true(budget.signals_exceed);
    assert_int_equal(budget_check(&budget, &none, 10 * MS), 10 * MS);
    assert_true(budget.signals_exceed);
    assert_false(budget.exceeded);
}

static void without_a_limit_nothing_is_due(void **state)
{
    (void)state;
    begin(100, 10 * MS);
    assert_false(budget_is_due(&budget, 100000 * MS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_the_limit_nothing_changes),
        cmocka_unit_test(either_cost_makes_rounds_rarer),
        cmocka_unit_test(without_an_idle_cpu_it_costs_twice),
        cmocka_unit_test(time_without_a_capture_is_not_checked),
        cmocka_unit_test(cpu_time_of_many_threads_permits_more),
        cmocka_unit_test(rounds_get_rarer_and_denser_by_steps),
        cmocka_unit_test(time_that_shrinks_is_none),
        cmocka_unit_test(signals_may_cost_an_eighth),
        cmocka_unit_test(without_a_limit_nothing_is_due),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
