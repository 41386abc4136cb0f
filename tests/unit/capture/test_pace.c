/* SPDX-License-Identifier: MIT */
#include "capture/pace.h"

#include <stdlib.h>
#include <time.h>

#include "unit_test.h"
#include "base/clock.h"
#include "capture/target/backend.h"

#define US     UINT64_C(1000)
#define MS     UINT64_C(1000000)
#define PERIOD (10 * MS)

TEST(pace_rounds_are_half_a_period_to_one_and_a_half_apart)
{
    uint64_t least = UINT64_MAX, most = 0, first;
    struct pace pace;

    pace_init(&pace, PERIOD);
    first = pace.due_ns;
    for (int i = 0; i < 10000; i++) {
        uint64_t before = pace.due_ns;
        pace_begin_round(&pace);
        least = pace.due_ns - before < least ? pace.due_ns - before : least;
        most = pace.due_ns - before > most ? pace.due_ns - before : most;
    }
    assert_in_range(least, PERIOD * 46 / 100, PERIOD * 52 / 100);
    assert_in_range(most, PERIOD * 148 / 100, PERIOD * 154 / 100);
    /* Of a grid of 10,000 rounds the mean is within a hundredth of 0.0007. */
    assert_in_range((pace.due_ns - first) / 10000, PERIOD * 98 / 100, PERIOD * 102 / 100);
    pace_deinit(&pace);
}

/* Three and a third periods have no fewer than two rounds, and no more than four. */
TEST(pace_any_time_has_as_many_rounds)
{
    enum { ROUNDS = 3000 };
    uint64_t *due = calloc(ROUNDS, sizeof(*due));
    struct pace pace;

    assert_non_null(due);
    pace_init(&pace, 3 * PERIOD);
    for (int i = 0; i < ROUNDS; i++) {
        pace_begin_round(&pace);
        due[i] = pace.due_ns;
    }
    for (int i = 0; i + 4 < ROUNDS; i++) {
        assert_true(due[i + 4] - due[i] > 10 * PERIOD);
        assert_true(due[i + 3] - due[i] < 12 * PERIOD);
    }
    free(due);
    pace_deinit(&pace);
}

