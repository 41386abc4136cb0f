/* SPDX-License-Identifier: MIT */
/* How far apart rounds are so that a capture costs what it may. */
#include "capture/budget.h"

#include "unit_test.h"

#define MS   1e6
#define HZ99 (1000 * MS / 99)

/* A target, of which a round costs so much, and what was captured of it. */
struct scene {
    struct budget budget;
    struct budget_use use;
    double round_ns;    /* what a round costs; */
    double first_ns;    /* the first one more */
    double target_cpus; /* so many CPUs the target uses, */
    double idle_cpus;   /* and so many are idle */
    unsigned rounds, changes;
    double changed_ns[16]; /* when another period was kept */
};

static struct scene scene_of(uint32_t percent, double period_ns, double round_ns)
{
    struct scene scene = {.round_ns = round_ns, .first_ns = 200 * MS, .idle_cpus = 1};

    budget_init(&scene.budget, percent * BUDGET_UNIT, period_ns);
    return scene;
}

static double kept(const struct budget *budget)
{
    return budget->state == BUDGET_KEPT ? budget->period_ns : 0;
}

static void one_round(struct scene *scene)
{
    struct budget_use *use = &scene->use;
    const double before_ns = kept(&scene->budget);

    if (budget_begin_round(&scene->budget, use->of[BUDGET_WALL], use->of[BUDGET_SPENT]))
        budget_check(&scene->budget, use);
    if (kept(&scene->budget) > before_ns || kept(&scene->budget) < before_ns) {
        assert_in_range(scene->changes, 0, 15);
        scene->changed_ns[scene->changes++] = use->of[BUDGET_WALL];
    }
    use->of[BUDGET_SPENT] += scene->round_ns + (scene->rounds++ ? 0 : scene->first_ns);
    use->of[BUDGET_WALL] += scene->budget.period_ns;
    use->of[BUDGET_TARGET] += scene->budget.period_ns * scene->target_cpus;
    use->of[BUDGET_IDLE] += scene->budget.period_ns * scene->idle_cpus;
}

static void run_until(struct scene *scene, double wall_ns)
{
    while (scene->use.of[BUDGET_WALL] < wall_ns)
        one_round(scene);
}

static void assert_about(double value, double wanted)
{
    assert_true(value > wanted * 0.98 && value < wanted * 1.02);
}

/* The first one copies all, which is no measure. */
TEST(cheap_rounds_are_recognised_by_the_first_ones)
{
    struct scene scene = scene_of(3, HZ99, 0.1 * MS);

    assert_true(scene.budget.period_ns > 2 * HZ99);
    run_until(&scene, 10000 * MS);
    assert_int_equal(scene.changes, 1);
    assert_true(scene.changed_ns[0] <= 120 * MS);
    assert_about(scene.budget.period_ns, HZ99);
    assert_false(scene.budget.exceeded);
}

TEST(without_a_limit_the_rate_is_kept_at_once)
{
    struct scene scene = scene_of(100, 1 * MS, 10 * MS);

    assert_about(scene.budget.period_ns, 1 * MS);
    assert_int_equal(scene.budget.state, BUDGET_KEPT);
}

/* 0.85 of 30 ms in a second have room for 25 rounds; before that is known there are fewer. */
TEST(dear_rounds_are_measured_and_one_rate_is_kept)
{
    struct scene scene = scene_of(3, 1 * MS, 1 * MS);

    run_until(&scene, 1000 * MS);
    assert_in_range(scene.rounds, 10, 25);
    run_until(&scene, 60000 * MS);
    assert_int_equal(scene.changes, 1);
    assert_true(scene.changed_ns[0] <= 700 * MS);
    assert_about(scene.budget.period_ns, 1000 * MS / 25.5);
    assert_true(scene.budget.exceeded);
}

TEST(without_an_idle_cpu_it_costs_twice)
{
    struct scene none = scene_of(3, 1 * MS, 1 * MS), half = none;

    none.idle_cpus = 0;
    half.idle_cpus = 0.5;
    run_until(&none, 3000 * MS);
    run_until(&half, 3000 * MS);
    assert_about(none.budget.period_ns, 2 * 1000 * MS / 25.5);
    assert_about(half.budget.period_ns, 1.5 * 1000 * MS / 25.5);
}

TEST(cpu_time_of_many_threads_permits_more)
{
    struct scene scene = scene_of(3, HZ99, 1 * MS);

    scene.target_cpus = 8;
    run_until(&scene, 3000 * MS);
    assert_about(scene.budget.period_ns, HZ99);
}

/* Some have something to do that the others have not, as where a program begins. */
TEST(some_dear_rounds_change_nothing)
{
    struct scene scene = scene_of(3, 1 * MS, 1 * MS);
    unsigned before;

    run_until(&scene, 200 * MS);
    scene.use.of[BUDGET_SPENT] += 4 * MS;
    run_until(&scene, 400 * MS);
    scene.use.of[BUDGET_SPENT] += 3 * MS;
    run_until(&scene, 10000 * MS);
    assert_about(scene.budget.period_ns, 1000 * MS / 25.5);
    before = scene.changes;
    assert_in_range(before, 1, 2); /* it was measured a little too dear */
    scene.use.of[BUDGET_SPENT] += 100 * MS;
    run_until(&scene, 20000 * MS);
    assert_int_equal(scene.changes, before);
}

