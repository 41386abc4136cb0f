/* SPDX-License-Identifier: MIT */
/* What the formats that tell who threads are write of a small program: golden files. */
#include "output/threads/stats_text.h"
#include "output/threads/threads_dot.h"
#include "output/threads/threads_json.h"
#include "output/threads/threads_text.h"
#include "threads/report_text.h"
#include "threads_fixture.h"

static const struct fixture_function functions[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000, .file = "prog.c", .line = 10},
    {"manager", .start = 0x3000, .file = "prog.c", .line = 20},
    {"worker", .start = 0x4000, .file = "prog.c", .line = 30},
    {"pool", .start = 0x5000, .name = "start_pool", .file = "prog.c", .line = 40},
    {"deep", .start = 0x6000, .file = "prog.c", .line = 50, .inlined = "inlined_into_deep"},
    {"clone", .module = 1, .start = 0x1000, .name = "clone3"},
    {"start_thread", .module = 1, .start = 0x2000},
    {"create", .module = 1, .start = 0x3000, .name = "pthread_create@@GLIBC_2.34"},
    {"wait", .module = 1, .start = 0x5000},
    {"fork", .module = 1, .start = 0x6000},
    {"run", .start = 0x8000, .name = "std::thread::_State_impl<void (*)()>::_M_run()"},
    {"invoke", .start = 0x9000, .name = "void std::__invoke_impl<void, void (*)()>(void (*&&)())"},
    {"sleep", .start = 0xa000,
     .name = "void std::this_thread::sleep_for<long>(std::chrono::duration<long>)"},
    {"libc_main", .module = 1, .start = 0x7000, .name = "__libc_start_main"},
    {0},
};

#define SECOND UINT64_C(1000000000)

static enum status write_stats(const struct report *report, FILE *out)
{
    const struct timeline_source source = {.report = report, .names = report->profile->names};
    struct timeline *timeline = NULL;
    enum status status = timeline_create(&source, &timeline);

    if (status == STATUS_OK)
        status = stats_text_write(timeline, out);
    timeline_destroy(timeline);
    return status;
}

/* A manager with two pools, a thread that was there before, and a process that was forked. */
static const struct report *tell(struct story *s)
{
    story_thread(s, 8, "old\x07", 0, NULL, 1);
    story_sample(s, 7, SECOND, 'S', "start libc_main main wait");
    story_sample(s, 8, SECOND, 'S', "clone start_thread worker wait");
    story_thread(s, 9, "manager", 7, "start libc_main main create clone", SECOND + 1);
    for (uint32_t i = 0; i < 12; i++) {
        char name[16];

        snprintf(name, sizeof(name), "worker-%u", i);
        story_thread(s, 10 + i, name, 9, "clone start_thread manager pool create clone",
                     SECOND + 2 + i);
        story_sample(s, 10 + i, SECOND + 100 + i, 'S', "clone start_thread worker wait");
        story_sample(s, 10 + i, 2 * SECOND + i, 'R', "clone start_thread worker deep/900 deep");
        story_sample(s, 10 + i, 3 * SECOND + i, 'S', "clone start_thread worker wait");
    }
    story_thread(s, 30, "short", 9, "clone start_thread manager/40 create clone", 2 * SECOND);
    story_end(s, 30, 2 * SECOND + 5000000);
    story_end(s, 11, 3 * SECOND + 500000000);
    story_process(s, 40, "/usr/bin/prog");
    story_thread(s, 40, "prog", 7, "start libc_main main/50 fork", 2 * SECOND);
    story_sample(s, 40, 3 * SECOND, 'R', "start libc_main main/60 deep");
    s->report.title = "/usr/bin/prog (pid 7)";
    return story_report(s);
}

TEST_OF(threads_text_shows_the_hierarchy, story, s, functions)
{
    struct capture capture;
    const struct report *report = tell(s);

    assert_int_equal(threads_text_write(report, capture_begin(&capture)), STATUS_OK);
    assert_captured_golden(&capture, "threads.txt");
    s->report.verbose = true;
    assert_int_equal(threads_text_write(report, capture_begin(&capture)), STATUS_OK);
    assert_captured_golden(&capture, "threads-verbose.txt");
}

TEST_OF(threads_json_has_all_facts, story, s, functions)
{
    struct capture capture;
    const struct report *report = tell(s);

    assert_int_equal(threads_json_write(report, capture_begin(&capture)), STATUS_OK);
    assert_captured_golden(&capture, "threads.json");
}

TEST_OF(threads_dot_has_a_node_an_identity, story, s, functions)
{
    struct capture capture;
    const struct report *report = tell(s);

    assert_int_equal(threads_dot_write(report, 0, capture_begin(&capture)), STATUS_OK);
    assert_captured_golden(&capture, "threads.dot");
    /* The lower end of the tree is left out, and told. */
    assert_int_equal(threads_dot_write(report, 4, capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "left out: 2 kinds"));
    assert_null(strstr(capture.text, "start_pool"));
    free(capture.text);
}

