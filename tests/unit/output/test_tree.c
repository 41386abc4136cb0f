/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/tree.h"

static const struct fixture_function FUNCTIONS[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x3000, .file = "src/f.c", .line = 100},
    {"g", .start = 0x4000, .file = "src/g.c", .line = 200},
    {"h", .module = 1, .start = 0x5000},
    {"i", .module = 1, .start = 0x6000},
    {"clone", .module = 1, .start = 0x7000},
    {"long", .start = 0x8000,
     .name = "std::vector<std::pair<int, int>, std::allocator<int>>::push(int)"},
    {0},
};

static void assert_tree(struct fixture *f, enum graph_by by, enum weight_kind weight,
                        double fraction, const char *title, const char *want)
{
    struct capture capture;
    struct view *view = fixture_view(f, by, weight, NULL);

    assert_int_equal(tree_write(view,
                                &(struct tree_options){.node_fraction = fraction, .title = title},
                                capture_begin(&capture)),
                     STATUS_OK);
    assert_captured(&capture, want);
}

TEST_OF(tree_shows_branches_and_what_was_cut, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main f", 40);
    fixture_add(f, "t", 2, "main f g", 80);
    fixture_add(f, "t", 1, "main h", 79);
    fixture_add(f, "t", 1, "main i", 1);
    assert_tree(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, 0.006, "prog (pid 7)",
                "prog (pid 7)\n"
                "samples: 200\n"
                "\n"
                "   total     self     samples  function [module]\n"
                " 100.00%    0.00%         200  main [prog]\n"
                "  60.00%   20.00%         120  |-- f [prog]\n"
                "  40.00%   40.00%          80  |   g [prog]\n"
                "  39.50%   39.50%          79  |-- h [libc.so.6]\n"
                "   0.50%                    1  `-- (1 more below 0.60%)\n");
}

TEST_OF(tree_head_says_what_has_the_most_in_itself, fixture, f, FUNCTIONS)
{
    const struct tree_options options = {.node_fraction = 1, .hottest = true};
    struct capture capture;

    fixture_add(f, "t", 1, "main f", 20);
    fixture_add(f, "t", 1, "main g", 50);
    fixture_add(f, "t", 1, "main h", 9);
    fixture_add(f, "t", 1, "main i", 21);
    assert_int_equal(tree_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL), &options,
                                capture_begin(&capture)),
                     STATUS_OK);
    capture_end(&capture);
    assert_non_null(strstr(capture.text, "samples: 100\n"
                                         "most in itself: g 50 %, i 21 %, f 20 %\n"
                                         "\n"));
    free(capture.text);
}

TEST_OF(tree_without_fraction_cuts_nothing, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "start main f", 999);
    fixture_add(f, "t", 1, "start main f g", 999);
    fixture_add(f, "t", 1, "clone f h", 1);
    fixture_add(f, "t", 1, "clone g", 1);
    assert_tree(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, 0, NULL,
                "samples: 2000\n"
                "\n"
                "   total     self     samples  function [module]\n"
                "  99.90%    0.00%        1998  |-- _start [prog]\n"
                "  99.90%    0.00%        1998  |   main [prog]\n"
                "  99.90%   49.95%        1998  |   f [prog]\n"
                "  49.95%   49.95%         999  |   g [prog]\n"
                "   0.10%    0.00%           2  `-- clone [libc.so.6]\n"
                "   0.05%    0.05%           1      |-- g [prog]\n"
                "   0.05%    0.00%           1      `-- f [prog]\n"
                "   0.05%    0.05%           1          h [libc.so.6]\n");
}

TEST_OF(tree_what_is_no_file_has_one_pair_of_brackets, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main anon@7008", 2);
    fixture_add(f, "t", 1, "main @9000", 1);
    assert_tree(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, 0, NULL,
                "samples: 3\n"
                "\n"
                "   total     self     samples  function [module]\n"
                " 100.00%    0.00%           3  main [prog]\n"
                "  66.67%   66.67%           2  |-- [anon]+0x7008 [anon]\n"
                "  33.33%   33.33%           1  `-- [unknown]+0x9000 [unknown]\n");
}

TEST_OF(tree_by_module_and_time_shows_both, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "start main f h", 3000);
    fixture_add(f, "t", 1, "start main f", 1000);
    assert_tree(f, GRAPH_BY_MODULE, WEIGHT_WALL, 0, "a\nb",
                "a?b\n"
                "wall time: 4.0 ms\n"
                "\n"
                "   total     self        time  module\n"
                " 100.00%   25.00%      4.0 ms  /usr/bin/prog\n"
                "  75.00%   75.00%      3.0 ms  /usr/lib/libc.so.6\n");
}

TEST_OF(tree_inverted_has_callers_below_callees, fixture, f, FUNCTIONS)
{
    f->inverted = true;
    fixture_add(f, "t", 1, "start main f h", 60);
    fixture_add(f, "t", 1, "start main h", 20);
    fixture_add(f, "t", 2, "main h", 10);
    fixture_add(f, "t", 1, "start main", 10);
    assert_tree(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, 0, NULL,
                "samples: 100\n"
                "inverted: functions by their own weight, with their callers below\n"
                "\n"
                "   total   begins     samples  function [module]\n"
                "  90.00%    0.00%          90  |-- h [libc.so.6]\n"
                "  60.00%    0.00%          60  |   |-- f [prog]\n"
                "  60.00%    0.00%          60  |   |   main [prog]\n"
                "  60.00%   60.00%          60  |   |   _start [prog]\n"
                "  30.00%   10.00%          30  |   `-- main [prog]\n"
                "  20.00%   20.00%          20  |       _start [prog]\n"
                "  10.00%    0.00%          10  `-- main [prog]\n"
                "  10.00%   10.00%          10      _start [prog]\n");
}

