/* SPDX-License-Identifier: MIT */
/* The snapshot reader's threads: how they come and go, and what repeats stand for. */
#include <time.h>

#include "reader_fixture.h"

TEST_OF(reader_idle_repeats_each_sampled_thread_of_the_process, reading, r)
{
    struct snap_writer *w = write_stream(r);
    const struct snap_sample *s;

    put_process(w, PID);
    put_process(w, 9);
    put_thread(w, PID, 7, "a");
    put_thread(w, PID, 8, "b");
    put_thread(w, PID, 10, "never sampled");
    put_thread(w, PID, 11, "ends");
    put_thread(w, 9, 9, "other process");
    put_sample(w, 7, 100, STACK, "seven");
    put_sample(w, 8, 110, STACK, "eight");
    put_sample(w, 11, 120, STACK, "eleven");
    put_sample_without_runs(w, 9, 9, 130, STACK, STACK);
    put_thread_end(w, PID, 11);
    put_idle(w, PID, 500);
    put_idle(w, 12345, 600); /* nobody's */
    put_repeat(w, 8, 700);
    read_stream(r);
    skip_events(r, 12);
    s = next_sample(r);
    assert_int_equal(s->tid, 7);
    assert_int_equal(s->time_ns, 500);
    assert_true(s->repeat);
    assert_stack(s, 0, "seven");
    s = next_sample(r);
    assert_int_equal(s->tid, 8);
    assert_int_equal(s->slot, 1); /* the second of all threads */
    assert_int_equal(s->wall_ns, 390);
    assert_stack(s, 0, "eight");
    s = next_sample(r); /* the REPEAT */
    assert_int_equal(s->tid, 8);
    assert_int_equal(s->time_ns, 700);
    assert_int_equal(s->wall_ns, 200);
    expect_end(r, true, r->stream.size);
}

TEST_OF(reader_idle_leaves_out_exceptions_and_threads_with_a_later_sample, reading, r)
{
    struct snap_writer *w = write_stream(r);
    const struct snap_sample *s;

    put_process(w, PID);
    put_thread(w, PID, 7, "a");
    put_thread(w, PID, 8, "b");
    put_thread(w, PID, 10, "c");
    put_sample(w, 7, 100, STACK, "seven");
    put_sample(w, 8, 110, STACK, "eight");
    put_sample(w, 10, 300, STACK, "ten");
    snap_writer_begin(w, SNAP_IDLE, true);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, 300);
    snap_writer_u32(w, 2);
    snap_writer_u32(w, 8);
    snap_writer_u32(w, 99); /* unknown: ignored */
    put_end(w);
    put_idle(w, PID, 400); /* exceptions are of one record */
    read_stream(r);
    skip_events(r, 7);
    s = next_sample(r);
    assert_int_equal(s->tid, 7);
    assert_int_equal(s->time_ns, 300);
    for (uint32_t tid = 7; tid <= 10; tid += tid == 8 ? 2 : 1) {
        s = next_sample(r);
        assert_int_equal(s->tid, tid);
        assert_int_equal(s->time_ns, 400);
    }
    expect_end(r, true, r->stream.size);
}

TEST_OF(reader_wall_time_counts_from_the_last_sample_or_repeat, reading, r)
{
    static const uint64_t expected[] = {0, 150, 50, 200, 0, 30};
    struct snap_writer *w = write_with_thread(r);

    put_sample(w, 7, 100, STACK, "x");
    put_repeat(w, 7, 250);
    put_idle(w, PID, 300);
    put_sample(w, 7, 500, STACK, "y");
    put_repeat(w, 7, 470); /* a clock that went backwards gives no time, not nearly 2^64 */
    put_repeat(w, 7, 500);
    read_stream(r);
    next(r, SNAP_PROCESS);
    next(r, SNAP_THREAD);
    for (int i = 0; i < 6; i++)
        assert_int_equal(next_sample(r)->wall_ns, expected[i]);
}

TEST(reader_repeat_without_sample_is_refused)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    put_repeat(w, 7, 100);
    expect_refused(stream_end(w, fd), "repeat of a thread that has no sample");
}

TEST_OF(reader_exec_forgets_the_threads, reading, r)
{
    struct snap_writer *w = write_with_thread(r);

    put_thread(w, PID, 8, "worker");
    put_sample(w, 7, 100, STACK, "abcd");
    put_sample(w, 8, 100, STACK, "abcd");
    put_process(w, PID);
    put_idle(w, PID, 200);
    put_thread(w, PID, 7, "main");
    put_sample_without_runs(w, PID, 7, 300, STACK, STACK + 4);
    read_stream(r);
    assert_false(next(r, SNAP_PROCESS)->process.exec);
    skip_events(r, 4);
    assert_true(next(r, SNAP_PROCESS)->process.exec);
    next(r, SNAP_THREAD); /* the IDLE stands for nothing */
    expect_bad_data(r, "never captured");
}

