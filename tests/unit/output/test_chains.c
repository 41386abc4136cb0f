/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "output/chains.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"host", .start = 0x3000, .file = "src/h.c", .line = 100, .inlined = "inlined"},
    {"odd", .module = 1, .start = 0x1000, .name = "odd\x1b[31m"},
    {"nameless", .module = 1, .start = 0x4000, .is_nameless = true},
    {0},
};

TEST_OF(chains_samples_are_the_golden_ones, fixture, f, FUNCTIONS)
{
    struct snap_sample sample = {.pid = 7, .tid = 8, .time_ns = 5000000000, .state = 'R'};
    struct chains_out out = {.word_size = 8};
    struct capture capture;
    struct chain chain;

    out.file = capture_begin(&capture);
    out.names = f->names;
    chain = fixture_chain(f, "main host/900!fp odd nameless lib@5 @beef");
    assert_int_equal(chains_sample(&out, "worker", &sample, NULL, &chain), STATUS_OK);
    sample.repeat = true;
    sample.time_ns += 1234567000;
    sample.state = 'S';
    assert_int_equal(chains_sample(&out, "worker", &sample, NULL, &chain), STATUS_OK);
    chain_deinit(&chain);
    chain = fixture_chain(f, "main");
    chain.stop = STOP_NO_RULE;
    sample = (struct snap_sample){.pid = 9, .tid = 9, .time_ns = 5000000000};
    assert_int_equal(chains_sample(&out, "o\nther", &sample, NULL, &chain), STATUS_OK);
    chain_deinit(&chain);
    capture_end(&capture);
    assert_golden("graph-samples.chains", capture.text);
    free(capture.text);
}

TEST_OF(chains_narrow_words_have_short_addresses, fixture, f, FUNCTIONS)
{
    struct snap_sample sample = {.pid = 7, .tid = 8};
    struct chains_out out = {.word_size = 4};
    struct capture capture;
    struct chain chain;

    out.file = capture_begin(&capture);
    out.names = f->names;
    chain = fixture_chain(f, "@beef");
    assert_int_equal(chains_sample(&out, "t", &sample, NULL, &chain), STATUS_OK);
    assert_captured(&capture, "PID 7 - process\n"
                              "TID 8: t, 0.000000 s\n"
                              "#0  0x0000beef [unknown]+0xbeef [context]\n"
                              "stop: thread-start\n");
    chain_deinit(&chain);
}

TEST_OF(chains_tell_what_interrupted_a_frame_and_why, fixture, f, FUNCTIONS)
{
    const struct snap_system system[] = {{0xe000ed28, 0x02000000}};
    struct snap_sample sample = {.pid = 7, .tid = 8, .system = system, .system_count = 1};
    struct address_space space = {.board = {.is_board = true, .profile = SNAP_PROFILE_ARM_M}};
    struct chains_out out = {.word_size = 4, .arch = arch_get(ARCH_ARM)};
    struct capture capture;
    struct chain chain;

    out.file = capture_begin(&capture);
    out.names = f->names;
    chain = fixture_chain(f, "@beef @cafe");
    chain.frames[0].trust = TRUST_EXCEPTION;
    chain.frames[0].exception = 6;
    assert_int_equal(chains_sample(&out, "t", &sample, &space, &chain), STATUS_OK);
    sample.system_count = 0;
    chain.frames[0].exception = 0;
    space.board.is_board = false;
    assert_int_equal(chains_sample(&out, "t", &sample, &space, &chain), STATUS_OK);
    capture_end(&capture);
    assert_non_null(strstr(capture.text, "TID 8: t, 0.000000 s\nfault: UsageFault: DIVBYZERO\n#0"));
    assert_non_null(strstr(capture.text, "[exception] by UsageFault\n"));
    assert_non_null(strstr(capture.text, "TID 8: t, 0.000000 s\n#0"));
    assert_non_null(strstr(capture.text, "[exception]\n"));
    free(capture.text);
    chain_deinit(&chain);
}
