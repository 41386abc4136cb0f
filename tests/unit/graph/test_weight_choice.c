/* SPDX-License-Identifier: MIT */
/* Which weight is shown where nobody asks for one. */
#include "graph_fixture.h"

#include "graph/weight_choice.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .module = 1, .start = 0x1000, .file = "x.c", .line = 10},
    {"f", .module = 1, .start = 0x2000, .file = "x.c", .line = 20},
    {0},
};

#define SECOND UINT64_C(1000000000)

static void weigh(struct fixture *f, char state, struct weights weights)
{
    fixture_weigh(f, "t", 1, "main f", state, weights);
}

static void assert_choice(const struct fixture *f, const struct graph_filter *filter,
                          const struct capture_account *own, uint64_t duration_ns,
                          enum weight_kind weight, enum weight_reason reason)
{
    const struct weight_choice choice = weight_choose(f->profile, filter, own, NULL, duration_ns);

    assert_int_equal(choice.weight, weight);
    assert_int_equal(choice.reason, reason);
}

TEST_OF(choice_of_what_has_no_times_is_samples, fixture, f, FUNCTIONS)
{
    weigh(f, 'S', (struct weights){.value = {[WEIGHT_SAMPLES] = 5}});
    assert_choice(f, NULL, NULL, 0, WEIGHT_SAMPLES, WEIGHT_GIVEN);
    weigh(f, 'S', (struct weights){.value = {[WEIGHT_OFFCPU] = 5}});
    assert_choice(f, NULL, NULL, 0, WEIGHT_OFFCPU, WEIGHT_GIVEN);
    weigh(f, 'S', (struct weights){.value = {[WEIGHT_WALL] = 5}});
    assert_choice(f, NULL, NULL, 0, WEIGHT_WALL, WEIGHT_GIVEN);
}

/* A process's clock went on, and nobody saw where: as in one round. */
TEST_OF(choice_of_what_no_sample_stands_for_is_another, fixture, f, FUNCTIONS)
{
    const struct capture_account unplaced = {.cpu = {.used_ns = SECOND}};

    weigh(f, 'R', (struct weights){.value = {[WEIGHT_CPU] = SECOND}});
    weigh(f, 'S', (struct weights){.value = {[WEIGHT_SAMPLES] = 5}});
    assert_choice(f, NULL, &unplaced, 0, WEIGHT_SAMPLES, WEIGHT_GIVEN);
    weigh(f, 'S', (struct weights){.value = {[WEIGHT_WALL] = SECOND}});
    assert_choice(f, NULL, &unplaced, SECOND, WEIGHT_WALL, WEIGHT_FEW_RUNNING);
}

TEST_OF(choice_of_what_ran_is_cpu_time, fixture, f, FUNCTIONS)
{
    const struct capture_account enough = {.cpu = {.places = WEIGHT_CHOICE_PLACES}};
    const struct capture_account ticks = {.cpu = {.ticks = WEIGHT_CHOICE_PLACES}};
    const struct capture_account few = {.cpu = {.places = WEIGHT_CHOICE_PLACES - 1}};

    weigh(f, 'R', (struct weights){.value = {5, SECOND, SECOND / 10}});
    weigh(f, 'S', (struct weights){.value = {500, 9 * SECOND}});
    assert_choice(f, NULL, &enough, 10 * SECOND, WEIGHT_CPU, WEIGHT_IS_HOT);
    assert_choice(f, NULL, &ticks, 10 * SECOND, WEIGHT_CPU, WEIGHT_IS_HOT);
    assert_choice(f, NULL, NULL, 0, WEIGHT_CPU, WEIGHT_IS_HOT);
    assert_choice(f, NULL, &few, 10 * SECOND, WEIGHT_WALL, WEIGHT_FEW_RUNNING);
    /* A tenth of a second is one percent of ten, and less of more. */
    assert_choice(f, NULL, &enough, 11 * SECOND, WEIGHT_WALL, WEIGHT_HARDLY_RAN);
}

/* As of perf.data of the CPU's clock: there is nothing else to show. */
TEST_OF(choice_of_cpu_time_alone_is_that, fixture, f, FUNCTIONS)
{
    weigh(f, 'R', (struct weights){.value = {[WEIGHT_SAMPLES] = 1, [WEIGHT_CPU] = 7}});
    assert_choice(f, NULL, NULL, 10 * SECOND, WEIGHT_CPU, WEIGHT_GIVEN);
}

