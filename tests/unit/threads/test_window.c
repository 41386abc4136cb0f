/* SPDX-License-Identifier: MIT */
/* The part of a capture that headings tell of. */
#include "unit_test.h"
#include "threads/window.h"

#define MS UINT64_C(1000000)

static void assert_text(uint64_t from_ns, uint64_t to_ns, uint64_t whole_ns, const char *want)
{
    const struct window window = {.from_ns = from_ns, .to_ns = to_ns, .whole_ns = whole_ns};
    char text[WINDOW_TEXT_MAX];

    assert_string_equal(window_text(text, &window), want);
}

TEST(window_of_nothing_given_is_all)
{
    assert_false(window_is_part(&(struct window){.whole_ns = 5000 * MS}));
    assert_true(window_is_part(&(struct window){.from_ns = 1}));
    assert_true(window_is_part(&(struct window){.to_ns = 1}));
}

TEST(window_is_told_in_seconds_of_the_whole)
{
    assert_text(1000 * MS, 1300 * MS, 4987 * MS, "1.00-1.30 s of 4.99 s");
    assert_text(0, 1300 * MS, 12000 * MS, "0.00-1.30 s of 12.00 s");
}

TEST(window_without_an_end_goes_to_the_end)
{
    assert_text(1000 * MS, 0, 4987 * MS, "1.00-4.99 s of 4.99 s");
    assert_text(1000 * MS, 60000 * MS, 4987 * MS, "1.00-4.99 s of 4.99 s");
}

TEST(window_of_several_captures_has_no_whole)
{
    assert_text(1000 * MS, 1300 * MS, 0, "1.00-1.30 s");
    assert_text(1000 * MS, 0, 0, "from 1.00 s");
}

TEST(window_is_told_as_finely_as_it_was_asked_for)
{
    assert_text(1005 * MS, 1300 * MS, 4987 * MS, "1.005-1.300 s of 4.987 s");
    assert_text(0, 1, 4987654321, "0.000000000-0.000000001 s of 4.987654321 s");
}

TEST(window_of_the_longest_times_fits)
{
    assert_text(1, UINT64_MAX - 1, UINT64_MAX,
                "0.000000001-18446744073.709551614 s of 18446744073.709551615 s");
}
