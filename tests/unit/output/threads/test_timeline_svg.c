/* SPDX-License-Identifier: MIT */
/* The timeline as a picture. */
#include "output/threads/timeline_svg.h"
#include "timeline_fixture.h"

#define MS UINT64_C(1000000)

static char *draw(struct scene *scene, const char *title)
{
    struct capture capture;

    assert_int_equal(timeline_svg_write(scene->timeline, title, NULL, capture_begin(&capture)),
                     STATUS_OK);
    capture_end(&capture);
    return capture.text;
}

/* A worker that computes, is ready, sleeps; main waits. */
static void add_phases(struct scene *scene)
{
    scene_thread(scene, 8, "w<&\">", 0);
    scene_sample(scene, SCENE_PID, 0, 'S', 0, "main futex");
    for (uint64_t t = 10; t <= 1000; t += 10)
        scene_repeat(scene, SCENE_PID, t * MS);
    for (uint64_t t = 0; t <= 300; t += 10)
        scene_sample(scene, 8, t * MS, 'R', t ? 10 * MS : 0, "start worker f");
    for (uint64_t t = 310; t <= 400; t += 10)
        scene_sample(scene, 8, t * MS, 'R', t % 20 ? 10 * MS : 0,
                     t % 20 ? "start worker g" : "start worker f");
    scene_sample(scene, 8, 401 * MS, 'S', 0, "start worker g futex");
    for (uint64_t t = 410; t <= 1000; t += 10)
        scene_repeat(scene, 8, t * MS);
}

TEST_OF(picture_is_the_golden_one, scene, scene)
{
    char *text;

    add_phases(scene);
    scene_finish(scene, 10 * MS);
    text = draw(scene, "/usr/bin/prog <\xff> (pid 7)");
    assert_golden("timeline.svg", text);
    free(text);
}

static size_t count(const char *text, const char *what)
{
    size_t found = 0;

    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        found++;
    return found;
}

/* A thread that changes every microsecond, for a second. */
static size_t size_of_changes(uint64_t changes)
{
    struct scene scene;
    char *text;
    size_t size;

    scene_init(&scene);
    scene_sample(&scene, SCENE_PID, 0, 'S', 0, "main futex");
    scene_repeat(&scene, SCENE_PID, 1000 * MS);
    scene_thread(&scene, 8, "worker", 0);
    for (uint64_t i = 0; i <= changes; i++)
        scene_sample(&scene, 8, i * 1000 * MS / changes, i % 2 ? 'R' : 'S', i % 2 ? 0 : 1000,
                     i % 2 ? i % 3 ? "start worker f" : "start worker g" : "start worker futex");
    scene_finish(&scene, 1000 * MS / changes);
    text = draw(&scene, "");
    assert_true(count(text, "<rect") < 1200);
    size = strlen(text);
    free(text);
    scene_deinit(&scene);
    return size;
}

TEST(size_does_not_grow_with_changes)
{
    size_t some = size_of_changes(10000);
    size_t many = size_of_changes(200000);

    assert_in_range(some, 1000, 200000);
    assert_in_range(many, 1000, 200000);
}

/* A tenth of the time each, in pieces of 0.1 ms: the picture shows both, one nine times as high. */
TEST_OF(narrow_pieces_are_a_mixture, scene, scene)
{
    char *text;

    scene_thread(scene, 8, "worker", 0);
    for (uint64_t i = 0; i <= 1000; i++) {
        scene_sample(scene, 8, i * MS, 'S', 0, "start worker futex");
        scene_sample(scene, 8, i * MS + 9 * MS / 10, 'R', 0, "start worker f");
    }
    scene_finish(scene, MS);
    text = draw(scene, "");
    assert_int_equal(count(text, "<path class=\"r\""), 2); /* the band on top, and the row */
    assert_int_equal(count(text, "<path class=\"b\""), 1);
    assert_non_null(strstr(text, "running 10.00%"));
    assert_non_null(strstr(text, "blocked 90.00%"));
    free(text);
}