TEST_OF(choice_of_what_has_no_sample_for_the_most_part_is_wall_time, fixture, f, FUNCTIONS)
{
    const struct capture_account half = {
        .cpu = {.places = 20, .used_ns = SECOND, .placed_ns = SECOND / 2}};
    const struct capture_account less = {
        .cpu = {.places = 20, .used_ns = SECOND, .placed_ns = SECOND / 2 - 1}};

    weigh(f, 'R', (struct weights){.value = {5, SECOND, SECOND}});
    assert_int_equal(weight_choose(f->profile, NULL, &half, NULL, SECOND).weight, WEIGHT_CPU);
    assert_int_equal(weight_choose(f->profile, NULL, &less, NULL, SECOND).reason,
                     WEIGHT_FEW_RUNNING);
}

TEST_OF(choice_of_sleepers_is_wall_time, fixture, f, FUNCTIONS)
{
    struct graph_filter filter = {0};
    struct diag diag;

    weigh(f, 'R', (struct weights){.value = {5, SECOND, SECOND}});
    weigh(f, 'S', (struct weights){.value = {5, SECOND}});
    assert_int_equal(graph_filter_set_states(&filter, "blocked", &diag), STATUS_OK);
    assert_choice(f, &filter, NULL, SECOND, WEIGHT_WALL, WEIGHT_GIVEN);
    assert_int_equal(graph_filter_set_states(&filter, "running,sleeping", &diag), STATUS_OK);
    assert_choice(f, &filter, NULL, SECOND, WEIGHT_CPU, WEIGHT_IS_HOT);
    graph_filter_deinit(&filter);
}

TEST_OF(choice_in_a_comparison_is_what_both_have, fixture, f, FUNCTIONS)
{
    weigh(f, 'R', (struct weights){.value = {5, SECOND, SECOND}});
    profile_weigh_base(f->profile, true);
    weigh(f, 'R', (struct weights){.value = {5, SECOND}});
    assert_choice(f, NULL, NULL, SECOND, WEIGHT_WALL, WEIGHT_GIVEN);
    weigh(f, 'R', (struct weights){.value = {[WEIGHT_CPU] = 1}});
    assert_choice(f, NULL, NULL, SECOND, WEIGHT_CPU, WEIGHT_IS_HOT);
    profile_weigh_base(f->profile, false);
}

/* The baseline is one round: a clock went on, and no sample stands for that. */
TEST_OF(choice_in_a_comparison_is_what_has_a_place_in_both, fixture, f, FUNCTIONS)
{
    const struct capture_account unplaced = {.cpu = {.used_ns = SECOND}};
    struct weight_choice choice;

    weigh(f, 'R', (struct weights){.value = {5, SECOND, SECOND}});
    profile_weigh_base(f->profile, true);
    weigh(f, 'R', (struct weights){.value = {[WEIGHT_SAMPLES] = 5, [WEIGHT_CPU] = SECOND}});
    choice = weight_choose(f->profile, NULL, NULL, &unplaced, SECOND);
    assert_int_equal(choice.weight, WEIGHT_SAMPLES);
    weigh(f, 'R', (struct weights){.value = {[WEIGHT_WALL] = SECOND}});
    choice = weight_choose(f->profile, NULL, NULL, &unplaced, SECOND);
    assert_int_equal(choice.weight, WEIGHT_WALL);
    profile_weigh_base(f->profile, false);
}

/* A profile tells its counts itself: none of them costs time or overflows. */
TEST(worth_of_impossible_counts_has_a_limit)
{
    const struct capture_account endless = {
        .cpu = {.places = UINT64_MAX, .ticks = UINT64_MAX, .placed_ns = UINT64_MAX}};
    const struct capture_account alike = {
        .cpu = {.ticks = 4, .placed_ns = 40000, .squares_us2 = 400, .by_clock = true}};
    const struct capture_account unlike = {
        .cpu = {.ticks = 4, .placed_ns = 40000, .squares_us2 = 1600, .by_clock = true}};

    assert_in_range(weight_worth(&endless), 1, UINT64_MAX / 2);
    assert_int_equal(weight_worth(&alike), 4);
    assert_int_equal(weight_worth(&unlike), 1);
}
