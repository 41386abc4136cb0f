/* SPDX-License-Identifier: MIT */
/* Threads told apart in tree and graph, clusters, and call sites at edges. */
#include "graph_fixture.h"

#include "graph/by_thread.h"
#include "output/dot.h"
#include "output/folded.h"
#include "output/tree.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x1000, .file = "src/main.c", .line = 10},
    {"work", .start = 0x2000, .file = "src/work.c", .line = 100},
    {"help", .start = 0x3000, .file = "src/work.c", .line = 200, .inlined = "inner"},
    {"read", .module = 1, .start = 0x1000},
    {0},
};

struct apart {
    struct fixture f;
    struct profile *profile;
    struct view *view;
};

/* Two threads of one name, one without a name, one of the baseline where that is asked for. */
static void apart_init(struct apart *a, enum graph_by by, const struct graph_filter *filter,
                       bool compare)
{
    struct view_options options = {.by = by, .filter = filter, .compare = compare};

    fixture_init(&a->f, FUNCTIONS);
    fixture_add(&a->f, "pool", 8, "main work/4 read", 5);
    fixture_add(&a->f, "pool", 9, "main work/4 read", 1);
    fixture_add(&a->f, "pool", 9, "main work/8 read", 2);
    fixture_add(&a->f, "", 7, "main work/4 read", 1);
    fixture_add(&a->f, "", 7, "main help", 1);
    if (compare)
        fixture_add_base(&a->f, "gone", 11, "main help", 10);
    assert_int_equal(profile_program(a->f.profile, "/usr/bin/prog"), STATUS_OK);
    profile_weigh_base(a->f.profile, true);
    assert_int_equal(profile_program(a->f.profile, "/usr/bin/old"), STATUS_OK);
    profile_weigh_base(a->f.profile, false);
    assert_int_equal(profile_resolve(a->f.profile, a->f.names), STATUS_OK);
    assert_int_equal(profile_by_thread(a->f.profile, &a->profile), STATUS_OK);
    assert_int_equal(view_create(a->profile, &options, &a->view), STATUS_OK);
}

static void apart_deinit(struct apart *a)
{
    view_destroy(a->view);
    profile_destroy(a->profile);
    fixture_deinit(&a->f);
}

static void assert_tree(enum graph_by by, const struct graph_filter *filter, const char *want)
{
    struct capture capture;
    struct apart a;

    apart_init(&a, by, filter, false);
    assert_int_equal(tree_write(a.view, &(struct tree_options){0}, capture_begin(&capture)),
                     STATUS_OK);
    assert_captured(&capture, want);
    apart_deinit(&a);
}

TEST_OF(by_thread_inverted_has_the_threads_first, apart, a, GRAPH_BY_FUNCTION, NULL, false)
{
    const struct view_options inverted = {.by = GRAPH_BY_FUNCTION, .inverted = true};
    struct capture capture;
    const char *text;

    view_destroy(a->view);
    a->view = NULL;
    assert_int_equal(view_create(a->profile, &inverted, &a->view), STATUS_OK);
    assert_int_equal(tree_write(a->view, &(struct tree_options){0}, capture_begin(&capture)),
                     STATUS_OK);
    text = capture_end(&capture);
    assert_non_null(strstr(text, "|-- pool [thread]\n"
                                 "  80.00%    0.00%           8  |   read [libc.so.6]\n"
                                 "  80.00%    0.00%           8  |   work [prog]\n"
                                 "  80.00%   80.00%           8  |   main [prog]\n"));
    free(capture.text);
}

TEST(by_thread_tree_has_a_root_for_each_name)
{
    assert_tree(GRAPH_BY_FUNCTION, NULL,
                "samples: 10\n\n"
                "   total     self     samples  function [module]\n"
                "  80.00%    0.00%           8  |-- pool [thread]\n"
                "  80.00%    0.00%           8  |   main [prog]\n"
                "  80.00%    0.00%           8  |   work [prog]\n"
                "  80.00%   80.00%           8  |   read [libc.so.6]\n"
                "  20.00%    0.00%           2  `-- thread [thread]\n"
                "  20.00%    0.00%           2      main [prog]\n"
                "  10.00%   10.00%           1      |-- help [prog]\n"
                "  10.00%    0.00%           1      `-- work [prog]\n"
                "  10.00%   10.00%           1          read [libc.so.6]\n");
    assert_tree(GRAPH_BY_MODULE, NULL,
                "samples: 10\n\n"
                "   total     self     samples  module\n"
                "  80.00%    0.00%           8  |-- pool [thread]\n"
                "  80.00%    0.00%           8  |   /usr/bin/prog\n"
                "  80.00%   80.00%           8  |   /usr/lib/libc.so.6\n"
                "  20.00%    0.00%           2  `-- thread [thread]\n"
                "  20.00%   10.00%           2      /usr/bin/prog\n"
                "  10.00%   10.00%           1      /usr/lib/libc.so.6\n");
}

TEST(by_thread_filters_do_not_see_threads)
{
    struct graph_filter filter = {0};

    assert_int_equal(graph_filter_set(&filter, FILTER_FOCUS, "help|pool", NULL), STATUS_OK);
    assert_int_equal(graph_filter_set(&filter, FILTER_HIDE, "main|thread", NULL), STATUS_OK);
    assert_tree(GRAPH_BY_FUNCTION, &filter,
                "samples: 1 of 10 shown (10.00%); shares are of 10\n\n"
                "   total     self     samples  function [module]\n"
                "  10.00%    0.00%           1  thread [thread]\n"
                "  10.00%   10.00%           1  help [prog]\n");
    /* A sample whose frames are all hidden is none, though its thread is left. */
    assert_int_equal(graph_filter_set(&filter, FILTER_HIDE, ".", NULL), STATUS_OK);
    assert_tree(GRAPH_BY_FUNCTION, &filter,
                "samples: 0 of 10 shown (0.00%); shares are of 10\n\n"
                "   total     self     samples  function [module]\n");
    graph_filter_deinit(&filter);
}

