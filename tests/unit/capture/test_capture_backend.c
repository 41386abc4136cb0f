/* SPDX-License-Identifier: MIT */
/*
 * The core of a capture on a backend that knows no ptrace and no Linux (board_fixture.h): whether
 * the snapshot says what was played.
 */
#include "board_fixture.h"

static struct capture_result capture_to(int fd, uint64_t rounds)
{
    const struct capture_options options = board_options(rounds);

    return capture_with(fd, &options);
}

TEST(backend_that_knows_no_ptrace_yields_a_right_snapshot)
{
    int fd = memfd_create("snapshot", 0);
    struct capture_result result;
    struct stream stream;
    struct reading r;

    begin_board();
    board.come_at = 3;
    board.end_at = 5;
    result = capture_to(fd, 6);
    assert_int_equal(result.end, SNAP_END_LIMIT);
    assert_int_equal(result.threads, 3);
    stream = read_back(fd);
    open_stream(&r, &stream);
    expect_beginning(&r);
    expect_stop(&r, 1, 1, 2);
    expect_stop(&r, 2, 1, 2);
    expect_thread(next_kept(&r, SNAP_THREAD), 3);
    expect_stop(&r, 3, 1, 2);
    expect_stop(&r, 4, 1, 3);
    expect_stop(&r, 5, 1, 3);
    assert_int_equal(next_kept(&r, SNAP_LOSS)->loss.reason, SNAP_LOSS_GONE); /* it was asked */
    assert_int_equal(r.event.loss.tid, 2);
    assert_int_equal(next_kept(&r, SNAP_THREAD_END)->thread.tid, 2);
    expect_stop(&r, 6, 1, 3);
    assert_int_equal(next_kept(&r, SNAP_SUMMARY)->summary.samples, 13);
    expect_end(&r, false, stream.size);
    close_stream(&r, &stream);
}

/* It ran on until then: a round that it did not stop for in time is lost, and repeats nothing. */
TEST(backend_that_stops_late_is_sampled_when_it_stops)
{
    int fd = memfd_create("snapshot", 0);
    struct capture_result result;
    struct stream stream;
    struct reading r;

    begin_board();
    board.stop_delay_ns = 45 * MS; /* the core waits 20 */
    result = capture_to(fd, 3);
    assert_in_range(board.stops, 1, 2); /* where the test itself is late, it is asked once more */
    assert_int_equal(result.samples, 2 * board.stops);
    assert_int_equal(result.repeats, 0);
    assert_true(result.lost[SNAP_LOSS_LATE] > 0);
    stream = read_back(fd);
    open_stream(&r, &stream);
    expect_beginning(&r);
    expect_sample(&next_kept(&r, SNAP_SAMPLE)->sample, 1, 1);
    assert_true(r.event.sample.held);
    close_stream(&r, &stream);
}

/* The pipe's reader reads only after a stop that nobody asked for was answered. */
TEST(backend_is_answered_while_the_output_is_blocked)
{
    struct stream stream = {.chunk = SIZE_MAX};
    struct capture_result result;
    struct reading r;
    int fds[2];

    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    assert_int_equal(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
    begin_board();
    board.used = STACK_SIZE; /* two of them are more than the pipe holds */
    board.pipe = fds[0];
    board.stream = &stream;
    alarm(60);
    result = capture_to(fds[1], 2);
    alarm(0);
    assert_true(board.stopped_itself);
    close(fds[1]);
    drain_pipe();
    close(fds[0]);
    open_stream(&r, &stream);
    expect_beginning(&r);
    expect_sample(&next_kept(&r, SNAP_SAMPLE)->sample, 1, 1);
    expect_sample(&next_kept(&r, SNAP_SAMPLE)->sample, 2, 1);
    assert_true(result.samples >= 2);
    close_stream(&r, &stream);
}
