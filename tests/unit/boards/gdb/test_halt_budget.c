/* SPDX-License-Identifier: MIT */
/* For how much of the time a target is halted, whatever its halts take. */
#include "unit_test.h"
#include "boards/gdb/halt_budget.h"

#define MS     UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)
#define FIVE   (5 * HALT_BUDGET_UNIT)

/* Halts as soon as that is permitted, each for what `take` says, for so long: how much in all. */
static void halt_for(struct halt_budget *budget, uint64_t seconds, uint64_t (*take)(unsigned))
{
    const uint64_t begin = budget->at_ns;
    uint64_t now = begin;

    for (unsigned i = 0; now < begin + seconds * SECOND; i++) {
        now = halt_budget_next(budget) > now ? halt_budget_next(budget) : now + MS / 10;
        now += take(i);
        halt_budget_spend(budget, now, take(i));
        if (i > 0) /* but for the one halt that nobody could foresee */
            assert_true((budget->total_ns - budget->worst_ns) * 20 <= now - begin);
    }
}

static uint64_t steady(unsigned i)
{
    return i ? 2 * MS : 8 * MS;
}

static uint64_t uneven(unsigned i)
{
    return i % 7 == 3 ? 30 * MS : MS / 2 + i % 5 * MS;
}

TEST(halts_are_the_share_and_no_more)
{
    struct halt_budget budget;

    halt_budget_init(&budget, FIVE, SECOND);
    halt_for(&budget, 20, steady);
    assert_in_range(budget.total_ns, 19 * SECOND / 20, SECOND);
    assert_int_equal(budget.worst_ns, 8 * MS);
    halt_budget_init(&budget, FIVE, SECOND);
    halt_for(&budget, 20, uneven);
    assert_in_range(budget.total_ns, SECOND / 2, SECOND + 30 * MS);
}

TEST(nothing_is_saved_up_for_long)
{
    struct halt_budget budget;

    halt_budget_init(&budget, FIVE, 0);
    halt_budget_spend(&budget, MS, MS);
    halt_budget_spend(&budget, 1000 * SECOND, MS);
    assert_true(budget.credit_ns <= (int64_t)(SECOND / 20));
}

TEST(long_halt_is_made_up_for)
{
    struct halt_budget budget;

    halt_budget_init(&budget, FIVE, 0);
    halt_budget_spend(&budget, 100 * MS, 100 * MS);
    assert_true(halt_budget_next(&budget) >= 100 * MS + 19 * 100 * MS);
}

TEST(without_a_limit_the_next_halt_may_begin_at_once)
{
    struct halt_budget budget;

    halt_budget_init(&budget, HALT_BUDGET_ALL, 0);
    halt_budget_spend(&budget, SECOND, SECOND);
    assert_int_equal(halt_budget_next(&budget), SECOND);
    assert_int_equal(halt_budget_period(&budget), 0);
}
