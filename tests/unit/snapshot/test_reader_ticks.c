/* SPDX-License-Identifier: MIT */
/* The snapshot reader: ticks of the CPUs' clocks, beside which samples are what they were. */
#include "reader_fixture.h"

/* A tick of [STACK, STACK + size) of which only what is at `off` is written. */
static void put_changed_tick(struct snap_writer *w, uint64_t time_ns, uint32_t size, uint32_t off,
                             const char *text)
{
    put_tick_head(w, PID, 7, time_ns, 17);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + size, STACK + size, 1);
    put_run(w, off, text, (uint32_t)strlen(text));
    put_end(w);
}

static void put_process_with_flags(struct snap_writer *w, uint32_t pid, uint8_t flags)
{
    begin_process_record(w, pid);
    snap_writer_u8(w, flags);
    put_end(w);
}

TEST_OF(reader_process_with_the_flag_has_ticks, reading, r)
{
    struct snap_writer *w = write_stream(r);

    put_process(w, 1); /* as version 1.0 has it */
    put_process_with_flags(w, 2, SNAP_PROCESS_WHOLE | SNAP_PROCESS_READY);
    put_process_with_flags(w, 3, SNAP_PROCESS_TICKS);
    read_stream(r);
    assert_false(next(r, SNAP_PROCESS)->process.has_ticks);
    assert_false(next(r, SNAP_PROCESS)->process.has_ticks);
    assert_true(next(r, SNAP_PROCESS)->process.has_ticks);
    assert_false(r->event.process.tells_ready);
}

TEST_OF(reader_tick_is_delivered_as_running_for_its_cpu_time, reading, r)
{
    struct snap_writer *w = write_with_thread(r);
    const struct snap_sample *s;

    put_tick(w, 7, 90, STACK, "before any sample");
    put_sample(w, 7, 100, STACK, "sampled");
    put_tick(w, 7, 250, STACK + 8, "ticking");
    read_behind_thread(r);
    assert_stack(next_tick(r), 0, "before any sample");
    next_sample(r);
    s = next_tick(r);
    assert_int_equal(s->pid, PID);
    assert_int_equal(s->tid, 7);
    assert_int_equal(s->time_ns, 250);
    assert_int_equal(s->state, 'R');
    assert_int_equal(s->cpu_ns, 50);
    assert_int_equal(s->wall_ns, 0);
    assert_int_equal(s->delay_ns, 0);
    assert_false(s->repeat);
    assert_false(s->held);
    assert_false(s->has_syscall);
    assert_int_equal(s->regs.known, (1 << 17) - 1);
    for (unsigned i = 0; i < 17; i++)
        assert_int_equal(s->regs.value[i], 3000 + i);
    assert_int_equal(s->region_count, 1);
    assert_int_equal(s->regions[0].start_addr, STACK + 8);
    assert_int_equal(s->regions[0].map_end_addr, STACK + 8 + 7 + 4096);
    assert_stack(s, 0, "ticking");
    expect_end(r, true, r->stream.size);
}

TEST_OF(reader_ticks_are_restored_from_the_threads_last_sample, reading, r)
{
    struct snap_writer *w = write_with_thread(r);

    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_changed_tick(w, 110, 8, 2, "XY");
    put_changed_tick(w, 120, 8, 5, "Z"); /* not from the tick before */
    put_sample(w, 7, 200, STACK, "ijklmnop");
    put_changed_tick(w, 190, 8, 0, "X"); /* whatever their times say */
    read_stream(r);
    skip_events(r, 3);
    assert_stack(next_tick(r), 0, "abXYefgh");
    assert_stack(next_tick(r), 0, "abcdeZgh");
    next_sample(r);
    assert_stack(next_tick(r), 0, "Xjklmnop");
}

TEST(reader_tick_with_bytes_that_were_never_captured_is_refused)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    put_tick(w, 7, 90, STACK, "abcdefgh"); /* is no base */
    put_changed_tick(w, 110, 8, 2, "XY");
    expect_refused(stream_end(w, fd), "never captured");
}

