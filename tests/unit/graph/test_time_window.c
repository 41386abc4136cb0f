/* SPDX-License-Identifier: MIT */
/* The part of a snapshot that counts. */
#include "unit_test.h"

#include "graph/time_window.h"

/* Its first sample is at 1000; [1100, 1300) counts. */
static struct time_window make_window(void)
{
    struct time_window window = {.from_ns = 100, .to_ns = 300};

    assert_true(time_window_begin(&window, 1000));
    return window;
}

static const struct snap_sample *cut(struct time_window *window, uint64_t time_ns, bool *counted,
                                     struct snap_sample *copy)
{
    static struct snap_sample sample;

    sample = (struct snap_sample){
        .time_ns = time_ns, .wall_ns = 90, .cpu_ns = 30, .repeat = true, .pointee_count = 1};
    return time_window_cut(window, &sample, counted, copy);
}

TEST(time_window_begins_at_the_first_sample_alone)
{
    struct time_window window = make_window();

    assert_false(time_window_begin(&window, 900));
    assert_int_equal(window.origin_ns, 1000);
    time_window_end(&window);
    assert_true(time_window_begin(&window, 5));
    assert_int_equal(window.origin_ns, 5);
}

TEST(time_window_has_its_first_moment_and_not_its_last)
{
    const struct time_window window = make_window();

    assert_false(time_window_has(&window, 1099));
    assert_true(time_window_has(&window, 1100));
    assert_true(time_window_has(&window, 1299));
    assert_false(time_window_has(&window, 1300));
    assert_false(time_window_has(&window, 900));
}

TEST(time_window_of_zeroes_has_all_time)
{
    struct time_window window = {.from_ns = 0};

    assert_true(time_window_has(&window, 7));
    assert_true(time_window_begin(&window, 1000));
    assert_true(time_window_has(&window, 0));
    assert_true(time_window_has(&window, UINT64_MAX));
    assert_int_equal(time_window_cut_end(&window, UINT64_MAX), UINT64_MAX);
}

TEST(time_window_leaves_ends_within_and_before_it)
{
    const struct time_window window = make_window();

    assert_int_equal(time_window_cut_end(&window, 1050), 1050);
    assert_int_equal(time_window_cut_end(&window, 1299), 1299);
    assert_int_equal(time_window_cut_end(&window, 1300), 0);
}

TEST(time_window_cuts_the_first_sample_inside_alone)
{
    struct time_window window = make_window();
    const struct snap_sample *found;
    struct snap_sample copy;
    bool counted = false;

    found = cut(&window, 1150, &counted, &copy);
    assert_ptr_equal(found, &copy);
    assert_true(counted);
    assert_int_equal(found->wall_ns, 50); /* of 90 ns 40 lie before */
    assert_int_equal(found->cpu_ns, 30);
    assert_false(found->repeat);
    assert_int_equal(found->pointee_count, 0);
    found = cut(&window, 1160, &counted, &copy);
    assert_ptr_not_equal(found, &copy);
    assert_int_equal(found->wall_ns, 90);
    assert_true(found->repeat);
}

TEST(time_window_counts_samples_outside_and_the_whole_span)
{
    struct time_window window = make_window();
    struct snap_sample copy;
    bool counted = false;

    assert_null(cut(&window, 1000, &counted, &copy));
    assert_null(cut(&window, 1400, &counted, &copy));
    assert_false(counted);
    assert_int_equal(window.samples_outside, 2);
    assert_int_equal(window.span_ns, 400);
    time_window_end(&window);
    assert_int_equal(window.samples_outside, 2);
}

TEST(time_window_knows_first_and_last_of_what_counts_in_any_order)
{
    struct time_window window = make_window();

    assert_false(window.has_counted);
    time_window_count(&window, 1200);
    time_window_count(&window, 1250);
    time_window_count(&window, 1150);
    assert_true(window.has_counted);
    assert_int_equal(window.first_ns, 1150);
    assert_int_equal(window.last_ns, 1250);
}