TEST_OF(stats_text_has_times_stacks_and_functions, story, s, functions)
{
    struct capture capture;
    const struct report *report = tell(s);

    assert_int_equal(write_stats(report, capture_begin(&capture)), STATUS_OK);
    assert_captured_golden(&capture, "threads-stats.txt");
    s->report.verbose = true;
    assert_int_equal(write_stats(report, capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "    21 worker-11"));
    free(capture.text);
}

TEST_OF(tids_are_a_range_only_where_they_follow_each_other, story, s, functions)
{
    struct capture capture;

    for (uint32_t tid = 8; tid < 14; tid++) {
        story_thread(s, tid, "w", 7,
                     tid == 10 ? "start main/9 create clone" : "start main create clone", SECOND);
        story_sample(s, tid, SECOND, 'R', "clone start_thread worker");
    }
    assert_int_equal(threads_text_write(story_report(s), capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "  tids 8 … 13  "));
    free(capture.text);
}

/* Of the wall time, which begins with the first sample, it has no share. */
TEST(stats_text_has_chains_without_what_the_language_puts_around)
{
    for (int verbose = 0; verbose < 2; verbose++) {
        const char *expected =
            verbose ? "wait ← void std::this_thread::sleep_for<..>(..) ← worker"
                    : "most bytes: wait ← std::this_thread::sleep_for ← worker ← … ← "
                      "start_thread ← clone3\n";
        struct capture capture;
        struct story s;

        story_init(&s, functions);
        story_thread(&s, 8, "w", 0, NULL, 1);
        story_sample(&s, 8, SECOND, 'S', "clone start_thread run invoke worker sleep wait");
        s.report.verbose = verbose;
        assert_int_equal(write_stats(story_report(&s), capture_begin(&capture)), STATUS_OK);
        assert_non_null(strstr(capture_end(&capture), expected));
        free(capture.text);
        story_deinit(&s);
    }
}

/* A chain may be as deep as a stack. */
TEST_OF(stats_text_counts_what_is_left_out_of_a_deep_chain, story, s, functions)
{
    struct capture capture;
    char chain[512] = "clone start_thread run invoke";

    for (int i = 0; i < 30; i++)
        strcat(chain, " deep");
    story_thread(s, 8, "w", 0, NULL, 1);
    story_sample(s, 8, SECOND, 'S', chain);
    assert_int_equal(write_stats(story_report(s), capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "← … 10 more\n"));
    free(capture.text);
}

/* Of the first one the words before the chain are a part. */
TEST(stats_text_breaks_chains_before_column_100)
{
    for (size_t deep = 1; deep < 40; deep++) {
        char chain[512] = "clone start_thread run invoke worker";
        struct capture capture;
        struct story s;
        const char *at;

        for (size_t i = 0; i < deep; i++)
            strcat(chain, " deep");
        story_init(&s, functions);
        story_thread(&s, 8, "w", 0, NULL, 1);
        story_sample(&s, 8, SECOND, 'S', chain);
        assert_int_equal(write_stats(story_report(&s), capture_begin(&capture)), STATUS_OK);
        at = strstr(capture_end(&capture), "    most bytes: ");
        assert_non_null(at);
        for (size_t length; (length = strcspn(at, "\n")) > 0; at += length + 1) {
            char line[512];

            assert_true(length < sizeof(line));
            snprintf(line, sizeof(line), "%.*s", (int)length, at);
            if (report_text_width(line) > 100)
                fail_msg("%s", line);
        }
        free(capture.text);
        story_deinit(&s);
    }
}

TEST_OF(stats_text_has_cpu_time_of_before_the_first_sample_apart, story, s, functions)
{
    struct capture capture;

    story_thread(s, 8, "w", 7, "start main create clone", SECOND);
    story_sample(s, 8, SECOND, 'R', "clone start_thread worker");
    story_sample(s, 8, SECOND + 1000000, 'S', "clone start_thread worker wait");
    assert_int_equal(write_stats(story_report(s), capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "2     1.0 ms     1.0 ms     0.00%     0.00%"));
    free(capture.text);
}

/* A burst between two samples: its CPU time is exact, and no time is counted twice. */
TEST_OF(stats_text_shares_are_parts_of_all, story, s, functions)
{
    struct capture capture;

    story_thread(s, 8, "w", 7, "start main create clone", SECOND);
    story_sample(s, 8, SECOND, 'S', "clone start_thread worker wait");
    story_sample(s, 8, SECOND + 10000000, 'R', "clone start_thread worker");
    story_sample(s, 8, SECOND + 10100000, 'S', "clone start_thread worker wait");
    assert_int_equal(write_stats(story_report(s), capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "    9.90%     0.00%    89.11%\n"));
    assert_non_null(strstr(capture.text, "\n    not sampled: 0.99%\n"));
    free(capture.text);
}