TEST(a_gross_cost_is_slowed_within_a_second)
{
    struct scene scene = scene_of(3, 1 * MS, 1 * MS);

    run_until(&scene, 10000 * MS);
    scene.round_ns = 5 * MS;
    run_until(&scene, 11000 * MS);
    assert_int_equal(scene.changes, 2);
    run_until(&scene, 60000 * MS);
    assert_int_equal(scene.changes, 2);
    assert_about(scene.budget.period_ns, 5 * 1000 * MS / 25.5);
}

TEST(a_small_excess_is_slowed_after_some_seconds)
{
    struct scene scene = scene_of(3, 1 * MS, 1 * MS);

    run_until(&scene, 10000 * MS);
    scene.round_ns = 1.4 * MS;
    run_until(&scene, 12000 * MS);
    assert_int_equal(scene.changes, 1);
    run_until(&scene, 16000 * MS);
    assert_int_equal(scene.changes, 2);
    assert_about(scene.budget.period_ns, 1.4 * 1000 * MS / 25.5);
}

TEST(what_costs_little_for_long_gets_more_rounds)
{
    struct scene scene = scene_of(3, HZ99, 1 * MS);

    run_until(&scene, 10000 * MS);
    scene.round_ns = 0.5 * MS;
    run_until(&scene, 13000 * MS);
    assert_int_equal(scene.changes, 1);
    run_until(&scene, 17000 * MS);
    assert_int_equal(scene.changes, 2);
    /* What the dearest of these seconds permits: in the first one rounds still cost more. */
    assert_true(scene.budget.period_ns > 0.49 * 1000 * MS / 25.5);
    assert_true(scene.budget.period_ns < 0.7 * 1000 * MS / 25.5);
}

/* A load that comes and goes each second is not followed. */
TEST(the_rate_does_not_swing_with_the_load)
{
    struct scene scene = scene_of(3, 1 * MS, 1 * MS);

    for (unsigned second = 1; second < 60; second++) {
        scene.round_ns = (second & 1 ? 0.7 : 1.1) * MS;
        run_until(&scene, second * 1000 * MS);
    }
    assert_in_range(scene.changes, 1, 2);
}

/* Below a round in two seconds it does not go. */
TEST(rounds_are_no_rarer_than_each_two_seconds)
{
    struct scene scene = scene_of(3, HZ99, 500 * MS);

    run_until(&scene, 100000 * MS);
    assert_about(scene.budget.period_ns, 2000 * MS);
}

TEST(a_rarer_rate_that_was_asked_for_is_kept)
{
    struct scene scene = scene_of(3, 5000 * MS, 500 * MS);

    assert_about(scene.budget.period_ns, 5000 * MS);
    run_until(&scene, 100000 * MS);
    assert_about(scene.budget.period_ns, 5000 * MS);
}

/* However often: what is captured in between is a second in the end. */
TEST(time_without_a_capture_is_not_checked)
{
    struct scene scene = scene_of(3, 1 * MS, 1 * MS);

    run_until(&scene, 300 * MS);
    for (unsigned i = 0; i < 40; i++) {
        const struct budget_use from = scene.use;

        scene.use.of[BUDGET_WALL] += 500 * MS;
        scene.use.of[BUDGET_SPENT] += 400 * MS;
        scene.use.of[BUDGET_SIGNAL_TIME] += 400 * MS;
        scene.use.of[BUDGET_SIGNALS] += 5000;
        budget_skip(&scene.budget, &from, &scene.use);
        run_until(&scene, scene.use.of[BUDGET_WALL] + 300 * MS);
        if (i == 9)
            scene.round_ns = 1.6 * MS;
    }
    assert_int_equal(scene.changes, 2);
    assert_about(scene.budget.period_ns, 1.6 * 1000 * MS / 25.5);
    assert_false(scene.budget.signals_exceed);
}

/* A process that ends takes its CPU time with it. */
TEST(time_that_shrinks_is_none)
{
    struct scene scene = scene_of(3, HZ99, 0.1 * MS);

    scene.use.of[BUDGET_TARGET] = 5000 * MS;
    run_until(&scene, 5000 * MS);
    scene.use.of[BUDGET_TARGET] = 0;
    run_until(&scene, 10000 * MS);
    assert_int_equal(scene.changes, 1);
    assert_about(scene.budget.period_ns, HZ99);
}

/* More signals than that, and time for them, in the second before. */
static bool are_many(struct scene *scene, double signals, double signals_ns)
{
    scene->use.of[BUDGET_SIGNALS] += signals;
    scene->use.of[BUDGET_SIGNAL_TIME] += signals_ns;
    run_until(scene, scene->use.of[BUDGET_WALL] + 2000 * MS);
    return scene->budget.signals_exceed;
}

/* They do not go with the rounds. */
TEST(signals_may_cost_an_eighth)
{
    struct scene scene = scene_of(3, HZ99, 0.1 * MS);

    run_until(&scene, 2000 * MS);
    assert_false(are_many(&scene, 1000, 3 * MS));
    assert_false(are_many(&scene, 90, 500 * MS));
    assert_int_equal(scene.changes, 1);
    assert_true(are_many(&scene, 1000, 10 * MS));
    assert_true(are_many(&scene, 0, 0));
    assert_int_equal(scene.changes, 3); /* they were measured anew */
    assert_about(scene.budget.period_ns, HZ99);
}
