/* SPDX-License-Identifier: MIT */
/* What the heads of outputs tell of a capture, and of what a view shows. */
#include "graph_fixture.h"

#include "graph/caveats.h"

#define MS UINT64_C(1000000)

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x3000},
    {0},
};

static void assert_capture(const struct quality *quality, const char *want)
{
    char text[CAVEATS_MAX];

    assert_string_equal(caveats_of_captures(quality, text), want);
}

TEST(caveats_of_a_quiet_capture_are_none)
{
    struct quality quality = {.own = {.samples = 10000}};

    assert_capture(&quality, "");
    quality.own.lost[SNAP_LOSS_LATE] = 99; /* below 1 % of those that were due */
    quality.own.lost[SNAP_LOSS_TICK] = 100000;
    quality.own.cpu = (struct cpu_account){.used_ns = 1000 * MS, .waited_ns = 50 * MS};
    quality.own.wall_ns = 1000 * MS;
    quality.own.rate = (struct capture_rate){99000, 90000};
    assert_capture(&quality, "");
    quality.own.rate = (struct capture_rate){0, 0};
    assert_capture(&quality, "");
}

TEST(caveats_tell_losses_with_their_main_reason)
{
    struct quality quality = {.own = {.samples = 900}};

    quality.own.lost[SNAP_LOSS_ROUND] = 100;
    assert_capture(&quality, "capture: 10 % of samples lost (100: rounds came late)\n");
    quality.own.samples = 7000;
    quality.own.lost[SNAP_LOSS_GONE] = 20;
    assert_capture(&quality, "capture: 1.7 % of samples lost (120, most: rounds came late)\n");
    quality.own.samples = 0;
    assert_capture(&quality, "capture: 100 % of samples lost (120, most: rounds came late)\n");
}

TEST(caveats_of_few_samples_tell_each_that_was_lost)
{
    struct quality quality = {.own = {.samples = 5}};

    quality.own.lost[SNAP_LOSS_GONE] = 1;
    assert_capture(&quality, "capture: 17 % of samples lost (1: threads ended)\n");
}

TEST(caveats_tell_contention_from_five_percent_on)
{
    struct quality quality = {.own = {.samples = 1000, .wall_ns = 1000 * MS}};

    quality.own.cpu = (struct cpu_account){.used_ns = 950 * MS, .waited_ns = 50 * MS};
    assert_capture(&quality,
                   "capture: ready without a CPU 5.0 % of the time that threads could have run\n");
    quality.own.cpu = (struct cpu_account){.used_ns = 950 * MS, .waited_ns = 49 * MS};
    assert_capture(&quality, "");
}

/* Moments at the ends of sleeps: most of what was wanted, but next to nothing of the time. */
TEST(caveats_of_sleepers_are_none)
{
    struct quality quality = {.own = {.samples = 6111, .wall_ns = 62900 * MS}};

    quality.own.cpu = (struct cpu_account){.used_ns = 96 * MS, .waited_ns = 350 * MS};
    assert_capture(&quality, "");
    assert_false(caveats_is_contended(&quality.own));
    quality.own.wall_ns = 17500 * MS; /* of which it is 2 % */
    assert_capture(&quality,
                   "capture: ready without a CPU 78 % of the time that threads could have run\n");
    assert_true(caveats_is_contended(&quality.own));
}

TEST(caveats_tell_contention_by_samples_where_no_time_is_known)
{
    struct quality quality = {.own = {.samples = 1000, .ready = 19}};

    quality.own.cpu = (struct cpu_account){.used_ns = 96 * MS, .waited_ns = 350 * MS};
    assert_capture(&quality, "");
    quality.own.ready = 20;
    assert_capture(&quality,
                   "capture: ready without a CPU 78 % of the time that threads could have run\n");
}

TEST(caveats_tell_a_rate_that_was_lowered)
{
    struct quality quality = {.own = {.samples = 1000, .rate = {99000, 6940}}};

    assert_capture(&quality, "capture: 6.9 of 99.0 Hz reached\n");
    quality.own.captures = 1;
    assert_capture(&quality, "capture: 6.9 of 99.0 Hz reached\n");
    quality.own.captures = 3;
    assert_capture(&quality, "capture: 6.9 of 99.0 Hz reached in one of 3 captures\n");
}

TEST(caveats_tell_a_rate_below_a_tenth_of_a_hertz)
{
    assert_true(caveats_is_slow(&(struct capture_rate){99, 74}));
    assert_false(caveats_is_slow(&(struct capture_rate){99, 75}));
    assert_true(caveats_is_slow(&(struct capture_rate){199, 149}));
    assert_false(caveats_is_slow(&(struct capture_rate){99, 0}));
    assert_false(caveats_is_slow(&(struct capture_rate){0, 99}));
}