TEST_OF(reader_tid_used_again_starts_anew, reading, r)
{
    struct snap_writer *w = write_stream(r);

    put_process(w, PID);
    put_thread(w, PID, 7, "first");
    put_sample(w, 7, 100, STACK, "abcd");
    put_thread_end(w, PID, 7);
    put_thread(w, PID, 7, "second");
    put_sample(w, 7, 300, STACK, "wxyz");
    put_thread(w, PID, 7, "renamed");
    put_repeat(w, 7, 400);
    put_thread_end(w, PID, 7);
    put_sample(w, 7, 500, STACK, "abcd");
    read_stream(r);
    next(r, SNAP_PROCESS);
    assert_string_equal(next(r, SNAP_THREAD)->thread.name, "first");
    next_sample(r);
    next(r, SNAP_THREAD_END);
    assert_string_equal(next(r, SNAP_THREAD)->thread.name, "second");
    assert_int_equal(next_sample(r)->wall_ns, 0);
    assert_string_equal(next(r, SNAP_THREAD)->thread.name, "renamed");
    assert_stack(next_sample(r), 0, "wxyz"); /* a new name is the same thread */
    next(r, SNAP_THREAD_END);
    expect_bad_data(r, "was not announced");
}

TEST(reader_tid_of_another_process_replaces_the_thread)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);

    put_process(w, PID);
    put_process(w, 9);
    put_thread(w, PID, 7, "ended unseen");
    put_sample(w, 7, 100, STACK, "abcd");
    put_thread(w, 9, 7, "new");
    put_repeat(w, 7, 200);
    expect_refused(stream_end(w, fd), "repeat of a thread that has no sample");
}

TEST_OF(reader_many_threads_come_and_go, reading, r)
{
    struct snap_writer *w = write_stream(r);
    unsigned samples = 0;
    enum status status;

    put_process(w, PID);
    for (uint32_t i = 0; i < 3000; i++) {
        put_thread(w, PID, 100 + i, "t");
        put_sample(w, 100 + i, i, STACK, "abcd");
        if (i >= 5)
            put_thread_end(w, PID, 100 + i - 5);
    }
    put_idle(w, PID, 5000);
    read_stream(r);
    while ((status = snap_reader_next(r->reader, &r->event, &r->diag)) == STATUS_OK)
        samples += r->event.type == SNAP_SAMPLE;
    assert_int_equal(status, STATUS_END);
    assert_int_equal(samples, 3000 + 5);
}

/* What an exec costs depends on the threads of its process, not on how many there are of others. */
TEST_OF(reader_many_execs_beside_many_threads_take_little_time, reading, r)
{
    const uint32_t other = 9, threads = 60000, execs = 200000;
    struct snap_writer *w = write_stream(r);
    clock_t start;
    enum status status;
    uint32_t seen = 0;

    put_process(w, other);
    for (uint32_t i = 0; i < threads; i++)
        put_thread(w, other, 100 + i, "t");
    for (uint32_t i = 0; i < execs; i++)
        put_process(w, PID);
    read_stream(r);
    start = clock();
    while ((status = snap_reader_next(r->reader, &r->event, &r->diag)) == STATUS_OK)
        seen += r->event.type == SNAP_PROCESS && r->event.process.exec;
    assert_int_equal(status, STATUS_END);
    assert_int_equal(seen, execs - 1);
    assert_true(clock() - start < 10 * CLOCKS_PER_SEC);
}

/* Ended ones in the middle, at either end, and replaced: an exec finds those that are left. */
TEST_OF(reader_exec_ends_the_threads_that_are_left, reading, r)
{
    static const uint32_t ended[] = {100, 104, 109};
    struct snap_writer *w = write_stream(r);

    put_process(w, PID);
    put_process(w, 9);
    for (uint32_t i = 0; i < 10; i++) {
        put_thread(w, PID, 100 + i, "t");
        put_sample(w, 100 + i, 100, STACK, "abcd");
    }
    for (size_t i = 0; i < sizeof(ended) / sizeof(*ended); i++)
        put_thread_end(w, PID, ended[i]);
    put_thread(w, PID, 110, "in an ended one's place");
    put_sample(w, 110, 100, STACK, "abcd");
    put_thread(w, 9, 105, "its number is another process's now");
    put_sample_without_runs(w, 9, 105, 150, STACK, STACK);
    put_process(w, PID);
    put_idle(w, PID, 200);
    put_idle(w, 9, 200);
    read_stream(r);
    skip_events(r, 2 + 20 + 3 + 2 + 2);
    assert_true(next(r, SNAP_PROCESS)->process.exec);
    assert_int_equal(next_sample(r)->tid, 105);
    expect_end(r, true, r->stream.size);
}

TEST_OF(reader_thread_has_its_number_in_its_own_namespace, reading, r)
{
    struct snap_writer *w = write_stream(r);
    const struct snap_thread *thread;

    put_process(w, PID);
    put_thread(w, PID, 7, "as version 1.0 has it");
    snap_writer_begin(w, SNAP_THREAD, true);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 8);
    snap_writer_u64(w, 1);
    snap_writer_u64(w, 2);
    snap_writer_str(w, "inner");
    snap_writer_u32(w, 3);
    put_end(w);
    read_stream(r);
    skip_events(r, 1);
    thread = &next(r, SNAP_THREAD)->thread;
    assert_int_equal(thread->tid, 7);
    assert_int_equal(thread->inner_tid, 0);
    thread = &next(r, SNAP_THREAD)->thread;
    assert_int_equal(thread->tid, 8);
    assert_int_equal(thread->inner_tid, 3);
    expect_end(r, true, r->stream.size);
}