/* After an exec older files have the thread's first time, and no CPU time with its first sample. */
TEST_OF(stats_text_marks_cpu_time_that_an_older_file_lacks, story, s, functions)
{
    const struct snap_process next = {
        .pid = STORY_PID,
        .exe = "/usr/bin/next",
        .exec = true,
        .time_ns = 2 * SECOND,
    };
    struct capture capture;

    story_sample(s, STORY_PID, SECOND, 'R', "start main");
    assert_int_equal(history_process(&s->history, &next), STATUS_OK);
    story_thread(s, STORY_PID, "next", 0, NULL, 0);
    story_sample(s, STORY_PID, 2 * SECOND, 'S', "start main wait");
    story_sample(s, STORY_PID, 2 * SECOND + 2000000, 'R', "start main");
    assert_int_equal(write_stats(story_report(s), capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "2   ≥ 1.0 ms     2.0 ms"));
    free(capture.text);
}

/* What comes after the last sample no sample can tell, and does not count. */
TEST_OF(stats_text_takes_no_end_of_a_thread_for_waiting, story, s, functions)
{
    struct capture capture;

    story_thread(s, 8, "w", 7, "start main create clone", SECOND);
    story_sample(s, 8, SECOND, 'R', "clone start_thread worker");
    story_sample(s, 8, SECOND + 2000000, 'R', "clone start_thread worker");
    story_end(s, 8, SECOND + 4000000);
    assert_int_equal(write_stats(story_report(s), capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "2     2.0 ms     2.0 ms    50.00%     0.00%"));
    free(capture.text);
}

static const struct fixture_function long_functions[] = {
    {"clone", .module = 1, .start = 0x1000, .name = "clone3"},
    {"start_thread", .module = 1, .start = 0x2000},
    {"one", .start = 0x1000, .name = "what_a_thread_begins_with_ends_in_één"},
    {"two", .start = 0x2000, .name = "what_a_thread_begins_with_ends_in_two"},
    {0},
};

TEST_OF(stats_text_tells_names_apart_that_are_too_long, story, s, long_functions)
{
    struct capture capture;

    story_thread(s, 8, "a", 0, NULL, 1);
    story_thread(s, 9, "b", 0, NULL, 1);
    story_sample(s, 8, SECOND, 'S', "clone start_thread one");
    story_sample(s, 9, SECOND, 'S', "clone start_thread two");
    assert_int_equal(write_stats(story_report(s), capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "\nwhat_a_thread_beg…nds_in_één       1"));
    assert_non_null(strstr(capture.text, "\nwhat_a_thread_beg…nds_in_two       1"));
    free(capture.text);
}

static const struct fixture_function run_functions[] = {
    {"clone", .module = 1, .start = 0x1000, .name = "clone3"},
    {"start_thread", .module = 1, .start = 0x2000},
    {"one", .start = 0x1000, .name = "run"},
    {0},
};

TEST_OF(stats_text_has_the_name_that_threads_share, story, s, run_functions)
{
    struct capture capture;

    story_thread(s, 8, "render/0", 0, NULL, 1);
    story_thread(s, 9, "render/1", 0, NULL, 1);
    story_sample(s, 8, SECOND, 'S', "clone start_thread one");
    story_sample(s, 9, SECOND, 'S', "clone start_thread one");
    assert_int_equal(write_stats(story_report(s), capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "\n'render/*' run"));
    assert_non_null(strstr(capture.text, "\n'render/*' run\n"));
    free(capture.text);
    assert_int_equal(threads_text_write(&s->report, capture_begin(&capture)), STATUS_OK);
    assert_null(strstr(capture_end(&capture), "'render/*'")); /* which has all names */
    free(capture.text);
}

TEST_OF(a_part_keeps_its_place_in_time, story, s, functions)
{
    struct capture capture;
    const struct report *report;

    s->history.window =
        (struct window){.from_ns = SECOND, .to_ns = 2 * SECOND, .whole_ns = 5 * SECOND};
    assert_int_equal(history_begin(&s->history, 10 * SECOND), STATUS_OK);
    story_thread(s, 8, "w", 7, "start main create clone", 10 * SECOND + SECOND / 4);
    story_sample(s, 8, 11 * SECOND, 'R', "clone start_thread worker");
    story_sample(s, 8, 11 * SECOND + SECOND / 2, 'R', "clone start_thread worker");
    story_end(s, 8, 11 * SECOND + SECOND / 2);
    report = story_report(s);
    assert_int_equal(threads_text_write(report, capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture),
                           ", 1.00-2.00 s of 5.00 s; times count from the capture's first sample"));
    assert_non_null(strstr(capture.text, "    0.250 s    1.500 s  "));
    free(capture.text);
    assert_int_equal(write_stats(report, capture_begin(&capture)), STATUS_OK);
    assert_non_null(
        strstr(capture_end(&capture), "2 threads of 2 identities, 1.00-2.00 s of 5.00 s\n"));
    free(capture.text);
}
