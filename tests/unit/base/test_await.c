/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "unit_test.h"
#include "base/await.h"

#define TICK_US  20000
#define WAIT_MS  100
#define TOO_MANY 100 /* of them: two seconds */

static volatile sig_atomic_t ticks;

/* A wait that each tick begins anew has no other end. */
static void tick(int signal)
{
    (void)signal;
    if (++ticks == TOO_MANY)
        _exit(1);
}

static void set_ticks(suseconds_t interval_us)
{
    const struct itimerval timer = {.it_interval.tv_usec = interval_us,
                                    .it_value.tv_usec = interval_us};

    setitimer(ITIMER_REAL, &timer, NULL);
}

TEST(await_is_not_prolonged_by_signals)
{
    const struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    int fds[2];

    assert_int_equal(pipe(fds), 0);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    set_ticks(TICK_US);
    assert_false(await_input(fds[0], WAIT_MS));
    set_ticks(0);
    assert_true(ticks >= 2);
    close(fds[0]);
    close(fds[1]);
}

TEST(await_tells_of_bytes_and_of_the_end)
{
    int fds[2];

    assert_int_equal(pipe(fds), 0);
    assert_false(await_input(fds[0], 0));
    assert_int_equal(write(fds[1], "x", 1), 1);
    assert_true(await_input(fds[0], 0));
    close(fds[1]);
    assert_true(await_input(fds[0], 0));
    close(fds[0]);
}
