/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "graph/quality.h"
#include "symbol/module_set.h"

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x3000},
    {"nameless", .module = 1, .start = 0x4000, .is_nameless = true},
    {0},
};

static void add_truncated(struct fixture *f)
{
    struct weights two = {.value = {2, 0, 0}};
    struct chain chain = fixture_chain(f, "f nameless");
    uint32_t id;

    chain.stop = STOP_TRUNCATED;
    assert_int_equal(profile_chain(f->profile, &chain, NULL, &id), STATUS_OK);
    f->profile->chains_unwound++;
    assert_int_equal(profile_weigh(f->profile, 0, id, 'R', &two), STATUS_OK);
    chain_deinit(&chain);
}

TEST_OF(quality_counts_repeats_with_their_chains, fixture, f, FUNCTIONS)
{
    struct quality q;

    fixture_add(f, "t", 1, "main f!fp nameless", 5);
    fixture_add(f, "t", 1, "main f!fp nameless", 1);
    add_truncated(f);
    assert_int_equal(profile_resolve(f->profile, f->names), STATUS_OK);
    assert_int_equal(quality_fill(&q, f->profile), STATUS_OK);
    assert_int_equal(q.samples, 8);
    assert_int_equal(q.chains_unwound, 3);
    assert_int_equal(q.repeats, 5);
    assert_int_equal(q.chains_distinct, 2);
    assert_int_equal(q.frames, 6 * 3 + 2 * 2);
    assert_int_equal(q.frames_by_trust[TRUST_CONTEXT], 8);
    assert_int_equal(q.frames_by_trust[TRUST_FP], 6);
    assert_int_equal(q.frames_by_trust[TRUST_EH_FRAME], 8);
    assert_int_equal(q.chains_by_stop[STOP_THREAD_START], 6);
    assert_int_equal(q.chains_by_stop[STOP_TRUNCATED], 2);
    assert_int_equal(q.frames_unnamed, 8);
}

static struct module_set *make_modules(void)
{
    struct module_options options = {0};
    struct module_set *set;
    struct module *module;

    assert_int_equal(module_set_create(&options, &set), STATUS_OK);
    assert_int_equal(module_set_get(set, MODULE_FILE, "/lib/a\nb.so", (const uint8_t *)"\x01\xfe",
                                    2, false, &module),
                     STATUS_OK);
    module->state = MODULE_MISSING;
    diag_set(&module->problem, "/lib/a.so", "no such file");
    assert_int_equal(module_set_get(set, MODULE_FILE, "/lib/untouched.so", NULL, 0, false, &module),
                     STATUS_OK);
    assert_int_equal(module_set_get(set, MODULE_FILE, "/lib/other.so", NULL, 0, false, &module),
                     STATUS_OK);
    module->state = MODULE_REFUSED;
    diag_set(&module->problem, NULL, "build-id differs");
    return set;
}

TEST_OF(quality_report_is_the_golden_one, fixture, f, FUNCTIONS)
{
    struct module_set *modules = make_modules();
    struct capture capture;
    struct quality q;

    fixture_add(f, "t", 1, "main f!fp nameless", 998);
    add_truncated(f);
    assert_int_equal(profile_resolve(f->profile, f->names), STATUS_OK);
    assert_int_equal(quality_fill(&q, f->profile), STATUS_OK);
    q.modules = modules;
    q.unwind_ns = 12345678;
    q.symbolize_ns = 2500000000;
    q.cut_short = true;
    q.has_capture = true;
    q.capture = (struct snap_summary){.rate_asked_mhz = 99000,
                                      .rate_reached_mhz = 98765,
                                      .lost = 3,
                                      .stopped_ns = 20000000,
                                      .stopped_max_ns = 25000};
    q.all.lost[SNAP_LOSS_GONE] = 1;
    q.all.lost[SNAP_LOSS_OUTPUT] = 2;
    q.all.lost[SNAP_LOSS_TICK] = 99;
    assert_int_equal(quality_print(&q, capture_begin(&capture)), STATUS_OK);
    assert_captured_golden(&capture, "graph-quality.txt");
    module_set_destroy(modules);
}

TEST(quality_report_says_by_how_much_the_estimate_is_off)
{
    struct quality q = {.samples = 9, .running = 4, .running_complete = 3};
    struct capture capture;

    q.all.cpu = (struct cpu_account){.used_ns = 414100000,
                                     .placed_ns = 436900000,
                                     .ticks = 48,
                                     .by_clock = true};
    assert_int_equal(quality_print(&q, capture_begin(&capture)), STATUS_OK);
    assert_non_null(
        strstr(capture_end(&capture),
               "\nCPU time: 414.1 ms, told by 48 ticks of the CPUs' clocks (perf "
               "events): 436.9 ms, an estimate, 5.5 % too much, 0.0 % of it by chains"));
    assert_non_null(strstr(capture.text, "; of threads that were running or ready: 75.00% of 4\n"));
    free(capture.text);
    q.all.cpu.placed_ns = 207050000;
    assert_int_equal(quality_print(&q, capture_begin(&capture)), STATUS_OK);
    assert_non_null(strstr(capture_end(&capture), "207.0 ms, an estimate, 50 % too little, "));
    free(capture.text);
}

TEST(quality_report_has_the_singular_of_one)
{
    struct quality q = {.samples = 1, .repeats = 1, .chains_unwound = 1, .has_capture = true};
    struct capture capture;

    q.all.cpu = (struct cpu_account){.used_ns = 1, .placed_ns = 1, .ticks = 1, .by_clock = true};
    q.capture.lost = q.all.lost[SNAP_LOSS_GONE] = q.all.lost[SNAP_LOSS_TICK] = 1;
    assert_int_equal(quality_print(&q, capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    assert_non_null(strstr(capture.text, "samples: 1, 1 of them a repeat; 1 chain unwound, "));
    assert_non_null(strstr(capture.text,
                           "told by 1 tick of the CPUs' clocks (perf events): 1 ns, an "
                           "estimate, 0.0 % of it by chains"));
    assert_non_null(strstr(capture.text, " Hz reached, 1 sample lost, "));
    assert_non_null(strstr(capture.text, "\n1 sample lost (1: threads ended)\n"));
    assert_non_null(strstr(capture.text, "\n1 tick of all programs lost\n"));
    free(capture.text);
}

TEST_OF(quality_of_nothing_is_zero, fixture, f, FUNCTIONS)
{
    struct capture capture;
    struct quality q;

    assert_int_equal(quality_fill(&q, f->profile), STATUS_OK);
    assert_int_equal(quality_print(&q, capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    assert_non_null(strstr(capture.text, "samples: 0, 0 of them repeats"));
    assert_non_null(strstr(capture.text, "chains that reach the thread's start: 0.00%"));
    free(capture.text);
}
