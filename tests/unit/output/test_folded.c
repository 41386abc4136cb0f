/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/folded.h"

static const struct fixture_function FUNCTIONS[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"foo", .start = 0x3000, .file = "src/foo.c", .line = 100},
    {"fooint", .start = 0x4000, .name = "foo(int)", .file = "src/foo.c", .line = 200},
    {"foo12", .start = 0x5000, .name = "foo 12"},
    {"semi", .start = 0x6000, .name = "a;b\nc\xff"},
    {"s1", .start = 0x7000, .name = "helper", .file = "a.c", .line = 1},
    {"s2", .start = 0x8000, .name = "helper", .file = "b.c", .line = 1},
    {"inl", .start = 0x9000, .name = "outer", .file = "o.c", .line = 5, .inlined = "inner"},
    {"read", .module = 1, .start = 0x1000},
    {"write", .module = 1, .start = 0x2000},
    {"x", .module = 2, .start = 0x1000, .is_nameless = true},
    {0},
};

static void assert_folded(struct fixture *f, enum graph_by by, enum weight_kind weight,
                          const struct graph_filter *filter, const char *want)
{
    struct view *view = fixture_view(f, by, weight, filter);
    struct capture capture;

    assert_int_equal(folded_write(view, capture_begin(&capture)), STATUS_OK);
    assert_captured(&capture, want);
}

TEST_OF(folded_lines_are_merged_and_sorted_by_bytes, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main foo", 12);
    fixture_add(f, "t", 1, "main foo/30", 1);
    fixture_add(f, "t", 1, "main foo read", 2);
    fixture_add(f, "t", 1, "main fooint", 3);
    fixture_add(f, "t", 1, "main foo12", 4);
    fixture_add(f, "t", 1, "main foo12 read", 5);
    fixture_add(f, "a", 2, "main", 6);
    assert_folded(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL,
                  "a;main 6\n"
                  "t;main;foo 12 4\n"
                  "t;main;foo 12;read 5\n"
                  "t;main;foo 13\n"
                  "t;main;foo(int) 3\n"
                  "t;main;foo;read 2\n");
}

TEST_OF(folded_names_cannot_break_the_format, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t;1\n", 1, "main semi", 1);
    fixture_add(f, "", 5, "x", 1);
    fixture_add(f, "u", 6, "@dead", 2);
    assert_folded(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL,
                  "t:1?;main;a:b?c\xef\xbf\xbd 1\n"
                  "thread;libx.so+0x1000 1\n"
                  "u;[unknown]+0xdead 2\n");
}

TEST_OF(folded_threads_of_one_name_are_one, fixture, f, FUNCTIONS)
{
    fixture_add(f, "pool", 8, "main", 1);
    fixture_add(f, "pool", 9, "main", 2);
    fixture_add(f, "main", 7, "main", 3);
    assert_folded(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL, "main;main 3\npool;main 3\n");
}

TEST_OF(folded_same_text_of_two_functions_is_one_line, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main s1", 1);
    fixture_add(f, "t", 1, "main s2", 2);
    assert_folded(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL, "t;main;helper 3\n");
}

TEST_OF(folded_inlined_functions_are_frames, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main inl/900 read", 1);
    assert_folded(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL, "t;main;outer;inner;read 1\n");
    assert_folded(f, GRAPH_BY_MODULE, WEIGHT_SAMPLES, NULL, "t;prog;libc.so.6 1\n");
    assert_folded(f, GRAPH_BY_LINE, WEIGHT_SAMPLES, NULL,
                  "t;main (main.c:26);outer (o.c:2309);inner (o.c:900);read 1\n");
}

TEST_OF(folded_time_is_in_nanoseconds_and_zero_is_left_out, fixture, f, FUNCTIONS)
{
    struct weights waited = {.value = {1, 1500, 0}};

    fixture_add(f, "t", 1, "main read", 0);
    assert_int_equal(profile_weigh(f->profile, 0, 0, 'R', &waited), STATUS_OK);
    fixture_add(f, "t", 1, "main foo", 2);
    assert_folded(f, GRAPH_BY_FUNCTION, WEIGHT_WALL, NULL, "t;main;foo 2000\nt;main;read 1500\n");
    assert_folded(f, GRAPH_BY_FUNCTION, WEIGHT_CPU, NULL, "t;main;foo 20\n");
}

TEST_OF(folded_recursion_is_shown_as_it_is, fixture, f, FUNCTIONS)
{
    fixture_add(f, "t", 1, "main foo foo foo", 1);
    assert_folded(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL, "t;main;foo;foo;foo 1\n");
}

TEST_OF(folded_inverted_has_the_thread_first_all_the_same, fixture, f, FUNCTIONS)
{
    f->inverted = true;
    fixture_add(f, "t", 1, "main inl/900 read", 1);
    fixture_add(f, "t", 1, "main foo read", 2);
    fixture_add(f, "u", 2, "main foo read", 4);
    fixture_add(f, "u", 2, "main", 8);
    assert_folded(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL,
                  "t;read;foo;main 2\n"
                  "t;read;inner;outer;main 1\n"
                  "u;main 8\n"
                  "u;read;foo;main 4\n");
    assert_folded(f, GRAPH_BY_MODULE, WEIGHT_SAMPLES, NULL,
                  "t;libc.so.6;prog 3\n"
                  "u;libc.so.6;prog 4\n"
                  "u;prog 8\n");
}

TEST_OF(folded_full_disk_is_an_error, fixture, f, FUNCTIONS)
{
    FILE *full = fopen("/dev/full", "w");

    assert_non_null(full);
    fixture_add(f, "t", 1, "main", 1);
    assert_int_equal(folded_write(fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL), full),
                     STATUS_IO);
    fclose(full);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whatever the chains: the lines are sorted, distinct, and their weights are the samples. */
TEST(folded_random_chains_add_up)
{
    uint32_t seed = 1;

    for (int round = 0; round < 20; round++) {
        struct capture capture;
        struct fixture f;
        uint64_t samples = 0;
        uint64_t sum = 0;
        char *last = NULL;

        fixture_init(&f, FUNCTIONS);
        for (int i = 0; i < 200; i++) {
            char text[256] = "start";
            char thread[2] = "a";

            for (uint32_t depth = 0; depth < 12 && strlen(text) < 200; depth++) {
                seed = seed * 1103515245 + 12345;
                strcat(text, " ");
                strcat(text, FUNCTIONS[(seed >> 16) % 12].alias);
            }
            seed = seed * 1103515245 + 12345;
            thread[0] = (char)('a' + (seed >> 16) % 3);
            fixture_add(&f, thread, (seed >> 20) % 2, text, (seed >> 24) % 4);
            samples += (seed >> 24) % 4;
        }
        assert_int_equal(folded_write(fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL),
                                      capture_begin(&capture)),
                         STATUS_OK);
        capture_end(&capture);
        for (char *line = strtok(capture.text, "\n"); line; line = strtok(NULL, "\n")) {
            if (last)
                assert_true(compare_lines(&last, &line) < 0);
            sum += strtoull(strrchr(line, ' '), NULL, 10);
            last = line;
        }
        assert_int_equal(sum, samples);
        free(capture.text);
        fixture_deinit(&f);
    }
}