TEST_OF(by_thread_knows_threads_of_the_baseline, apart, a, GRAPH_BY_FUNCTION, NULL, true)
{
    struct callgraph_options all = {0};
    struct callgraph *graph;

    assert_int_equal(callgraph_create(a->view, &all, &graph), STATUS_OK);
    /* pool: 4, thread: 5, gone: 3 */
    assert_int_equal(graph->node_count, 12);
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct view_node *node = &a->view->nodes[graph->nodes[i].view_node];

        if (node->is_thread && strcmp(node->name, "gone") == 0) {
            assert_int_equal(graph->nodes[i].total, 0);
            assert_int_equal(graph->nodes[i].base_total, 10);
        }
    }
    callgraph_destroy(graph);
}

static char *make_dot(const struct apart *a, const struct callgraph_options *trim,
                      const struct dot_options *options)
{
    struct callgraph *graph;
    struct capture capture;

    assert_int_equal(callgraph_create(a->view, trim, &graph), STATUS_OK);
    assert_int_equal(dot_write(graph, options, capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    callgraph_destroy(graph);
    return capture.text;
}

TEST_OF(by_thread_graph_is_the_golden_one, apart, a, GRAPH_BY_FUNCTION, NULL, false)
{
    struct dot_options options = {.cluster = CLUSTER_THREAD, .label_calls = true};
    struct callgraph_options all = {0};
    char *dot;

    dot = make_dot(a, &all, &options);
    assert_golden("graph-threads.dot", dot);
    free(dot);
}

/* A thread and its first function weigh the same. */
TEST_OF(by_thread_of_what_weighs_the_same_the_thread_stays, apart, a, GRAPH_BY_FUNCTION, NULL,
        false)
{
    struct callgraph_options one = {.nodes = 1};
    struct callgraph *graph;

    assert_int_equal(callgraph_create(a->view, &one, &graph), STATUS_OK);
    assert_true(a->view->nodes[graph->nodes[0].view_node].is_thread);
    callgraph_destroy(graph);
}

/* The names of the frames, in the order in which they are written. */
static void assert_clusters(enum graph_by by, enum graph_cluster cluster, const char *want)
{
    static const char mark[] = "\", class=frame";
    struct dot_options options = {.cluster = cluster};
    struct callgraph_options all = {0};
    char names[256] = "";
    struct apart a;
    char *dot;

    apart_init(&a, by, NULL, false);
    dot = make_dot(&a, &all, &options);
    for (const char *at = dot; (at = strstr(at, mark)); at++) {
        const char *name = at;

        while (name[-1] != '"')
            name--;
        strncat(names, name, (size_t)(at - name));
        strcat(names, " ");
    }
    assert_string_equal(names, want);
    free(dot);
    apart_deinit(&a);
}

TEST(cluster_is_by_thread_module_file_or_none)
{
    assert_clusters(GRAPH_BY_FUNCTION, CLUSTER_THREAD, "pool thread ");
    assert_clusters(GRAPH_BY_FUNCTION, CLUSTER_MODULE, "libc.so.6 prog prog libc.so.6 ");
    assert_clusters(GRAPH_BY_FUNCTION, CLUSTER_FILE, "main.c work.c ");
    assert_clusters(GRAPH_BY_FUNCTION, CLUSTER_NONE, "");
    assert_clusters(GRAPH_BY_MODULE, CLUSTER_THREAD, "pool thread ");
    assert_clusters(GRAPH_BY_MODULE, CLUSTER_MODULE, "");
    assert_clusters(GRAPH_BY_MODULE, CLUSTER_FILE, "");
}

/* Before the label of a line of 4 points and more. */
#define WIDE "[label=\"\xc2\xa0\xc2\xa0\xc2\xa0"

/* A call site is named once however many there are; where no line is known there is none. */
TEST_OF(dot_edges_name_their_heaviest_call_site, fixture, f, FUNCTIONS)
{
    struct dot_options options = {.label_calls = true};
    struct callgraph_options all = {0};
    struct callgraph *graph;
    struct capture capture;

    fixture_add(f, "t", 1, "main/1 work read", 2);
    fixture_add(f, "t", 1, "main/3 work read", 3);
    fixture_add(f, "t", 1, "main/2 work read", 1);
    fixture_add(f, "t", 1, "main/2 read main", 1);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &all);
    assert_int_equal(dot_write(graph, &options, capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    assert_non_null(strstr(capture.text, WIDE "6\\nmain.c:13 +2\""));
    assert_non_null(strstr(capture.text, WIDE "6\\nwork.c:116\""));
    assert_non_null(strstr(capture.text, "[label=\" 1\\nmain.c:12\""));
    assert_non_null(strstr(capture.text, "[label=\" 1\""));
    free(capture.text);
}

TEST_OF(by_thread_profile_is_of_the_same_programs, apart, a, GRAPH_BY_FUNCTION, NULL, true)
{
    assert_string_equal(a->profile->program, "/usr/bin/prog");
    assert_string_equal(a->profile->base_program, "/usr/bin/old");
}