/* Each has what it has: nothing is told of the one that went well. */
TEST(caveats_of_a_baseline_have_a_line_of_their_own)
{
    struct quality quality = {.own = {.samples = 900, .captures = 1}};

    quality.base = (struct capture_account){.samples = 100, .captures = 1, .rate = {99000, 6940}};
    assert_capture(&quality, "baseline: 6.9 of 99.0 Hz reached\n");
    quality.own.lost[SNAP_LOSS_ROUND] = 100;
    assert_capture(&quality, "capture: 10 % of samples lost (100: rounds came late)\n"
                             "baseline: 6.9 of 99.0 Hz reached\n");
    quality.base = (struct capture_account){.samples = 100, .captures = 1};
    assert_capture(&quality, "capture: 10 % of samples lost (100: rounds came late)\n");
}

TEST(accounts_of_a_comparison_are_added_up_for_the_whole)
{
    const struct ingest ingest = {
        .account = {.captures = 1, .samples = 5, .ready = 1, .wall_ns = 50, .lost = {[1] = 2}},
        .base_account = {
            .captures = 1, .samples = 7, .ready = 2, .wall_ns = 70, .lost = {[1] = 3}}};
    struct quality quality = {.samples = 12};

    quality_count(&quality, &ingest);
    assert_int_equal(quality.all.captures, 2);
    assert_int_equal(quality.all.samples, 12);
    assert_int_equal(quality.all.ready, 3);
    assert_int_equal(quality.all.wall_ns, 120);
    assert_int_equal(quality.all.lost[1], 5);
    assert_int_equal(quality.own.lost[1], 2);
    assert_int_equal(quality.base.lost[1], 3);
}

/* As long as they are, all lines are whole and within 100 columns. */
TEST(caveats_break_lines_at_a_hundred_columns)
{
    struct quality quality = {.own = {.samples = 900, .rate = {99000, 6940}}};
    char text[CAVEATS_MAX];

    quality.own.lost[SNAP_LOSS_ROUND] = 100;
    quality.own.wall_ns = 1000 * MS;
    quality.own.cpu = (struct cpu_account){.used_ns = 100 * MS, .waited_ns = 900 * MS};
    assert_string_equal(
        caveats_of_captures(&quality, text),
        "capture: 10 % of samples lost (100: rounds came late);\n"
        "  ready without a CPU 90 % of the time that threads could have run; 6.9 of 99.0 Hz "
        "reached\n");
    quality.own.samples = UINT64_MAX;
    quality.own.lost[SNAP_LOSS_ROUND] = quality.own.lost[SNAP_LOSS_GONE] = UINT64_MAX / 2;
    quality.own.rate = (struct capture_rate){UINT32_MAX, 1};
    quality.own.captures = UINT64_MAX;
    quality.base = quality.own;
    caveats_of_captures(&quality, text);
    assert_true(text[strlen(text) - 1] == '\n');
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 100);
}

TEST(rates_of_several_captures_are_the_least_part_in_any_order)
{
    const struct capture_rate rates[] = {
        {99000, 90000}, {99000, 9000}, {198000, 18000}, {0, 7}, {99000, 0}};
    struct capture_rate forth = {0, 0}, back = {0, 0}, huge = {0, 0};

    for (int i = 0; i < 5; i++) {
        capture_rate_add(&forth, &rates[i]);
        capture_rate_add(&back, &rates[4 - i]);
    }
    assert_memory_equal(&forth, &back, sizeof(forth));
    assert_int_equal(forth.asked_mhz, 198000);
    capture_rate_add(&huge, &(struct capture_rate){UINT64_MAX, UINT64_MAX});
    capture_rate_add(&huge, &(struct capture_rate){UINT64_MAX, 1000});
    assert_int_equal(huge.reached_mhz, 1000);
}

static void assert_view(struct fixture *f, enum weight_kind weight,
                        const struct graph_filter *filter, const char *want)
{
    struct view *view = fixture_view(f, GRAPH_BY_FUNCTION, weight, filter);
    char text[CAVEATS_MAX];

    assert_string_equal(
        caveats_of_view(view, &(struct caveats_facts){.of_states = filter && filter->has_states},
                        text),
        want);
}

static void weigh(struct fixture *f, char state, uint64_t samples, uint64_t wall, uint64_t cpu)
{
    fixture_weigh(f, "t", 1, "main f", state, (struct weights){.value = {samples, wall, cpu}});
}

