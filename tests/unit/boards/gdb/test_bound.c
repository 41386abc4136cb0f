/* SPDX-License-Identifier: MIT */
/* What bounds the waits for a stub: operations within one another, a limit, and signals. */
#include <signal.h>
#include <time.h>

#include "unit_test.h"
#include "base/clock.h"
#include "boards/gdb/bound.h"
#include "capture/target/backend.h"

#define SECOND_NS UINT64_C(1000000000)
#define HOUR_NS   (3600 * SECOND_NS)

static int begin(void **state)
{
    static struct gdb_bound bound;
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    assert_int_equal(gdb_bound_init(&bound, NULL), STATUS_OK);
    *state = &bound;
    return 0;
}

static int end(void **state)
{
    gdb_bound_deinit(*state);
    return 0;
}

TEST_WITH(bound_of_operations_within_one_another_is_what_ends_first, begin, end)
{
    struct gdb_bound *bound = *state;
    const uint64_t none_ns = gdb_bound_begin(bound, HOUR_NS);
    const uint64_t hour_ns = gdb_bound_begin(bound, 0);
    const uint64_t over_ns = gdb_bound_begin(bound, HOUR_NS);

    assert_true(gdb_bound_is_over(bound));
    assert_false(gdb_bound_wait(bound, -1, 0, GDB_BOUND_NEVER));
    assert_false(gdb_bound_is_ending(bound));
    gdb_bound_end(bound, over_ns);
    assert_true(gdb_bound_is_over(bound));
    gdb_bound_end(bound, hour_ns);
    assert_false(gdb_bound_is_over(bound));
    assert_true(gdb_bound_left(bound) <= HOUR_NS);
    gdb_bound_end(bound, none_ns);
    assert_true(gdb_bound_left(bound) > HOUR_NS);
}

TEST_WITH(bound_signal_that_is_pending_ends_the_capture_and_is_left_for_others, begin, end)
{
    struct gdb_bound *bound = *state;
    const struct timespec at_once = {0};
    sigset_t signals;

    raise(SIGTERM);
    assert_true(gdb_bound_is_ending(bound));
    assert_true(gdb_bound_left(bound) < SECOND_NS);
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    assert_int_equal(sigtimedwait(&signals, NULL, &at_once), SIGTERM);
    assert_true(gdb_bound_is_ending(bound));
}

TEST_WITH(bound_signal_that_was_taken_ends_the_capture_if_it_is_such, begin, end)
{
    struct gdb_bound *bound = *state;

    gdb_bound_took(bound, SIGIO);
    gdb_bound_took(bound, -1);
    assert_false(gdb_bound_is_ending(bound));
    gdb_bound_took(bound, SIGHUP);
    assert_true(gdb_bound_is_ending(bound));
}

TEST_WITH(bound_behind_the_limit_only_letting_go_is_waited_for, begin, end)
{
    struct gdb_bound *bound = *state;
    const uint64_t now = clock_now_ns();

    gdb_bound_limit(bound, now + HOUR_NS);
    assert_false(gdb_bound_is_ending(bound));
    gdb_bound_limit(bound, now - SECOND_NS);
    gdb_bound_limit(bound, now + HOUR_NS); /* it does not come later again */
    assert_true(gdb_bound_is_cut(bound) && gdb_bound_is_over(bound));
    assert_false(gdb_bound_may_ask(bound));
    assert_false(gdb_bound_wait(bound, -1, 0, GDB_BOUND_NEVER));
    gdb_bound_leave(bound, SECOND_NS / 2);
    assert_true(gdb_bound_is_ending(bound));
    assert_true(gdb_bound_asks_until(bound) >= now + SECOND_NS / 2);
}
