/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/perf_script.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"host", .start = 0x3000, .name = "host(int)", .file = "src/h.c", .line = 100,
     .inlined = "inlined_one"},
    {"odd", .module = 1, .start = 0x1000, .name = "odd\n"},
    {"nameless", .module = 1, .start = 0x4000, .is_nameless = true},
    {0},
};

static void assert_script(enum weight_kind weight, const char *thread, const char *chain_text,
                          const char *want)
{
    const struct snap_sample sample = {
        .pid = 7, .tid = 8, .time_ns = 5001002999, .state = 'R', .repeat = true};
    const struct weights weights = {.value = {1, 2000, 0}};
    struct perf_script out = {.weight = weight};
    struct capture capture;
    struct fixture f;
    struct chain chain;

    fixture_init(&f, FUNCTIONS);
    out.file = capture_begin(&capture);
    out.names = f.names;
    chain = fixture_chain(&f, chain_text);
    for (int i = 0; i < 2; i++) /* from the frames' texts the second time */
        assert_int_equal(perf_script_sample(&out, thread, &sample, &chain, &weights), STATUS_OK);
    capture_end(&capture);
    assert_int_equal(capture.size, 2 * strlen(want));
    assert_memory_equal(capture.text, want, strlen(want));
    assert_string_equal(capture.text + strlen(want), want);
    free(capture.text);
    chain_deinit(&chain);
    perf_script_deinit(&out);
    fixture_deinit(&f);
}

TEST(perf_script_frames_are_innermost_first_with_offsets)
{
    assert_script(WEIGHT_SAMPLES, "two words", "main host/900 odd",
                  "two words     7/8         5.001002:          1 samples: \n"
                  "\t    550000001010 odd?+0x10 (/usr/lib/libc.so.6)\n"
                  "\t    550000003901 inlined_one (inlined)\n"
                  "\t    550000003901 host(int)+0x901 (/usr/bin/prog)\n"
                  "\t    550000002011 main+0x11 (/usr/bin/prog)\n"
                  "\n");
}

/* Readers cut one "+0x…" off to have the name. */
TEST(perf_script_made_up_names_survive_the_cutting_of_offsets)
{
    assert_script(WEIGHT_SAMPLES, "t", "@beef lib@5 nameless",
                  "t     7/8         5.001002:          1 samples: \n"
                  "\t    550000004010 libc.so.6+0x4000+0x10 (/usr/lib/libc.so.6)\n"
                  "\t               5 libx.so+0x5+0x0 (/opt/libx.so)\n"
                  "\t            beef [unknown]+0xbeef+0x0 ([unknown])\n"
                  "\n");
}

TEST(perf_script_weights_are_periods_and_zero_is_left_out)
{
    assert_script(WEIGHT_WALL, "t", "main",
                  "t     7/8         5.001002:       2000 wall-clock: \n"
                  "\t    550000002010 main+0x10 (/usr/bin/prog)\n"
                  "\n");
    assert_script(WEIGHT_CPU, "t", "main", "");
}

TEST(perf_script_thread_names_cannot_break_the_format)
{
    assert_script(WEIGHT_SAMPLES, "", "", ":8     7/8         5.001002:          1 samples: \n\n");
    assert_script(WEIGHT_SAMPLES, "\t\n", "",
                  "??     7/8         5.001002:          1 samples: \n\n");
    assert_script(WEIGHT_SAMPLES, " x", "",
                  "_x     7/8         5.001002:          1 samples: \n\n");
    assert_script(WEIGHT_SAMPLES, "worker no 1/2 x", "",
                  "worker no_1/2 x     7/8         5.001002:          1 samples: \n\n");
}

TEST_OF(perf_script_full_disk_is_an_error, fixture, f, FUNCTIONS)
{
    const struct snap_sample sample = {.pid = 7, .tid = 8};
    const struct weights weights = {.value = {1, 1, 1}};
    struct perf_script out = {.file = fopen("/dev/full", "w")};
    struct chain chain;

    assert_non_null(out.file);
    setvbuf(out.file, NULL, _IONBF, 0);
    out.names = f->names;
    chain = fixture_chain(f, "main");
    assert_int_equal(perf_script_sample(&out, "t", &sample, &chain, &weights), STATUS_IO);
    fclose(out.file);
    chain_deinit(&chain);
    perf_script_deinit(&out);
}
