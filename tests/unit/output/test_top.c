/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/top.h"

static const struct fixture_function FUNCTIONS[] = {
    {"start", 0, 0x1000, "_start", NULL, 0, NULL, false},
    {"main", 0, 0x2000, "main", "src/main.c", 10, NULL, false},
    {"f", 0, 0x3000, "f", "src/f.c", 100, NULL, false},
    {"g", 0, 0x4000, "g", "src/g.c", 200, NULL, false},
    {"h", 1, 0x5000, "h", NULL, 0, NULL, false},
    {"i", 1, 0x6000, "i", NULL, 0, NULL, false},
    {"long", 0, 0x7000, "std::map<std::string, std::pair<int, long> >::find(std::string)", NULL, 0,
     NULL, false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
};

static void assert_top(struct view *view, const struct top_options *options, const char *want)
{
    struct callgraph *graph;
    struct capture capture;

    assert_int_equal(callgraph_create_nodes(view, &graph), STATUS_OK);
    assert_int_equal(top_write(graph, options, capture_begin(&capture)), STATUS_OK);
    assert_string_equal(capture_end(&capture), want);
    free(capture.text);
    callgraph_destroy(graph);
}

static void fill(struct fixture *f)
{
    fixture_init(f, FUNCTIONS);
    fixture_add(f, "t", 1, "start main f g f", 40); /* f counts once in its total */
    fixture_add(f, "t", 2, "start main h", 100);
    fixture_add(f, "t", 1, "start main g", 40);
    fixture_add(f, "t", 1, "start main h i", 19);
    fixture_add(f, "t", 1, "start main", 1);
}

static void top_is_by_self_then_total_then_name(void **state)
{
    struct fixture f;

    (void)state;
    fill(&f);
    assert_top(fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
               &(struct top_options){.title = "a\x1b"
                                              "b",
                                     .caveats = "capture: slow\n"},
               "a?b\n"
               "samples: 200\n"
               "capture: slow\n"
               "\n"
               "    self     samples      sum    total     samples  function [module]\n"
               "  50.00%         100   50.00%   59.50%         119  h [libc.so.6]\n"
               "  20.00%          40   70.00%   40.00%          80  g [prog]\n"
               "  20.00%          40   90.00%   20.00%          40  f [prog]\n"
               "   9.50%          19   99.50%    9.50%          19  i [libc.so.6]\n"
               "   0.50%           1  100.00%  100.00%         200  main [prog]\n"
               "   0.00%           0  100.00%  100.00%         200  _start [prog]\n");
    fixture_deinit(&f);
}

static void top_tells_what_is_left_out(void **state)
{
    struct fixture f;

    (void)state;
    fill(&f);
    /* By the fraction i goes, by its total, and not main, whose self is less. */
    assert_top(fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
               &(struct top_options){.trimming = {.nodes = 4, .node_fraction = 0.1}},
               "samples: 200\n"
               "\n"
               "    self     samples      sum    total     samples  function [module]\n"
               "  50.00%         100   50.00%   59.50%         119  h [libc.so.6]\n"
               "  20.00%          40   70.00%   40.00%          80  g [prog]\n"
               "  20.00%          40   90.00%   20.00%          40  f [prog]\n"
               "   0.50%           1   90.50%  100.00%         200  main [prog]\n"
               "   9.50%          19  100.00%                       (2 more)\n");
    fixture_deinit(&f);
}

static void top_is_brief_at_a_terminal(void **state)
{
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    fixture_add(&f, "t", 1, "main long", 1);
    assert_top(fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
               &(struct top_options){.brief = true},
               "samples: 1\n"
               "\n"
               "    self     samples      sum    total     samples  function [module]\n"
               " 100.00%           1  100.00%  100.00%           1  std::map<..>::find(..) [prog]\n"
               "   0.00%           0  100.00%  100.00%           1  main [prog]\n");
    fixture_deinit(&f);
}

static void top_by_module_and_time(void **state)
{
    struct fixture f;

    (void)state;
    fill(&f);
    assert_top(fixture_view(&f, GRAPH_BY_MODULE, WEIGHT_WALL, NULL), &(struct top_options){0},
               "wall time: 200 µs\n"
               "\n"
               "    self        time      sum    total        time  module\n"
               "  59.50%      119 µs   59.50%   59.50%      119 µs  /usr/lib/libc.so.6\n"
               "  40.50%       81 µs  100.00%  100.00%      200 µs  /usr/bin/prog\n");
    fixture_deinit(&f);
}

static void top_compares_selfs(void **state)
{
    struct fixture f;

    (void)state;
    fixture_init(&f, FUNCTIONS);
    f.compare = true;
    fixture_add(&f, "t", 1, "main f", 600);
    fixture_add(&f, "t", 1, "main g", 400);
    fixture_add_base(&f, "t", 1, "main f", 100);
    fixture_add_base(&f, "t", 1, "main g", 102);
    fixture_add_base(&f, "t", 1, "main h", 298);
    assert_top(fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
               &(struct top_options){.trimming = {.nodes = 3}},
               "samples: 1000; baseline: 500\n"
               "~: two captures of one program may differ by as much\n"
               "\n"
               "    self     samples baseline   change    total     samples  function [module]\n"
               "  60.00%         600   20.00%  +40.00%   60.00%         600  f [prog]\n"
               "   0.00%           0   59.60%  -59.60%    0.00%           0  h [libc.so.6]\n"
               "  40.00%         400   20.40%  +19.60%   40.00%         400  g [prog]\n"
               "   0.00%           0    0.00%    0.00%                       (1 more)\n");
    fixture_deinit(&f);
}

static void top_full_disk_is_an_error(void **state)
{
    FILE *full = fopen("/dev/full", "w");
    struct callgraph *graph;
    struct fixture f;

    (void)state;
    assert_non_null(full);
    fill(&f);
    assert_int_equal(
        callgraph_create_nodes(fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL), &graph),
        STATUS_OK);
    assert_int_equal(top_write(graph, &(struct top_options){0}, full), STATUS_IO);
    fclose(full);
    callgraph_destroy(graph);
    fixture_deinit(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_is_by_self_then_total_then_name),
        cmocka_unit_test(top_tells_what_is_left_out),
        cmocka_unit_test(top_is_brief_at_a_terminal),
        cmocka_unit_test(top_by_module_and_time),
        cmocka_unit_test(top_compares_selfs),
        cmocka_unit_test(top_full_disk_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