TEST_OF(caveats_of_a_view_tell_who_was_ready, fixture, f, FUNCTIONS)
{
    struct graph_filter filter = {0};
    struct diag diag;

    weigh(f, 'R', 50, 500, 7);
    weigh(f, SNAP_STATE_READY, 10, 990, 0);
    weigh(f, 'S', 40, 400, 0);
    assert_view(f, WEIGHT_SAMPLES, NULL,
                "10 % of the samples shown: threads that were ready, without a CPU\n");
    assert_view(f, WEIGHT_WALL, NULL,
                "52 % of the wall time shown: threads that were ready, without a CPU\n");
    assert_view(f, WEIGHT_CPU, NULL, "");
    assert_int_equal(graph_filter_set_states(&filter, "running", &diag), STATUS_OK);
    assert_view(f, WEIGHT_SAMPLES, &filter, "");
    graph_filter_deinit(&filter);
    filter = (struct graph_filter){0};
    assert_int_equal(graph_filter_set_states(&filter, "ready", &diag), STATUS_OK);
    assert_view(f, WEIGHT_SAMPLES, &filter, ""); /* as was asked for */
    weigh(f, 'S', 1, 0, 0);
    assert_view(f, WEIGHT_SAMPLES, NULL, "");
    graph_filter_deinit(&filter);
}

TEST_OF(caveats_of_a_view_of_waits_name_what_shows_the_rest, fixture, f, FUNCTIONS)
{
    char text[CAVEATS_MAX];

    weigh(f, 'S', 79, 0, 0);
    weigh(f, 'R', 21, 0, 7);
    assert_view(f, WEIGHT_SAMPLES, NULL, "");
    weigh(f, 'D', 5, 0, 0);
    assert_view(f, WEIGHT_SAMPLES, NULL,
                "80 % of the samples shown: threads that waited; --weight cpu "
                "shows what "
                "ran\n");
    assert_string_equal(caveats_of_view(f->view, &(struct caveats_facts){.is_chosen = true}, text),
                        "");
    assert_view(f, WEIGHT_CPU, NULL, "");
}

/* Of others' profiles no state is known; of a core no CPU time; and where nothing ran, nothing. */
TEST_OF(caveats_of_a_view_name_nothing_that_is_not_there, fixture, f, FUNCTIONS)
{
    weigh(f, 'S', 9, 0, 0);
    assert_view(f, WEIGHT_SAMPLES, NULL, "");
    weigh(f, 'R', 1, 0, 0);
    assert_view(f, WEIGHT_SAMPLES, NULL,
                "90 % of the samples shown: threads that waited; --state running shows what ran\n");
    weigh(f, 0, 90, 0, 0);
    assert_view(f, WEIGHT_SAMPLES, NULL, "");
}

TEST_OF(caveats_of_a_view_do_not_take_the_stopped_for_waiting, fixture, f, FUNCTIONS)
{
    weigh(f, 'R', 1, 0, 7);
    for (const char *each = "TtZXP"; *each; each++)
        weigh(f, *each, 100, 0, 0);
    assert_view(f, WEIGHT_SAMPLES, NULL, "");
    for (const char *each = "SDI"; *each; each++)
        weigh(f, *each, 1000, 0, 0);
    assert_view(f, WEIGHT_SAMPLES, NULL,
                "86 % of the samples shown: threads that waited; --weight cpu "
                "shows what ran\n");
}

/* What is compared is what is shown: the baseline has heads of its own. */
TEST_OF(caveats_of_a_view_are_not_of_its_baseline, fixture, f, FUNCTIONS)
{
    weigh(f, 'R', 10, 0, 7);
    profile_weigh_base(f->profile, true);
    weigh(f, SNAP_STATE_READY, 90, 0, 0);
    profile_weigh_base(f->profile, false);
    f->compare = true;
    assert_view(f, WEIGHT_SAMPLES, NULL, "");
}

/* They ran before they were found ready: that is shown. */
TEST_OF(caveats_of_cpu_time_tell_no_more_ready_time_than_is_hidden, fixture, f, FUNCTIONS)
{
    const struct caveats_facts facts = {.reason = WEIGHT_IS_HOT};
    char text[CAVEATS_MAX];

    weigh(f, SNAP_STATE_READY, 10, 600, 300);
    weigh(f, 'R', 10, 400, 200);
    assert_view(f, WEIGHT_CPU, NULL, "");
    assert_string_equal(caveats_of_view(f->view, &facts, text),
                        "50 % of the threads' time is not shown: they waited, or were ready "
                        "(30 %); see --weight wall\n");
    weigh(f, SNAP_STATE_READY, 10, 600, 0); /* as with ticks, which are elsewhere: 900 of 1600 */
    weigh(f, 'R', 10, 0, 300);
    assert_view(f, WEIGHT_CPU, NULL, "");
    assert_string_equal(caveats_of_view(f->view, &facts, text),
                        "50 % of the threads' time is not shown: they were ready, without a CPU; "
                        "see --weight wall\n");
}
