/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/top.h"

static const struct fixture_function FUNCTIONS[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x3000, .file = "src/f.c", .line = 100},
    {"g", .start = 0x4000, .file = "src/g.c", .line = 200},
    {"h", .module = 1, .start = 0x5000},
    {"i", .module = 1, .start = 0x6000},
    {"long", .start = 0x7000,
     .name = "std::map<std::string, std::pair<int, long> >::find(std::string)"},
    {0},
};

static void assert_top(struct view *view, const struct top_options *options, const char *want)
{
    struct callgraph *graph;
    struct capture capture;

    assert_int_equal(callgraph_create_nodes(view, &graph), STATUS_OK);
    assert_int_equal(top_write(graph, options, capture_begin(&capture)), STATUS_OK);
    assert_captured(&capture, want);
    callgraph_destroy(graph);
}

static void fill(struct fixture *f)
{
    fixture_add(f, "t", 1, "start main f g f", 40); /* f counts once in its total */
    fixture_add(f, "t", 2, "start main h", 100);
    fixture_add(f, "t", 1, "start main g", 40);
    fixture_add(f, "t", 1, "start main h i", 19);
    fixture_add(f, "t", 1, "start main", 1);
}

TEST_OF(top_is_by_self_then_total_then_name, fixture, f, FUNCTIONS)
{
    fill(f);
    assert_top(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
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
}

TEST_OF(top_tells_what_is_left_out, fixture, f, FUNCTIONS)
{
    fill(f);
    /* By the fraction i goes, by its total, and not main, whose self is less. */
    assert_top(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
               &(struct top_options){.trimming = {.nodes = 4, .node_fraction = 0.1}},
               "samples: 200\n"
               "\n"
               "    self     samples      sum    total     samples  function [module]\n"
               "  50.00%         100   50.00%   59.50%         119  h [libc.so.6]\n"
               "  20.00%          40   70.00%   40.00%          80  g [prog]\n"
               "  20.00%          40   90.00%   20.00%          40  f [prog]\n"
               "   0.50%           1   90.50%  100.00%         200  main [prog]\n"
               "   9.50%          19  100.00%                       (2 more)\n");
}

TEST_OF(top_is_brief_at_a_terminal, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main long", 1);
    assert_top(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
               &(struct top_options){.brief = true},
               "samples: 1\n"
               "\n"
               "    self     samples      sum    total     samples  function [module]\n"
               " 100.00%           1  100.00%  100.00%           1  std::map<..>::find(..) [prog]\n"
               "   0.00%           0  100.00%  100.00%           1  main [prog]\n");
}

TEST_OF(top_by_module_and_time, fixture, f, FUNCTIONS)
{
    fill(f);
    assert_top(fixture_view(f, GRAPH_BY_MODULE, WEIGHT_WALL, NULL), &(struct top_options){0},
               "wall time: 200 µs\n"
               "\n"
               "    self        time      sum    total        time  module\n"
               "  59.50%      119 µs   59.50%   59.50%      119 µs  /usr/lib/libc.so.6\n"
               "  40.50%       81 µs  100.00%  100.00%      200 µs  /usr/bin/prog\n");
}

TEST_OF(top_compares_selfs, fixture, f, FUNCTIONS)
{
    f->compare = true;
    fixture_add(f, "t", 1, "main f", 600);
    fixture_add(f, "t", 1, "main g", 400);
    fixture_add_base(f, "t", 1, "main f", 100);
    fixture_add_base(f, "t", 1, "main g", 102);
    fixture_add_base(f, "t", 1, "main h", 298);
    assert_top(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
               &(struct top_options){.trimming = {.nodes = 3}},
               "samples: 1000; baseline: 500\n"
               "~: two captures of one program may differ by as much\n"
               "\n"
               "    self     samples baseline   change    total     samples  function [module]\n"
               "  60.00%         600   20.00%  +40.00%   60.00%         600  f [prog]\n"
               "   0.00%           0   59.60%  -59.60%    0.00%           0  h [libc.so.6]\n"
               "  40.00%         400   20.40%  +19.60%   40.00%         400  g [prog]\n"
               "   0.00%           0    0.00%    0.00%                       (1 more)\n");
}

TEST_OF(top_full_disk_is_an_error, fixture, f, FUNCTIONS)
{
    FILE *full = fopen("/dev/full", "w");
    struct callgraph *graph;

    assert_non_null(full);
    fill(f);
    assert_int_equal(
        callgraph_create_nodes(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL), &graph),
        STATUS_OK);
    assert_int_equal(top_write(graph, &(struct top_options){0}, full), STATUS_IO);
    fclose(full);
    callgraph_destroy(graph);
}
