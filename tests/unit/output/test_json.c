/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include <jansson.h>

#include "output/json.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"host", .start = 0x3000, .file = "src/h.c", .line = 100, .inlined = "inlined"},
    {"bad", .module = 1, .start = 0x1000, .name = "b\xff\xfe\"\n\xc3\xa4", .file = "c:\\x",
     .line = 1},
    {"nameless", .module = 1, .start = 0x4000, .is_nameless = true},
    {"lost", .module = 1, .start = 0x6000, .is_nameless = true, .no_start = true},
    {0},
};

static const uint8_t COMMAND[] = "prog\0-x\0\xff";

static void write_all(struct json_out *out, struct fixture *f)
{
    const struct snap_process process = {.pid = 7,
                                         .parent_pid = 1,
                                         .time_ns = 1000,
                                         .exe = "/usr/bin/prog",
                                         .host = "h",
                                         .kernel = "",
                                         .command_line = COMMAND,
                                         .command_line_size = sizeof(COMMAND)};
    const struct snap_thread thread = {.pid = 7, .tid = 8, .time_ns = 1001, .name = "a;\"b\n"};
    struct snap_sample sample = {.pid = 7, .tid = 8, .time_ns = 2000, .cpu_ns = 5, .state = 'R'};
    struct quality quality = {.samples = 2, .repeats = 1, .chains_unwound = 1, .frames = 10};
    struct chain chain;

    f->modules[1].file.build_id = (const uint8_t *)"\x0a\xbc\xff";
    f->modules[1].file.build_id_size = 3;
    assert_int_equal(json_out_snapshot(out, &process, arch_get(ARCH_X86_64), 99), STATUS_OK);
    assert_int_equal(json_out_thread(out, &thread), STATUS_OK);
    chain = fixture_chain(f, "main host/900!fp bad nameless lost lib@5 anon@7f00 @beef");
    assert_int_equal(json_out_sample(out, &sample, NULL, &chain), STATUS_OK);
    chain_deinit(&chain);
    chain = fixture_chain(f, "main");
    chain.stop = STOP_TRUNCATED;
    sample = (struct snap_sample){.pid = 7,
                                  .tid = 8,
                                  .time_ns = UINT64_MAX,
                                  .wall_ns = 10,
                                  .state = 'S',
                                  .repeat = true,
                                  .has_syscall = true,
                                  .syscall = 202,
                                  .syscall_args = {1, 2, 3, 4, 5, UINT64_MAX}};
    assert_int_equal(json_out_sample(out, &sample, NULL, &chain), STATUS_OK);
    chain_deinit(&chain);
    quality.frames_by_trust[TRUST_FP] = 9;
    quality.chains_by_stop[STOP_THREAD_START] = 2;
    quality.running = 4;
    quality.running_complete = 3;
    quality.has_capture = true;
    quality.capture.rate_asked_mhz = 99000;
    quality.cut_short = true;
    assert_int_equal(json_out_summary(out, &quality), STATUS_OK);
}

TEST_OF(json_lines_are_the_golden_ones, fixture, f, FUNCTIONS)
{
    struct json_out out;
    struct capture capture;

    out = (struct json_out){.file = capture_begin(&capture), .names = f->names};
    write_all(&out, f);
    capture_end(&capture);
    assert_golden("graph-samples.json", capture.text);
    free(capture.text);
    json_out_deinit(&out);
}

/* Read back by a strict parser, line by line. */
TEST_OF(json_lines_are_valid, fixture, f, FUNCTIONS)
{
    struct json_out out;
    struct capture capture;
    int lines = 0;

    out = (struct json_out){.file = capture_begin(&capture), .names = f->names};
    write_all(&out, f);
    capture_end(&capture);
    for (char *line = strtok(capture.text, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *json = json_loads(line, JSON_REJECT_DUPLICATES, NULL);

        assert_non_null(json);
        assert_non_null(json_object_get(json, "type"));
        json_decref(json);
        lines++;
    }
    assert_int_equal(lines, 5);
    free(capture.text);
    json_out_deinit(&out);
}

TEST_OF(json_samples_of_boards_have_exceptions_and_faults, fixture, f, FUNCTIONS)
{
    const struct snap_system system[] = {{0xe000ed28, 0x02000000}};
    const struct snap_sample sample = {.pid = 7, .tid = 8, .system = system, .system_count = 1};
    struct address_space space = {.board = {.is_board = true, .profile = SNAP_PROFILE_ARM_M}};
    struct json_out out;
    struct capture capture;
    struct chain chain;

    out = (struct json_out){.file = capture_begin(&capture),
                            .names = f->names,
                            .arch = arch_get(ARCH_ARM)};
    chain = fixture_chain(f, "main");
    chain.frames[0].trust = TRUST_EXCEPTION;
    chain.frames[0].exception = 15;
    assert_int_equal(json_out_sample(&out, &sample, &space, &chain), STATUS_OK);
    chain.frames[0].exception = 16;
    assert_int_equal(json_out_sample(&out, &sample, &space, &chain), STATUS_OK);
    capture_end(&capture);
    assert_non_null(strstr(capture.text, "\"fault\":\"earlier: UsageFault: DIVBYZERO\""));
    assert_non_null(strstr(capture.text, "\"trust\":\"exception\",\"exception\":{\"number\":15,"
                                         "\"name\":\"SysTick\"}"));
    assert_non_null(strstr(capture.text, "{\"number\":16,\"name\":\"IRQ 0\"}"));
    free(capture.text);
    chain_deinit(&chain);
    json_out_deinit(&out);
}

TEST_OF(json_same_function_elsewhere_has_its_own_address, fixture, f, FUNCTIONS)
{
    const struct snap_sample sample = {.pid = 7, .tid = 8};
    struct json_out out;
    struct capture capture;
    struct chain chain;

    out = (struct json_out){.file = capture_begin(&capture), .names = f->names};
    chain = fixture_chain(f, "main");
    assert_int_equal(json_out_sample(&out, &sample, NULL, &chain), STATUS_OK);
    assert_int_equal(json_out_sample(&out, &sample, NULL, &chain), STATUS_OK);
    chain.frames[0].pc_addr = 0x1122;
    assert_int_equal(json_out_sample(&out, &sample, NULL, &chain), STATUS_OK);
    capture_end(&capture);
    assert_non_null(strstr(capture.text, "\"pc\":\"0x550000002010\""));
    assert_non_null(strstr(capture.text, "\"pc\":\"0x1122\""));
    assert_int_equal(out.texts.count, 2);
    free(capture.text);
    chain_deinit(&chain);
    json_out_deinit(&out);
}

TEST(json_full_disk_is_an_error)
{
    struct json_out out = {.file = fopen("/dev/full", "w")};
    struct quality quality = {0};

    assert_non_null(out.file);
    assert_int_equal(json_out_summary(&out, &quality), STATUS_IO);
    fclose(out.file);
}
