/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/folded.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", 0, 0x1000, "main", "src/main.c", 10, NULL, false},
    {"a", 0, 0x2000, "alpha", "src/a.c", 100, NULL, false},
    {"b", 0, 0x3000, "beta", "src/b.c", 200, NULL, false},
    {"inl", 0, 0x4000, "outer", "src/o.c", 5, "inner", false},
    {"s1", 0, 0x5000, "same", NULL, 0, NULL, false},
    {"s2", 0, 0x6000, "same", NULL, 0, NULL, false},
    {"read", 1, 0x1000, "read", NULL, 0, NULL, false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
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

static void view_focus_keeps_samples_that_match(void **state)
{
    (void)state;
    assert_filtered((struct part){FILTER_FOCUS, "^al"}, NONE, "main;main;alpha;read 5\n",
                    "samples: 5 of 10 shown (50.00%); shares are of 10");
    assert_filtered((struct part){FILTER_FOCUS, "inner"}, NONE, "io;main;outer;inner;read 2\n",
                    NULL);
    assert_filtered((struct part){FILTER_FOCUS, "src/b[.]c"}, NONE, "main;main;beta 3\n", NULL);
    assert_filtered((struct part){FILTER_FOCUS, "nothing"}, NONE, "",
                    "samples: 0 of 10 shown (0.00%); shares are of 10");
}

static void view_ignore_drops_samples_that_match(void **state)
{
    (void)state;
    assert_filtered((struct part){FILTER_IGNORE, "alpha|beta"}, NONE,
                    "io;main;outer;inner;read 2\n", NULL);
    assert_filtered((struct part){FILTER_IGNORE, "beta"}, (struct part){FILTER_FOCUS, "read"},
                    "io;main;outer;inner;read 2\nmain;main;alpha;read 5\n", NULL);
}

static void view_hide_takes_frames_away(void **state)
{
    (void)state;
    assert_filtered((struct part){FILTER_HIDE, "read|outer"}, NONE,
                    "io;main;inner 2\nmain;main;alpha 5\nmain;main;beta 3\n", "samples: 10");
    /* A module's path matches too; a sample without frames is no more. */
    assert_filtered((struct part){FILTER_HIDE, "bin/prog"}, NONE, "io;read 2\nmain;read 5\n",
                    "samples: 7 of 10 shown (70.00%); shares are of 10");
    /* What is hidden still decides what is in focus. */
    assert_filtered((struct part){FILTER_HIDE, "alpha"}, (struct part){FILTER_FOCUS, "alpha"},
                    "main;main;read 5\n", NULL);
}

static void view_module_keeps_samples_with_a_frame_in_it(void **state)
{
    (void)state;
    assert_filtered((struct part){FILTER_MODULE, "libc"}, NONE,
                    "io;main;outer;inner;read 2\nmain;main;alpha;read 5\n", NULL);
}

static void view_thread_is_id_or_expression(void **state)
{
    (void)state;
    assert_filtered((struct part){FILTER_THREAD, "8"}, NONE, "io;main;outer;inner;read 2\n", NULL);
    assert_filtered((struct part){FILTER_THREAD, "^i"}, NONE, "io;main;outer;inner;read 2\n", NULL);
    assert_filtered((struct part){FILTER_THREAD, "9"}, NONE, "", NULL);
}

static void view_state_keeps_samples_that_found_it(void **state)
{
    struct graph_filter filter = {0};
    struct capture capture;
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main a", 5);
    assert_int_equal(graph_filter_set_states(&filter, "running", NULL), STATUS_OK);
    fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, &filter);
    assert_int_equal(f.view->shown, 5);
    assert_int_equal(graph_filter_set_states(&filter, "blocked", NULL), STATUS_OK);
    fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, &filter);
    assert_int_equal(f.view->shown, 0);
    assert_int_equal(f.view->total, 5);
    assert_int_equal(folded_write(f.view, capture_begin(&capture)), STATUS_OK);
    assert_string_equal(capture_end(&capture), "");
    free(capture.text);
    graph_filter_deinit(&filter);
    fixture_deinit(&f);
}

static void view_namesakes_of_a_module_show_their_starts(void **state)
{
    struct fixture f;
    struct view *view;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main s1", 1);
    fixture_add(&f, "t", 1, "main s2", 1);
    view = fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL);
    assert_int_equal(view->node_count, 3);
    assert_string_equal(view->nodes[1].name, "same");
    assert_string_equal(view->nodes[1].label, "same@0x5000");
    assert_string_equal(view->nodes[2].label, "same@0x6000");
    assert_string_equal(view->nodes[2].module, "/usr/bin/prog");
    fixture_deinit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(view_focus_keeps_samples_that_match),
        cmocka_unit_test(view_ignore_drops_samples_that_match),
        cmocka_unit_test(view_hide_takes_frames_away),
        cmocka_unit_test(view_module_keeps_samples_with_a_frame_in_it),
        cmocka_unit_test(view_thread_is_id_or_expression),
        cmocka_unit_test(view_state_keeps_samples_that_found_it),
        cmocka_unit_test(view_namesakes_of_a_module_show_their_starts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
