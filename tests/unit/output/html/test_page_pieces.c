/* SPDX-License-Identifier: MIT */
/* A page's pieces of time: as the timeline has them, or joined, with no time lost. */
#include "timeline_fixture.h"

#include "output/html/page_pieces.h"

/* Thread 8 alone, whose number on the page is 0. */
static struct page_thread thread_8 = {.history = 1};
static const struct page_threads THREADS = {.list = &thread_8, .count = 1};

/* "0-10 running f, 10-20 sleeping" */
static const char *text_of(struct page_pieces *pieces, const struct scene *scene, char text[512])
{
    struct page_piece piece;

    text[0] = '\0';
    page_pieces_begin(pieces, 0);
    while (page_pieces_next(pieces, &piece)) {
        char *name = timeline_function_text(scene->timeline, piece.function);
        const size_t length = strlen(text);

        snprintf(text + length, 512 - length, "%s%d-%d %s%s%s", length ? ", " : "",
                 (int)piece.start_ns, (int)piece.end_ns, timeline_state_name(piece.state),
                 name[0] ? " " : "", name);
        free(name);
    }
    return text;
}

/* From 0 to 100; the snapshot's first sample was at 1000. */
static void begin(struct scene *scene)
{
    scene_init(scene);
    assert_int_equal(history_begin(&scene->history, 1000), STATUS_OK);
    scene_thread(scene, 8, "worker", 1000);
    scene_sample(scene, 8, 1000, 'R', 0, "worker f");
    scene_sample(scene, 8, 1010, 'R', 10, "worker f");
    scene_sample(scene, 8, 1020, 'R', 10, "worker g");
    scene_sample(scene, 8, 1030, 'S', 10, "worker futex");
    scene_repeat(scene, 8, 1040);
    scene_repeat(scene, 8, 1070);
    scene_sample(scene, 8, 1080, 'R', 0, "worker f");
    scene_sample(scene, 8, 1100, 'R', 20, "worker f");
    history_end(&scene->history);
    scene_finish(scene, 10);
}

TEST(pieces_are_counted_from_the_first_sample)
{
    struct page_pieces pieces;
    struct scene scene;
    char text[512];

    begin(&scene);
    assert_int_equal(page_pieces_init(&pieces, &THREADS, scene.timeline, 25), STATUS_OK);
    assert_int_equal(pieces.width_ns, 0);
    assert_int_equal(pieces.unit_ns, 1000);
    assert_string_equal(text_of(&pieces, &scene, text),
                        "0-20 running f, 20-30 running g<int, \"&\">, 30-80 blocked worker, "
                        "80-100 running f");
    page_pieces_deinit(&pieces);
    scene_deinit(&scene);
}

/* What is longest in 0-25, 25-50 …; 50-75 is one piece. */
TEST(joined_pieces_have_the_state_of_most_of_an_interval)
{
    struct page_pieces pieces;
    struct scene scene;
    char text[512];

    begin(&scene);
    assert_int_equal(page_pieces_init(&pieces, &THREADS, scene.timeline, 25), STATUS_OK);
    pieces.width_ns = 25;
    assert_string_equal(text_of(&pieces, &scene, text),
                        "0-25 running f, 25-75 blocked worker, 75-100 running f");
    pieces.width_ns = 1000;
    assert_string_equal(text_of(&pieces, &scene, text), "0-100 running f");
    page_pieces_deinit(&pieces);
    scene_deinit(&scene);
}

/* A thread for each of some that change all the time. */
TEST_OF(too_many_pieces_are_joined, scene, scene)
{
    enum { PIECES = PAGE_THREADS_MAX * 13 };
    struct page_pieces pieces;
    struct page_piece piece;
    uint64_t at = 0, count = 0;

    assert_int_equal(history_begin(&scene->history, 0), STATUS_OK);
    scene_thread(scene, 8, "worker", 0);
    for (uint64_t i = 0; i <= PIECES; i++)
        scene_sample(scene, 8, i * 10, 'R', 10, i % 2 ? "worker f" : "worker g");
    history_end(&scene->history);
    scene_finish(scene, 10);
    assert_int_equal(page_pieces_init(&pieces, &THREADS, scene->timeline, 15), STATUS_OK);
    assert_true(pieces.width_ns > 0);
    page_pieces_begin(&pieces, 0);
    for (; page_pieces_next(&pieces, &piece); at = piece.end_ns, count++)
        assert_int_equal(piece.start_ns, at);
    assert_int_equal(at, PIECES * 10);
    assert_true(count <= 120000);
    page_pieces_deinit(&pieces);
}
