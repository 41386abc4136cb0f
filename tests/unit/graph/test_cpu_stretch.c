/* SPDX-License-Identifier: MIT */
/* Where a thread's CPU time of a second goes. */
#include "unit_test.h"
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
    assert_int_equal(cpu_stretch_end(stretch, false, give, given), STATUS_OK);
}

static void tick(struct cpu_stretch *stretch, struct given *given, unsigned number,
                 uint64_t period_ns)
{
    const struct cpu_place place = {.number = number, .period_ns = period_ns};

    assert_int_equal(cpu_stretch_add(stretch, CPU_ON, &place, give, given), STATUS_OK);
}

TEST(stretch_is_shared_by_samples_on_a_cpu_alone_where_they_are_enough)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

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

TEST(stretch_with_few_on_a_cpu_is_shared_with_those_pushed_off_one)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

    add(&stretch, &given, 1, 30, CPU_ON);
    add(&stretch, &given, 2, 20, CPU_LEFT_IN_CALL);
    add(&stretch, &given, 3, 10, CPU_LEFT_IN_CODE);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[1], 30);
    assert_int_equal(given.cpu_ns[2], 0);
    assert_int_equal(given.cpu_ns[3], 30);
    cpu_stretch_deinit(&stretch);
}

TEST(stretch_of_calls_alone_is_theirs)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

    add(&stretch, &given, 1, 7, CPU_LEFT_IN_CALL);
    add(&stretch, &given, 2, 8, CPU_LEFT_IN_CALL);
    assert_false(cpu_stretch_is_over(&stretch, MS(1) + CPU_STRETCH_NS));
    assert_true(cpu_stretch_is_over(&stretch, MS(1) + CPU_STRETCH_MAX_NS));
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[1] + given.cpu_ns[2], 15);
    assert_int_equal(given.cpu_ns[1], 7);
    cpu_stretch_deinit(&stretch);
}

TEST(stretch_without_a_place_leaves_its_time_to_the_next)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

    add(&stretch, &given, 1, 5, ASLEEP);
    end(&stretch, &given);
    assert_int_equal(given.sum_ns, 0);
    assert_int_equal(stretch.used_ns, 5);
    add(&stretch, &given, 2, 6, CPU_ON);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[2], 11);
    cpu_stretch_deinit(&stretch);
}

TEST(stretch_is_over_after_a_second_or_enough_samples)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};
    unsigned ms = 10;

    assert_false(cpu_stretch_is_over(&stretch, MS(5)));
    add(&stretch, &given, ms, 1, CPU_LEFT_IN_CODE);
    assert_false(cpu_stretch_is_over(&stretch, MS(10) + CPU_STRETCH_NS - 1));
    assert_true(cpu_stretch_is_over(&stretch, MS(10) + CPU_STRETCH_NS));
    assert_false(cpu_stretch_is_over(&stretch, MS(9))); /* times of a thread may stand still */
    for (unsigned i = 0; i < CPU_STRETCH_ON; i++)
        add(&stretch, &given, ++ms, 1, CPU_ON);
    assert_true(cpu_stretch_is_over(&stretch, MS(ms)));
    end(&stretch, &given);
    assert_false(cpu_stretch_is_over(&stretch, MS(ms)));
    cpu_stretch_deinit(&stretch);
}

/* Each place is told of once, whether it is kept or not, and all time is given. */
TEST(stretch_of_many_samples_keeps_some_of_all_its_time)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};
    unsigned with = 0, early = 0;

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

/* Behind a thread's first stretch ticks have all that was used, by their periods. */
TEST(stretch_is_shared_by_ticks_by_their_periods)
{
    struct cpu_stretch stretch = {.before_ns = 1};
    struct given given = {.sum_ns = 0};

    tick(&stretch, &given, 1, 100);
    tick(&stretch, &given, 2, 300);
    add(&stretch, &given, 3, 600, ASLEEP);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[1], 150);
    assert_int_equal(given.cpu_ns[2], 450);
    assert_int_equal(stretch.used_ns, 0);
    assert_int_equal(stretch.debt_ns, 0);
    cpu_stretch_deinit(&stretch);
}

/* One that lives for little more than a tick stands for others that none has found. */
TEST(stretch_of_a_first_tick_is_near_its_period)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

    tick(&stretch, &given, 1, 1000);
    add(&stretch, &given, 2, 500, ASLEEP);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[1], 900); /* (500 + 4000) / 5000 */
    assert_int_equal(stretch.debt_ns, 400);
    /* What follows pays for it. */
    tick(&stretch, &given, 3, 1000);
    add(&stretch, &given, 4, 1500, ASLEEP);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[3], 1100);
    assert_int_equal(stretch.debt_ns, 0);
    cpu_stretch_deinit(&stretch);
}

TEST(stretch_gives_no_tick_more_than_four_periods)
{
    struct cpu_stretch stretch = {.before_ns = 1};
    struct given given = {.sum_ns = 0};

    tick(&stretch, &given, 1, 100);
    add(&stretch, &given, 2, 1000, ASLEEP);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[1], 400);
    assert_int_equal(stretch.used_ns, 600);
    tick(&stretch, &given, 3, 100);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[3], 400);
    tick(&stretch, &given, 4, 100);
    tick(&stretch, &given, 5, 100);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[4] + given.cpu_ns[5], 200);
    /* Nor less than a quarter of one. */
    tick(&stretch, &given, 6, 100);
    end(&stretch, &given);
    assert_int_equal(given.cpu_ns[6], 25);
    assert_int_equal(stretch.debt_ns, 25);
    cpu_stretch_deinit(&stretch);
}

/* At a thread's end no sample tells what was used behind the last one: its ticks do. */
TEST(stretch_that_is_the_last_counts_ticks_behind_its_last_sample)
{
    struct cpu_stretch stretch = {.before_ns = 1};
    struct given given = {.sum_ns = 0};

    tick(&stretch, &given, 1, 100);
    add(&stretch, &given, 2, 100, ASLEEP);
    tick(&stretch, &given, 3, 100);
    assert_int_equal(cpu_stretch_end(&stretch, true, give, &given), STATUS_OK);
    assert_int_equal(given.cpu_ns[1] + given.cpu_ns[3], 200);
    cpu_stretch_deinit(&stretch);
}

/* Periods are the snapshot's, and may be any numbers. */
TEST(stretch_of_impossible_periods_gives_no_more_than_there_is_room_for)
{
    struct cpu_stretch stretch = {.before_ns = 1};
    struct given given = {.sum_ns = 0};

    for (unsigned i = 0; i < 3; i++)
        tick(&stretch, &given, i, UINT64_MAX);
    add(&stretch, &given, 9, UINT64_MAX, ASLEEP);
    end(&stretch, &given);
    assert_true(given.cpu_ns[0] > 0);
    assert_true(given.sum_ns <= UINT64_MAX / 2);
    cpu_stretch_deinit(&stretch);
}

static enum status refuse(void *context, const struct cpu_place *place, uint64_t cpu_ns)
{
    (void)context;
    (void)place;
    (void)cpu_ns;
    return STATUS_IO;
}

TEST(stretch_hands_on_what_its_receiver_returns)
{
    struct cpu_stretch stretch = {.used_ns = 0};
    struct given given = {.sum_ns = 0};

    add(&stretch, &given, 1, 1, CPU_ON);
    assert_int_equal(cpu_stretch_end(&stretch, false, refuse, NULL), STATUS_IO);
    cpu_stretch_deinit(&stretch);
}
