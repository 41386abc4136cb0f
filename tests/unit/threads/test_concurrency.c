/* SPDX-License-Identifier: MIT */
/* How many threads ran at once: shares of the time, averages, and their course. */
#include "threads/concurrency.h"
#include "timeline_fixture.h"

/* The first thread is looked at while it is idle, ten times. */
static void begin_every(struct scene *scene, uint64_t period_ns)
{
    scene_sample(scene, SCENE_PID, 0, 'S', 0, "main futex");
    for (uint64_t i = 1; i <= 10; i++)
        scene_repeat(scene, SCENE_PID, i * period_ns);
}

static void begin(struct scene *scene)
{
    begin_every(scene, 100);
}

/* A thread that uses `per_cent` of each of ten intervals. */
static void add_thread(struct scene *scene, uint32_t tid, uint64_t per_cent)
{
    scene_thread(scene, tid, "worker", 0);
    for (uint64_t t = 0; t <= 1000; t += 100)
        scene_sample(scene, tid, t, 'R', t ? per_cent : 0, "start worker f");
}

static struct concurrency find_at(struct scene *scene, uint64_t period_ns)
{
    struct concurrency found;

    scene_finish(scene, period_ns);
    assert_int_equal(concurrency_create(scene->timeline, &found), STATUS_OK);
    return found;
}

static struct concurrency find(struct scene *scene)
{
    return find_at(scene, 100);
}

TEST_OF(nothing_that_runs_is_level_zero_all_the_time, scene, scene)
{
    struct concurrency found;

    begin(scene);
    found = find(scene);
    assert_int_equal(found.level_count, 1);
    assert_int_equal(found.level_ns[0], 1000);
    assert_int_equal(found.total_ns, 1000);
    assert_int_equal(found.cpu_ns, 0);
    concurrency_deinit(&found);
}

TEST_OF(the_average_is_exact_and_spread_least, scene, scene)
{
    struct concurrency found;

    begin(scene);
    add_thread(scene, 8, 100);
    add_thread(scene, 9, 25);
    found = find(scene);
    assert_int_equal(found.level_count, 3);
    assert_int_equal(found.level_ns[0], 0);
    assert_int_equal(found.level_ns[1], 750);
    assert_int_equal(found.level_ns[2], 250);
    assert_int_equal(found.cpu_ns, 1250);
    concurrency_deinit(&found);
}

/* 8 runs from 0 to 400, 9 from 200 to 600. */
TEST_OF(levels_follow_the_threads, scene, scene)
{
    struct concurrency found;

    begin(scene);
    scene_thread(scene, 8, "a", 0);
    scene_thread(scene, 9, "b", 0);
    scene_sample(scene, 8, 0, 'R', 0, "start worker f");
    scene_sample(scene, 9, 0, 'S', 0, "start worker futex");
    for (uint64_t t = 100; t <= 400; t += 100)
        scene_sample(scene, 8, t, t < 400 ? 'R' : 'S', 100, t % 200 ? "f" : "g");
    scene_sample(scene, 9, 200, 'R', 0, "start worker f");
    for (uint64_t t = 300; t <= 600; t += 100)
        scene_sample(scene, 9, t, t < 600 ? 'R' : 'S', 100, "start worker f");
    found = find(scene);
    assert_int_equal(found.level_count, 3);
    assert_int_equal(found.level_ns[0], 400);
    assert_int_equal(found.level_ns[1], 400);
    assert_int_equal(found.level_ns[2], 200);
    concurrency_deinit(&found);
}

