/* SPDX-License-Identifier: MIT */
/* What the formats show when a profile is compared with a baseline (--diff-base). */
#include "graph_fixture.h"

#include "output/dot.h"
#include "output/folded.h"
#include "output/tree.h"

/* Module 2 is module 0, built anew: "g" has moved, "gone" is no longer there. */
static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x3000, .file = "src/f.c", .line = 100},
    {"g", .start = 0x4000, .file = "src/g.c", .line = 200},
    {"h", .module = 1, .start = 0x5000},
    {"main0", .module = 2, .start = 0x1000, .name = "main", .file = "src/main.c", .line = 10},
    {"f0", .module = 2, .start = 0x2000, .name = "f", .file = "src/f.c", .line = 100},
    {"g0", .module = 2, .start = 0x3000, .name = "g", .file = "src/g.c", .line = 200},
    {"gone", .module = 2, .start = 0x4000, .file = "src/g.c", .line = 300},
    {0},
};

static void name_old(struct fixture *f)
{
    static char path[] = "/srv/old/prog";

    f->modules[2].file.path = path;
}

static void assert_tree(struct fixture *f, enum graph_by by, double fraction, const char *want)
{
    struct capture capture;

    assert_int_equal(tree_write(fixture_view(f, by, WEIGHT_SAMPLES, NULL),
                                &(struct tree_options){.node_fraction = fraction},
                                capture_begin(&capture)),
                     STATUS_OK);
    assert_captured(&capture, want);
}

static void assert_folded(struct fixture *f, const struct graph_filter *filter, const char *want)
{
    struct capture capture;

    assert_int_equal(folded_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, filter),
                                  capture_begin(&capture)),
                     STATUS_OK);
    assert_captured(&capture, want);
}

TEST_OF(diff_folded_has_both_weights_as_they_are, fixture, f, FUNCTIONS)
{
    struct graph_filter filter = {0};

    name_old(f);
    fixture_add(f, "t", 1, "main f", 3);
    fixture_add(f, "t", 1, "main g", 1);
    fixture_add(f, "t", 1, "main h", 0);
    fixture_add_base(f, "t", 2, "main0 f0", 10);
    fixture_add_base(f, "t", 2, "main0 gone", 7);
    fixture_add_base(f, "u", 2, "main0", 2);
    assert_folded(f, NULL,
                  "t;main;f 10 3\n"
                  "t;main;g 0 1\n"
                  "t;main;gone 7 0\n"
                  "u;main 2 0\n");
    assert_int_equal(graph_filter_set(&filter, FILTER_FOCUS, "^g", NULL), STATUS_OK);
    assert_folded(f, &filter, "t;main;g 0 1\nt;main;gone 7 0\n");
    graph_filter_deinit(&filter);
}

TEST_OF(diff_tree_shares_are_each_of_its_own_total, fixture, f, FUNCTIONS)
{
    name_old(f);
    fixture_add(f, "t", 1, "main f", 60);
    fixture_add(f, "t", 1, "main g", 40);
    fixture_add_base(f, "t", 1, "main0 f0", 1);
    fixture_add_base(f, "t", 1, "main0 g0", 1);
    fixture_add_base(f, "t", 1, "main0 gone", 2);
    assert_tree(f, GRAPH_BY_FUNCTION, 0.3,
                "samples: 100; baseline: 4\n"
                "~: two captures of one program may differ by as much\n"
                "\n"
                "   total baseline   change     self     samples  function [module]\n"
                " 100.00%  100.00%    0.00%    0.00%         100  main [prog]\n"
                "  60.00%   25.00%  +35.00%~  60.00%          60  |-- f [prog]\n"
                "   0.00%   50.00%  -50.00%    0.00%           0  |-- gone [prog]\n"
                "  40.00%   25.00%  +15.00%~  40.00%          40  `-- g [prog]\n");
    assert_tree(f, GRAPH_BY_FUNCTION, 0.55,
                "samples: 100; baseline: 4\n"
                "~: two captures of one program may differ by as much\n"
                "\n"
                "   total baseline   change     self     samples  function [module]\n"
                " 100.00%  100.00%    0.00%    0.00%         100  main [prog]\n"
                "  60.00%   25.00%  +35.00%~  60.00%          60  |-- f [prog]\n"
                "  40.00%   75.00%  -35.00%~                  40  `-- (2 more below 55.00%)\n");
    assert_tree(f, GRAPH_BY_MODULE, 0,
                "samples: 100; baseline: 4\n"
                "~: two captures of one program may differ by as much\n"
                "\n"
                "   total baseline   change     self     samples  module\n"
                " 100.00%  100.00%    0.00%  100.00%         100  /usr/bin/prog\n");
}