TEST_OF(tree_relative_has_shares_of_what_is_shown, fixture, f, FUNCTIONS)
{
    struct graph_filter filter = {.has_tid = true, .tid = 2};
    struct capture capture;

    f->relative = true;
    fixture_add(f, "t", 1, "main f", 70);
    fixture_add(f, "u", 2, "main f", 20);
    fixture_add(f, "u", 2, "main g", 10);
    assert_int_equal(tree_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, &filter),
                                &(struct tree_options){.node_fraction = 0.4},
                                capture_begin(&capture)),
                     STATUS_OK);
    assert_captured(&capture, "samples: 30 of 100 shown (30.00%); shares are of the 30\n"
                              "\n"
                              "   total     self     samples  function [module]\n"
                              " 100.00%    0.00%          30  main [prog]\n"
                              "  66.67%   66.67%          20  |-- f [prog]\n"
                              "  33.33%                   10  `-- (1 more below 40.00%)\n");
}

TEST_OF(tree_by_line_names_the_line, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "start main/2 f/1", 1);
    assert_tree(f, GRAPH_BY_LINE, WEIGHT_SAMPLES, 0, NULL,
                "samples: 1\n"
                "\n"
                "   total     self     samples  function [module]\n"
                " 100.00%    0.00%           1  _start [prog]\n"
                " 100.00%    0.00%           1  main (main.c:12) [prog]\n"
                " 100.00%  100.00%           1  f (f.c:101) [prog]\n");
}

/* A chain of branches 2,000 deep: each line says where it is, none grows without end. */
TEST_OF(tree_deep_branches_stop_indenting, fixture, f, FUNCTIONS)
{
    struct weights one = {.value = {1, 1, 1}};
    struct chain chain = {.stop = STOP_DEPTH};
    struct capture capture;
    size_t longest = 0;
    uint32_t thread;

    chain.frames = calloc(2001, sizeof(*chain.frames));
    assert_int_equal(profile_thread(f->profile, 1, 1, "t", &thread), STATUS_OK);
    for (size_t depth = 1; depth <= 2000; depth++) {
        uint32_t id;

        for (size_t i = 0; i <= depth; i++)
            chain.frames[i] = (struct frame){.pc_addr = i == 0 ? 0x2000 : 0x1000, .is_call = true};
        chain.count = depth + 1;
        assert_int_equal(profile_chain(f->profile, &chain, NULL, &id), STATUS_OK);
        assert_int_equal(profile_weigh(f->profile, thread, id, 'R', &one), STATUS_OK);
    }
    assert_int_equal(tree_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                &(struct tree_options){0}, capture_begin(&capture)),
                     STATUS_OK);
    capture_end(&capture);
    assert_non_null(strstr(capture.text, "[level 1998] [unknown]+0x1000"));
    for (char *line = strtok(capture.text, "\n"); line; line = strtok(NULL, "\n"))
        if (strlen(line) > longest)
            longest = strlen(line);
    assert_in_range(longest, 4 * TREE_INDENT_MAX, 4 * TREE_INDENT_MAX + 100);
    free(capture.text);
    free(chain.frames);
}

TEST_OF(tree_that_is_brief_has_short_names_and_no_starts, fixture, f, FUNCTIONS)
{
    struct capture capture;

    fixture_add(f, "t", 1, "start main long", 3);
    fixture_add(f, "t", 2, "clone f", 1);
    assert_int_equal(tree_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                &(struct tree_options){.brief = true}, capture_begin(&capture)),
                     STATUS_OK);
    assert_captured(&capture,
                    "samples: 4\n"
                    "\n"
                    "   total     self     samples  function [module]\n"
                    "  75.00%    0.00%           3  |-- main [prog]\n"
                    "  75.00%   75.00%           3  |   std::vector<..>::push(..) [prog]\n"
                    "  25.00%   25.00%           1  `-- f [prog]\n");
}

TEST_OF(tree_leaves_room_for_names, fixture, f, FUNCTIONS)
{
    struct capture capture;

    fixture_add(f, "t", 1, "main f g h", 1);
    fixture_add(f, "t", 1, "main f g i", 1);
    fixture_add(f, "t", 1, "main f h", 3);
    fixture_add(f, "t", 1, "main g", 9);
    assert_int_equal(tree_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                &(struct tree_options){.columns = 60}, capture_begin(&capture)),
                     STATUS_OK);
    assert_captured(&capture, "samples: 14\n"
                              "\n"
                              "   total     self     samples  function [module]\n"
                              " 100.00%    0.00%          14  main [prog]\n"
                              "  64.29%   64.29%           9  |-- g [prog]\n"
                              "  35.71%    0.00%           5  `-- f [prog]\n"
                              "  21.43%   21.43%           3      |-- h [libc.so.6]\n"
                              "  14.29%    0.00%           2      `-- g [prog]\n"
                              "   7.14%    7.14%           1      |-- [level 2] h [libc.so.6]\n"
                              "   7.14%    7.14%           1      `-- [level 2] i [libc.so.6]\n");
}

TEST_OF(tree_full_disk_is_an_error, fixture, f, FUNCTIONS)
{
    FILE *full = fopen("/dev/full", "w");

    assert_non_null(full);
    fixture_add(f, "t", 1, "main", 1);
    assert_int_equal(tree_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                &(struct tree_options){0}, full),
                     STATUS_IO);
    fclose(full);
}