/* A program with the very period of the rounds is seen in each tenth of it, in 20 s at 33 Hz. */
TEST(pace_a_program_of_the_same_period_is_seen_in_all_its_phases)
{
    enum { ROUNDS = 33 * 20 };
    unsigned seen[10] = {0};
    struct pace pace;

    pace_init(&pace, PERIOD);
    pace.random = 49; /* the same each time */
    for (int i = 0; i < ROUNDS; i++) {
        pace_begin_round(&pace);
        seen[pace.due_ns % PERIOD / (PERIOD / 10)]++;
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(seen[i], ROUNDS / 30, ROUNDS / 5);
    pace_deinit(&pace);
}

/* The round that is due stays, those behind it are as far apart as is to be. */
TEST(pace_another_period_holds_from_the_next_round_on)
{
    struct pace pace;

    pace_init(&pace, 20 * PERIOD);
    for (int i = 0; i < 100; i++) {
        uint64_t due_ns;

        pace_begin_round(&pace);
        due_ns = pace.due_ns;
        pace_set_period(&pace, i % 2 ? 20 * PERIOD : PERIOD);
        assert_int_equal(pace.due_ns, due_ns);
        pace_begin_round(&pace);
        assert_in_range(pace.due_ns - due_ns, pace.period_ns * 46 / 100,
                        pace.period_ns * 154 / 100);
    }
    pace_deinit(&pace);
}

TEST(pace_two_captures_have_other_rounds)
{
    struct pace one, other;
    bool same = true;

    pace_init(&one, PERIOD);
    do
        pace_init(&other, PERIOD);
    while (other.due_ns == one.due_ns);
    for (int i = 0; i < 10; i++) {
        uint64_t one_ns = one.due_ns, other_ns = other.due_ns;
        pace_begin_round(&one);
        pace_begin_round(&other);
        same &= one.due_ns - one_ns == other.due_ns - other_ns;
    }
    assert_false(same);
    pace_deinit(&one);
    pace_deinit(&other);
}

TEST(pace_whole_periods_that_have_passed_are_left_out)
{
    struct pace pace = {.period_ns = PERIOD, .due_ns = 100 * MS, .schedstat_fd = -1};

    assert_int_equal(pace_skip(&pace, 90 * MS), 0);
    assert_int_equal(pace_skip(&pace, 100 * MS), 0);
    assert_int_equal(pace_skip(&pace, 109 * MS), 0);
    assert_int_equal(pace.due_ns, 100 * MS);
    assert_int_equal(pace_skip(&pace, 134 * MS), 3);
    assert_int_equal(pace.due_ns, 130 * MS);
}

TEST(pace_a_round_without_a_sleep_before_it_is_not_on_time)
{
    struct pace pace;

    pace_init(&pace, PERIOD);
    pace_sleep(&pace, 0); /* it is due already */
    pace_wake(&pace, WAIT_PASSED);
    pace_begin_round(&pace);
    assert_false(pace.round.on_time);
    pace_sleep(&pace, 0);
    pace_wake(&pace, WAIT_EVENTS); /* an event has ended it */
    pace.due_ns = 0;
    pace_begin_round(&pace);
    assert_false(pace.round.on_time);
    pace_deinit(&pace);
}

/* As when somebody has stopped us: what stopped meanwhile may have done so at any time of it. */
TEST(pace_knows_that_it_stood_still)
{
    const struct timespec still = {.tv_nsec = 30 * MS};
    struct pace pace;

    pace_init(&pace, PERIOD);
    pace.is_wanted = true; /* so that it looks at how long we wait for a CPU besides */
    pace_sleep(&pace, clock_now_ns() + MS);
    nanosleep(&still, NULL);
    pace_wake(&pace, WAIT_EVENTS);
    assert_int_equal(pace.ready_ns, pace.slept_ns);
    assert_true(pace.still_ns >= 20 * MS);
    assert_true(pace_waited(&pace) >= pace.still_ns);
    pace_sleep(&pace, clock_now_ns() + 1000 * MS);
    nanosleep(&still, NULL);
    pace_wake(&pace, WAIT_EVENTS); /* an event, at last */
    assert_true(pace.ready_ns > pace.slept_ns);
    assert_int_equal(pace.still_ns, 0);
    pace_sleep(&pace, clock_now_ns() + 1000 * MS);
    nanosleep(&still, NULL);
    pace_wake(&pace, WAIT_STOPPED); /* long before the sleep would have ended */
    assert_int_equal(pace.ready_ns, pace.slept_ns);
    assert_true(pace.still_ns >= 20 * MS);
    pace_deinit(&pace);
}

static bool had_cpu(const struct pace_stop *stop)
{
    struct pace pace = {.period_ns = PERIOD, .schedstat_fd = -1};

    return stop->slices == 0 ? pace_turns_are_long(stop) : pace_was_pushed(&pace, stop);
}

/*
 * Of a round that began on time at 1 s, on CPU 3: asked 100 µs later, queued so long before its
 * stop was seen, and that was 3 µs before the round began. 5 µs before it was seen there was no
 * stop.
 */
static struct pace_stop pushed(uint64_t waited_ns)
{
    return (struct pace_stop){.round = {.began_ns = 1000 * MS, .cpu = 3, .on_time = true},
                              .asked_ns = 1000 * MS + 100 * US,
                              .seen_ns = 1000 * MS - 3 * US + waited_ns,
                              .before_ns = 1000 * MS - 8 * US + waited_ns,
                              .cpu = 3,
                              .used_ns = 5 * MS,
                              .used_slices = 20,
                              .slices = 1,
                              .waited_ns = waited_ns};
}

TEST(pace_what_our_wake_up_pushed_off_had_a_cpu)
{
    struct pace_stop stop = pushed(4 * MS);

    assert_true(had_cpu(&stop));
    stop.seen_ns += 10 * US; /* later than it was */
    assert_true(had_cpu(&stop));
    stop.cpu = -1; /* not known */
    assert_true(had_cpu(&stop));
    stop.cpu = 2; /* another one's, which it left just then by itself */
    assert_false(had_cpu(&stop));
}

TEST(pace_what_was_queued_before_or_after_had_none)
{
    struct pace_stop stop = pushed(4 * MS);

    stop.waited_ns += 20 * US;
    assert_false(had_cpu(&stop));
    stop.waited_ns -= 200 * US;
    assert_false(had_cpu(&stop));
    stop.waited_ns = 3000 * MS; /* since before the clock began, as it were */
    assert_false(had_cpu(&stop));
}

/* Where it takes 70 µs to see a stop, what was pushed off seems to have been queued 67 µs later. */
TEST(pace_when_stops_are_seen_is_learnt)
{
    struct pace pace = {.period_ns = PERIOD, .schedstat_fd = -1};
    struct pace_stop stop = pushed(4 * MS), early = pushed(4 * MS), late = pushed(4 * MS);

    late.seen_ns += 75 * US;
    assert_true(pace_was_pushed(&pace, &early));
    assert_false(pace_was_pushed(&pace, &late));
    stop.seen_ns += 70 * US;
    assert_false(pace_was_pushed(&pace, &stop));
    for (int i = 0; i < 1000; i++)
        (void)!pace_was_pushed(&pace, &stop);
    assert_true(pace_was_pushed(&pace, &stop));
    assert_false(pace_was_pushed(&pace, &early)); /* it left its CPU by itself, 70 µs before */
    assert_true(pace_was_pushed(&pace, &late));
    /* And anew, when it changes. */
    for (int i = 0; i < 1000; i++)
        (void)!pace_was_pushed(&pace, &early);
    assert_true(pace_was_pushed(&pace, &early));
}

/* It may have stopped long before it was seen, and have been queued so much before the round. */
TEST(pace_a_stop_that_was_not_looked_for_tells_nothing)
{
    struct pace_stop stop = pushed(4 * MS);

    stop.before_ns -= 10 * US;
    assert_true(had_cpu(&stop));
    stop.before_ns -= 100 * US;
    assert_false(had_cpu(&stop));
    stop.asked_ns = stop.seen_ns - 10 * US; /* nor can it have stopped before that */
    assert_true(had_cpu(&stop));
}

TEST(pace_a_late_round_tells_nothing_of_what_was_queued)
{
    struct pace_stop stop = pushed(4 * MS);

    stop.round.on_time = false;
    assert_false(had_cpu(&stop));
}

TEST(pace_what_got_a_cpu_twice_had_none_for_certain)
{
    struct pace_stop stop = pushed(4 * MS);

    stop.slices = 2;
    assert_false(had_cpu(&stop));
}

/*
 * It stops 20 µs after it was asked: so much of each of its turns cannot be seen, but of the first,
 * in which it was let go.
 */
TEST(pace_what_ran_elsewhere_had_a_cpu_where_little_is_missed)
{
    struct pace_stop stop = {.asked_ns = 1000 * MS,
                             .seen_ns = 1000 * MS + 20 * US,
                             .cpu = 2,
                             .used_ns = 10 * MS,
                             .used_slices = 6};

    assert_true(had_cpu(&stop));
    stop.round.on_time = true;
    assert_true(had_cpu(&stop));
    stop.used_slices = 7; /* more than a hundredth */
    assert_false(had_cpu(&stop));
    stop.used_ns = 0;
    stop.used_slices = 1;
    assert_true(had_cpu(&stop));
    stop.used_slices = 0;
    assert_true(had_cpu(&stop));
    /* We pushed it off: the turn in which it stopped is ours. */
    stop.slices = 1;
    stop.used_slices = 2;
    stop.used_ns = 2 * MS;
    assert_true(pace_turns_are_long(&stop));
    stop.used_slices = 4;
    assert_false(pace_turns_are_long(&stop));
    stop.slices = 0;
    /* In a system call that lasted: no more is missed than in the time of a request. */
    stop.seen_ns += 20 * MS;
    stop.used_ns = 30 * MS;
    stop.used_slices = 7;
    assert_true(had_cpu(&stop));
    stop.used_slices = 8;
    assert_false(had_cpu(&stop));
}