/* Whatever the threads do and the numbers are. */
TEST_OF(shares_add_up, scene, scene)
{
    struct concurrency found;
    uint64_t sum_ns = 0, at_ns, seed = 1;

    for (uint32_t tid = 10; tid < 60; tid++) {
        scene_thread(scene, tid, "worker", tid * 1000);
        at_ns = tid * 1000;
        for (int i = 0; i < 40; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            scene_sample(scene, tid, at_ns, "RS"[seed >> 62 & 1], seed >> 33, "start worker f");
            at_ns += seed >> 33;
        }
    }
    found = find_at(scene, 1000000000);
    for (size_t i = 0; i < found.level_count; i++)
        sum_ns += found.level_ns[i];
    assert_int_equal(sum_ns, found.total_ns);
    assert_int_equal(found.total_ns, scene->timeline->end_ns - scene->timeline->start_ns);
    assert_true(found.level_count > 2 && found.level_count <= 51);
    concurrency_deinit(&found);
}

TEST_OF(bins_are_averages_of_their_time, scene, scene)
{
    struct concurrency_bin bins[3], one;

    begin_every(scene, 1000000);
    scene_thread(scene, 8, "a", 0);
    scene_sample(scene, 8, 0, 'R', 0, "start worker f");
    scene_sample(scene, 8, 1000000, 'R', 400000, "start worker f/20");
    scene_sample(scene, 8, 5000000, 'S', 4000000, "start worker futex");
    scene_finish(scene, 1000000);
    assert_int_equal(concurrency_bins(scene->timeline, bins, 3), STATUS_OK);
    /*
     * Of 333: 100 with 0.4 that run and 0.6 that do not, 233 with one; 167 of 333 with one; none.
     */
    assert_in_range(bins[0].running, 819 * CONCURRENCY_ONE / 1000, 820 * CONCURRENCY_ONE / 1000);
    assert_in_range(bins[0].ready, 180 * CONCURRENCY_ONE / 1000, 181 * CONCURRENCY_ONE / 1000);
    assert_in_range(bins[1].running, 500 * CONCURRENCY_ONE / 1000, 501 * CONCURRENCY_ONE / 1000);
    assert_int_equal(bins[1].ready, 0);
    assert_int_equal(bins[2].running, 0);
    assert_int_equal(concurrency_bins(scene->timeline, &one, 1), STATUS_OK);
    assert_in_range(one.running, 439 * CONCURRENCY_ONE / 1000, 440 * CONCURRENCY_ONE / 1000);
}

/* More bins than nanoseconds: those without a length are of nothing. */
TEST_OF(bins_may_be_shorter_than_the_clock_tells, scene, scene)
{
    struct concurrency_bin bins[5000];
    uint64_t sum = 0;

    begin(scene);
    add_thread(scene, 8, 100);
    scene_finish(scene, 100);
    assert_int_equal(concurrency_bins(scene->timeline, bins, 5000), STATUS_OK);
    for (size_t i = 0; i < 5000; i++)
        sum += bins[i].running;
    assert_int_equal(sum, 1000 * CONCURRENCY_ONE);
}

TEST(the_average_is_in_hundredths)
{
    const struct concurrency found = {.total_ns = 1000000000, .cpu_ns = 1750000000};

    assert_int_equal(concurrency_average(&found), 175);
}

/* 8 runs until 500, half of the time then. Of 0-400 half counts, of 800-1200, too. */
TEST_OF(bins_of_a_width_count_what_is_inside, scene, scene)
{
    struct concurrency_bin bins[4];

    begin(scene);
    scene_thread(scene, 8, "worker", 0);
    for (uint64_t t = 0; t <= 1000; t += 100)
        scene_sample(scene, 8, t, 'R',
                     t == 0     ? 0
                     : t <= 500 ? 100
                                : 50,
                     t <= 500 ? "start worker f" : "start worker g");
    scene_finish(scene, 100);
    scene->timeline->start_ns = 200; /* as of a part of a capture */
    assert_int_equal(concurrency_bins_of_width(scene->timeline, 0, 400, bins, 4), STATUS_OK);
    assert_int_equal(bins[0].running, CONCURRENCY_ONE);
    assert_int_equal(bins[1].running, (100 * CONCURRENCY_ONE + 300 * CONCURRENCY_ONE / 2) / 400);
    assert_int_equal(bins[2].running, CONCURRENCY_ONE / 2);
    assert_int_equal(bins[3].running, 0);
}
