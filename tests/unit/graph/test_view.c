/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/folded.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x1000, .file = "src/main.c", .line = 10},
    {"a", .start = 0x2000, .name = "alpha", .file = "src/a.c", .line = 100},
    {"b", .start = 0x3000, .name = "beta", .file = "src/b.c", .line = 200},
    {"inl", .start = 0x4000, .name = "outer", .file = "src/o.c", .line = 5, .inlined = "inner"},
    {"s1", .start = 0x5000, .name = "same"},
    {"s2", .start = 0x6000, .name = "same"},
    {"read", .module = 1, .start = 0x1000},
    {0},
};

struct part {
    enum filter_kind kind;
    const char *pattern;
};

/* Two parts at most; a NULL pattern is none. Returns what view_summary says. */
static void assert_filtered(struct part one, struct part two, const char *want,
                            const char *want_summary)
{
    struct graph_filter filter = {0};
    char summary[VIEW_SUMMARY_MAX];
    struct capture capture;
    struct view *view;
    struct fixture f;

    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "main", 7, "main a read", 5);
    fixture_add(&f, "main", 7, "main b", 3);
    fixture_add(&f, "io", 8, "main inl/900 read", 2);
    assert_int_equal(graph_filter_set(&filter, one.kind, one.pattern, NULL), STATUS_OK);
    if (two.pattern)
        assert_int_equal(graph_filter_set(&filter, two.kind, two.pattern, NULL), STATUS_OK);
    view = fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, &filter);
    assert_int_equal(folded_write(view, capture_begin(&capture)), STATUS_OK);
    assert_string_equal(capture_end(&capture), want);
    if (want_summary)
        assert_string_equal(view_summary(view, summary), want_summary);
    free(capture.text);
    graph_filter_deinit(&filter);
    fixture_deinit(&f);
}

#define NONE ((struct part){0})

TEST(view_focus_keeps_samples_that_match)
{
    assert_filtered((struct part){FILTER_FOCUS, "^al"}, NONE, "main;main;alpha;read 5\n",
                    "samples: 5 of 10 shown (50.00%); shares are of 10");
    assert_filtered((struct part){FILTER_FOCUS, "inner"}, NONE, "io;main;outer;inner;read 2\n",
                    NULL);
    assert_filtered((struct part){FILTER_FOCUS, "src/b[.]c"}, NONE, "main;main;beta 3\n", NULL);
    assert_filtered((struct part){FILTER_FOCUS, "nothing"}, NONE, "",
                    "samples: 0 of 10 shown (0.00%); shares are of 10");
}

TEST(view_ignore_drops_samples_that_match)
{
    assert_filtered((struct part){FILTER_IGNORE, "alpha|beta"}, NONE,
                    "io;main;outer;inner;read 2\n", NULL);
    assert_filtered((struct part){FILTER_IGNORE, "beta"}, (struct part){FILTER_FOCUS, "read"},
                    "io;main;outer;inner;read 2\nmain;main;alpha;read 5\n", NULL);
}

TEST(view_hide_takes_frames_away)
{
    assert_filtered((struct part){FILTER_HIDE, "read|outer"}, NONE,
                    "io;main;inner 2\nmain;main;alpha 5\nmain;main;beta 3\n", "samples: 10");
    /* A module's path matches too; a sample without frames is no more. */
    assert_filtered((struct part){FILTER_HIDE, "bin/prog"}, NONE, "io;read 2\nmain;read 5\n",
                    "samples: 7 of 10 shown (70.00%); shares are of 10");
    /* What is hidden still decides what is in focus. */
    assert_filtered((struct part){FILTER_HIDE, "alpha"}, (struct part){FILTER_FOCUS, "alpha"},
                    "main;main;read 5\n", NULL);
}

TEST(view_module_keeps_samples_with_a_frame_in_it)
{
    assert_filtered((struct part){FILTER_MODULE, "libc"}, NONE,
                    "io;main;outer;inner;read 2\nmain;main;alpha;read 5\n", NULL);
}

TEST(view_thread_is_id_or_expression)
{
    assert_filtered((struct part){FILTER_THREAD, "8"}, NONE, "io;main;outer;inner;read 2\n", NULL);
    assert_filtered((struct part){FILTER_THREAD, "^i"}, NONE, "io;main;outer;inner;read 2\n", NULL);
    assert_filtered((struct part){FILTER_THREAD, "9"}, NONE, "", NULL);
}

TEST_OF(view_state_keeps_samples_that_found_it, fixture, f, FUNCTIONS)
{
    struct graph_filter filter = {0};
    struct capture capture;

    fixture_add(f, "t", 1, "main a", 5);
    assert_int_equal(graph_filter_set_states(&filter, "running", NULL), STATUS_OK);
    fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, &filter);
    assert_int_equal(f->view->shown, 5);
    assert_int_equal(graph_filter_set_states(&filter, "blocked", NULL), STATUS_OK);
    fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, &filter);
    assert_int_equal(f->view->shown, 0);
    assert_int_equal(f->view->total, 5);
    assert_int_equal(folded_write(f->view, capture_begin(&capture)), STATUS_OK);
    assert_captured(&capture, "");
    graph_filter_deinit(&filter);
}

TEST_OF(view_namesakes_of_a_module_show_their_starts, fixture, f, FUNCTIONS)
{
    struct view *view;

    fixture_add(f, "t", 1, "main s1", 1);
    fixture_add(f, "t", 1, "main s2", 1);
    view = fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL);
    assert_int_equal(view->node_count, 3);
    assert_string_equal(view->nodes[1].name, "same");
    assert_string_equal(view->nodes[1].label, "same@0x5000");
    assert_string_equal(view->nodes[2].label, "same@0x6000");
    assert_string_equal(view->nodes[2].module, "/usr/bin/prog");
}