/* It ran for 30 of 200 ms: neither more nor less may the legend say than the curve's average. */
TEST_OF(legend_agrees_with_the_average_and_counts_who_has_no_row, scene, scene)
{
    char *text;

    scene_sample(scene, SCENE_PID, 0, 'S', 0, "main futex");
    scene_repeat(scene, SCENE_PID, 100 * MS);
    scene_thread(scene, 8, "worker", 0);
    scene_thread(scene, 9, "short", 50 * MS);
    scene_thread(scene, 10, "short", 50 * MS);
    scene_sample(scene, 8, 0, 'R', 0, "start worker f");
    for (uint64_t i = 1; i <= 10; i++)
        scene_sample(scene, 8, i * 10 * MS, i < 5 ? 'R' : 'S',
                     i < 5    ? 6 * MS
                     : i == 5 ? 6 * MS
                              : 0,
                     "start worker futex");
    scene_finish(scene, 10 * MS);
    text = draw(scene, "");
    assert_non_null(strstr(text, ">running 15.00%</text>"));
    assert_non_null(strstr(text, ">ready (no CPU) 8.00%</text>"));
    assert_non_null(strstr(text, ">not sampled 2.00%</text>"));
    assert_non_null(strstr(text, "; on average 0.30<"));
    assert_non_null(strstr(text, ">2 threads, 2 more never sampled, 100.0 ms<"));
    free(text);
}

TEST_OF(labels_keep_the_threads_own_name_and_tid, scene, scene)
{
    char *text;

    scene_thread(scene, 1234567, "decoder-number1", 0);
    scene_sample(scene, 1234567, 0, 'R', 0, "start long f");
    scene_sample(scene, 1234567, 1000 * MS, 'R', 0, "start long f");
    scene_finish(scene, MS);
    text = draw(scene, "");
    assert_non_null(
        strstr(text, "</title>&quot;decoder-number1&quot; a_po\xe2\x80\xa6orker (1234567)</text>"));
    free(text);
}

TEST_OF(many_threads_are_thin_and_named_by_group, scene, scene)
{
    char *text;

    scene_sample(scene, SCENE_PID, 0, 'R', 0, "main");
    scene_sample(scene, SCENE_PID, 1000 * MS, 'R', 1000 * MS, "main");
    for (uint32_t tid = 10; tid < 210; tid++) {
        scene_thread(scene, tid, tid % 2 ? "pool/1" : "pool/2", 0);
        scene_sample(scene, tid, MS, 'R', 0, "start worker f");
        scene_sample(scene, tid, tid * MS, 'R', 0, "start worker f");
    }
    scene_finish(scene, 1000 * MS);
    text = draw(scene, "");
    assert_int_equal(count(text, "'pool/*' worker \xc3\x97"
                                 "200</text>"),
                     1);
    assert_int_equal(count(text, "height=\"4.5\" class=\"r\""), 200);
    free(text);
}

TEST_OF(rows_beyond_the_limit_are_counted, scene, scene)
{
    char *text;

    scene_sample(scene, SCENE_PID, 0, 'R', 0, "main");
    scene_sample(scene, SCENE_PID, 1000 * MS, 'R', 0, "main");
    for (uint32_t tid = 10; tid < 10 + TIMELINE_SVG_ROWS_MAX; tid++) {
        scene_thread(scene, tid, "worker", 0);
        scene_sample(scene, tid, MS, 'R', 0, "start worker f");
    }
    scene_finish(scene, 1000 * MS);
    text = draw(scene, "");
    assert_int_equal(count(text, ">1 more thread is not shown; --thread chooses<"), 1);
    free(text);
}

TEST_OF(a_part_keeps_its_place_in_time, scene, scene)
{
    char *text;

    scene->history.window =
        (struct window){.from_ns = 1020 * MS, .to_ns = 1320 * MS, .whole_ns = 4987 * MS};
    assert_int_equal(history_begin(&scene->history, 7000 * MS), STATUS_OK);
    scene_sample(scene, SCENE_PID, 8020 * MS, 'R', 0, "main");
    scene_sample(scene, SCENE_PID, 8120 * MS, 'R', 100 * MS, "main");
    scene_sample(scene, SCENE_PID, 8310 * MS, 'S', 190 * MS, "main futex");
    scene_finish(scene, 100 * MS);
    text = draw(scene, "");
    assert_int_equal(count(text, ">1 thread, 1.02-1.32 s of 4.99 s</text>"), 1);
    assert_int_equal(count(text, ">1.05 s</text>"), 2);
    assert_int_equal(count(text, ">1.30 s</text>"), 2);
    assert_int_equal(count(text, " s</text>"), 1 + 2 * 6);
    assert_int_equal(count(text, "\nfrom 1.020 s for 290.0 ms"), 1);
    free(text);
}