/* 0.5 ± 0.05 of 100 samples each: two standard errors of the difference are 14 points. */
TEST_OF(diff_tree_marks_what_chance_alone_may_change, fixture, f, FUNCTIONS)
{
    name_old(f);
    fixture_add(f, "t", 1, "f", 57);
    fixture_add(f, "t", 1, "g", 35);
    fixture_add(f, "t", 1, "h", 8);
    fixture_add_base(f, "t", 1, "f0", 43);
    fixture_add_base(f, "t", 1, "g0", 49);
    fixture_add_base(f, "t", 1, "h", 8);
    assert_true(view_is_noise(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL), 57, 43));
    assert_false(view_is_noise(f->view, 58, 43));
    assert_false(view_is_noise(f->view, 8, 8));
    assert_true(view_is_noise(f->view, 3, 0));
    assert_false(view_is_noise(f->view, 5, 0));
    assert_tree(f, GRAPH_BY_FUNCTION, 0,
                "samples: 100; baseline: 100\n"
                "~: two captures of one program may differ by as much\n"
                "\n"
                "   total baseline   change     self     samples  function [module]\n"
                "  57.00%   43.00%  +14.00%~  57.00%          57  |-- f [prog]\n"
                "  35.00%   49.00%  -14.00%   35.00%          35  |-- g [prog]\n"
                "   8.00%    8.00%    0.00%    8.00%           8  `-- h [libc.so.6]\n");
    assert_false(view_is_noise(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_WALL, NULL), 3, 0));
}

TEST_OF(diff_with_an_empty_side_has_shares_of_nothing, fixture, f, FUNCTIONS)
{
    name_old(f);
    fixture_add_base(f, "t", 1, "main0 gone", 2);
    assert_tree(f, GRAPH_BY_FUNCTION, 0.005,
                "samples: 0; baseline: 2\n"
                "\n"
                "   total baseline   change     self     samples  function [module]\n"
                "   0.00%  100.00% -100.00%    0.00%           0  main [prog]\n"
                "   0.00%  100.00% -100.00%    0.00%           0  gone [prog]\n");
}

TEST_OF(diff_graph_has_nodes_and_edges_of_both, fixture, f, FUNCTIONS)
{
    const struct callgraph_options options = {.node_fraction = 0.2, .edge_fraction = 0.2};
    struct callgraph *graph;
    struct capture capture;

    name_old(f);
    fixture_add(f, "t", 1, "main f", 60);
    fixture_add(f, "t", 1, "main g", 30);
    fixture_add(f, "t", 1, "main h", 10);
    fixture_add_base(f, "t", 1, "main0 f0", 1);
    fixture_add_base(f, "t", 1, "main0 g0 gone", 1);
    fixture_add_base(f, "t", 1, "main0 gone", 2);
    graph = fixture_graph(f, GRAPH_BY_FUNCTION, &options);
    assert_int_equal(graph->node_count, 4);
    assert_int_equal(graph->nodes_left_out, 1);
    assert_int_equal(graph->edge_count, 4);
    assert_int_equal(graph->edges_left_out, 1);
    /* main, gone (75 % before), f, g */
    assert_int_equal(graph->nodes[1].total, 0);
    assert_int_equal(graph->nodes[1].base_total, 3);
    assert_int_equal(graph->nodes[1].base_self, 3);
    assert_int_equal(graph->nodes[3].base_self, 0);
    assert_int_equal(graph->nodes[3].base_total, 1);
    assert_int_equal(dot_write(graph, &(struct dot_options){.title = "prog"},
                               capture_begin(&capture)),
                     STATUS_OK);
    capture_end(&capture);
    assert_golden("graph-diff.dot", capture.text);
    free(capture.text);
}

TEST(diff_without_samples_in_common_keeps_order_independent_of_input)
{
    const struct callgraph_options options = CALLGRAPH_DEFAULTS;
    char *dots[2];

    for (int i = 0; i < 2; i++) {
        struct callgraph *graph;
        struct capture capture;
        struct fixture f;

        fixture_init(&f, FUNCTIONS);
        name_old(&f);
        fixture_add(&f, "t", 1, "main", 1);
        fixture_add_base(&f, "t", 1, i ? "main0 f0" : "main0 g0", 1);
        fixture_add_base(&f, "t", 1, i ? "main0 g0" : "main0 f0", 1);
        graph = fixture_graph(&f, GRAPH_BY_FUNCTION, &options);
        assert_int_equal(dot_write(graph, &(struct dot_options){0}, capture_begin(&capture)),
                         STATUS_OK);
        capture_end(&capture);
        dots[i] = capture.text;
        fixture_deinit(&f);
    }
    assert_string_equal(dots[0], dots[1]);
    free(dots[0]);
    free(dots[1]);
}