/* Of one stack with another, in place; then by a copy, as its end is another. */
TEST_OF(reader_samples_and_repeats_are_as_if_there_were_no_tick, reading, r)
{
    struct snap_writer *w = write_with_thread(r);
    const struct snap_sample *s;

    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_changed_tick(w, 130, 8, 2, "XY");
    put_sample_without_runs(w, PID, 7, 200, STACK, STACK + 8);
    put_tick(w, 7, 230, STACK, "entirely another stack");
    put_repeat(w, 7, 350);
    put_tick(w, 7, 360, STACK, "entirely another stack");
    put_sample_without_runs(w, PID, 7, 380, STACK, STACK + 4);
    put_tick(w, 7, 390, STACK, "and another one");
    put_idle(w, PID, 400);
    read_stream(r);
    skip_events(r, 4);
    s = next_sample(r);
    assert_stack(s, 0, "abcdefgh");
    assert_int_equal(s->wall_ns, 100);
    next_tick(r);
    s = next_sample(r); /* the REPEAT */
    assert_true(s->repeat);
    assert_stack(s, 0, "abcdefgh");
    assert_int_equal(s->state, 'S');
    assert_int_equal(s->regs.value[16], 1016);
    assert_int_equal(s->wall_ns, 150);
    next_tick(r);
    s = next_sample(r);
    assert_stack(s, 0, "abcd");
    assert_int_equal(s->wall_ns, 30);
    next_tick(r);
    s = next_sample(r); /* the IDLE */
    assert_stack(s, 0, "abcd");
    assert_int_equal(s->wall_ns, 20);
    expect_end(r, true, r->stream.size);
}

TEST(reader_repeat_of_a_tick_alone_is_refused)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    put_tick(w, 7, 90, STACK, "abcd");
    put_repeat(w, 7, 100);
    expect_refused(stream_end(w, fd), "repeat of a thread that has no sample");
}

TEST_OF(reader_waits_before_a_tick_come_with_the_next_sample, reading, r)
{
    struct snap_writer *w = write_with_thread(r);

    put_wait_memory(w, 7, 110, 0x600010, "lock");
    put_tick(w, 7, 105, STACK, "abcd");
    put_sample(w, 7, 100, STACK, "abcd");
    read_behind_thread(r);
    assert_int_equal(next_tick(r)->wait_count, 0);
    assert_int_equal(next_sample(r)->wait_count, 1);
}

/* A process's thread 7, and its tick with so many registers. */
static struct stream tick_of(enum arch_id arch, unsigned reg_count)
{
    int fd;
    struct snap_writer *w = stream_begin_of(&fd, arch);

    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    put_tick_head(w, PID, 7, 100, reg_count);
    snap_writer_u8(w, 1);
    put_region(w, 0x7000, 0x7004, 0x8000, 1);
    put_run(w, 0, "abcd", 4);
    put_end(w);
    return stream_end(w, fd);
}

TEST(reader_tick_without_registers_behind_pc_is_accepted)
{
    struct stream stream = tick_of(ARCH_ARM, 16);
    const struct snap_sample *s;
    struct reading r;

    open_stream(&r, &stream);
    skip_events(&r, 2);
    s = next_tick(&r);
    assert_int_equal(s->regs.known, (1 << 16) - 1); /* all but cpsr */
    assert_int_equal(s->regs.value[13], 3013);
    assert_int_equal(s->regs.value[15], 3015);
    assert_stack(s, 0, "abcd");
    expect_end(&r, true, stream.size);
    close_stream(&r, &stream);
}

TEST(reader_tick_without_pc_is_refused)
{
    for (unsigned id = 0; id < ARCH_COUNT; id++)
        expect_refused(tick_of((enum arch_id)id, arch_get((enum arch_id)id)->pc),
                       "too few registers");
}

TEST(reader_tick_of_an_unknown_thread_is_refused)
{
    for (unsigned i = 0; i < 3; i++) {
        int fd;
        struct snap_writer *w = begin_with_thread(&fd);

        if (i == 1) /* it has ended */
            put_thread_end(w, PID, 7);
        if (i == 2) { /* it is another process's */
            put_process(w, 9);
            put_thread(w, 9, 7, "other");
        }
        put_tick(w, i == 0 ? 8 : 7, 100, STACK, "abcd");
        expect_refused(stream_end(w, fd), "not announced");
    }
}

/* At each byte of it. */
TEST(reader_tick_cut_short_is_refused)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);
    size_t before = (size_t)snap_writer_size(w) + SNAP_RECORD_HEAD;
    struct stream whole;

    put_tick(w, 7, 100, STACK, "abcd");
    whole = stream_end(w, fd);
    assert_true(before < whole.size);
    assert_int_equal(whole.bytes[before - SNAP_RECORD_HEAD], SNAP_TICK);
    for (size_t size = 0; before + size < whole.size; size++) {
        w = begin_with_thread(&fd);
        snap_writer_begin(w, SNAP_TICK, false);
        snap_writer_raw(w, whole.bytes + before, size);
        put_end(w);
        expect_refused(stream_end(w, fd), "");
    }
    free(whole.bytes);
}
