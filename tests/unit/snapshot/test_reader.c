/* SPDX-License-Identifier: MIT */
/* The snapshot reader: all is delivered as it was written, stacks written as differences too. */
#include "reader_fixture.h"

static void check_process_and_maps(struct reading *r)
{
    const struct snap_event *e = next(r, SNAP_PROCESS);

    assert_int_equal(e->process.pid, PID);
    assert_int_equal(e->process.parent_pid, 1);
    assert_int_equal(e->process.time_ns, 10);
    assert_int_equal(e->process.page_size, 4096);
    assert_int_equal(e->process.word_size, 8);
    assert_string_equal(e->process.exe, "/bin/prog");
    assert_string_equal(e->process.host, "host");
    assert_string_equal(e->process.kernel, "6.1");
    assert_false(e->process.whole); /* version 1.0 does not tell */
    assert_int_equal(e->process.command_line_size, 8);
    assert_memory_equal(e->process.command_line, "prog\0-x", 8);
    assert_int_equal(e->process.auxv_size, 4);
    assert_false(e->process.exec);

    e = next(r, SNAP_MAP);
    assert_int_equal(e->map.kind, SNAP_MAP_FILE);
    assert_int_equal(e->map.flags, SNAP_MAP_DELETED);
    assert_int_equal(e->map.prot, 5);
    assert_int_equal(e->map.build_id_size, 3);
    assert_memory_equal(e->map.build_id, "\1\2\3", 3);
    assert_int_equal(e->map.start_addr, 0x400000);
    assert_int_equal(e->map.end_addr, 0x500000);
    assert_int_equal(e->map.file_off, 0x1000);
    assert_int_equal(e->map.dev, 0x801);
    assert_int_equal(e->map.inode, 42);
    assert_string_equal(e->map.path, "/bin/prog");

    e = next(r, SNAP_CODE);
    assert_int_equal(e->range.start_addr, 0x7000);
    assert_int_equal(e->range.end_addr, 0x7002);
    assert_memory_equal(e->range.bytes, "\xc3\x90", 2);

    e = next(r, SNAP_UNMAP);
    assert_int_equal(e->range.end_addr, 0x500000);
    assert_null(e->range.bytes);
}

static void check_sample(const struct snap_sample *s)
{
    assert_int_equal(s->pid, PID);
    assert_int_equal(s->tid, 7);
    assert_int_equal(s->time_ns, 100);
    assert_int_equal(s->cpu_ns, 12);
    assert_int_equal(s->state, 'D');
    assert_int_equal(s->flags & SNAP_SAMPLE_DISTURBED, SNAP_SAMPLE_DISTURBED);
    assert_true(s->has_syscall);
    assert_true(s->held);
    assert_true(s->syscall == -4);
    assert_int_equal(s->syscall_args[5], 65);
    assert_int_equal(s->regs.known, (1 << 17) - 1);
    assert_int_equal(s->regs.value[16], 1016);
    assert_int_equal(s->region_count, 2);
    assert_stack(s, 0, "ordinary");
    assert_stack(s, 1, "alt");
    assert_int_equal(s->regions[1].map_end_addr, 0x601000);
    assert_int_equal(s->wait_count, 1);
    assert_int_equal(s->waits[0].addr, 0x600010);
    assert_false(s->repeat);
}

static void check_creation(struct reading *r)
{
    const struct snap_creation *made;

    assert_int_equal(next(r, SNAP_THREAD)->thread.tid, 8);
    made = &next(r, SNAP_CREATION)->creation;
    assert_int_equal(made->maker.pid, PID);
    assert_int_equal(made->maker.tid, 7);
    assert_int_equal(made->maker.time_ns, 260);
    assert_int_equal(made->maker.regs.value[16], 2016);
    assert_int_equal(made->maker.regs.known, (1 << 17) - 1);
    assert_int_equal(made->new_pid, PID);
    assert_int_equal(made->new_tid, 8);
    assert_int_equal(made->maker.region_count, 1);
    assert_stack(&made->maker, 0, "making");
}

static void check_rest(struct reading *r)
{
    const struct snap_event *e = next(r, SNAP_SAMPLE); /* the REPEAT */

    assert_true(e->sample.repeat);
    assert_false(e->sample.held);
    assert_int_equal(e->sample.time_ns, 250);
    assert_int_equal(e->sample.cpu_ns, 0);
    assert_int_equal(e->sample.state, 'D');
    assert_stack(&e->sample, 0, "ordinary");

    check_creation(r);
    assert_int_equal(next_tick(r)->time_ns, 270);
    assert_stack(&r->event.sample, 0, "ticking");
    e = next(r, SNAP_LOSS);
    assert_int_equal(e->loss.tid, 8);
    assert_int_equal(e->loss.count, 3);
    assert_int_equal(e->loss.reason, SNAP_LOSS_GONE);

    e = next(r, SNAP_SAMPLE); /* the IDLE */
    assert_true(e->sample.repeat);
    assert_int_equal(e->sample.time_ns, 300);

    e = next(r, SNAP_THREAD_END);
    assert_int_equal(e->thread.tid, 7);
    assert_null(e->thread.name);

    e = next(r, SNAP_USAGE);
    assert_int_equal(e->usage.pid, PID);
    assert_int_equal(e->usage.time_ns, 310);
    assert_int_equal(e->usage.cpu_ns, 250);
    assert_int_equal(e->usage.period_ns, 10101010);

    e = next(r, SNAP_SUMMARY);
    assert_int_equal(e->summary.time_ns, 100);
    assert_int_equal(e->summary.bytes_written, 109);
    assert_int_equal(e->summary.end, SNAP_END_SIGNAL);
}

TEST(reader_every_record_type_is_delivered_as_written)
{
    static const size_t chunks[] = {SIZE_MAX, 1, 7, 4096};

    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        struct stream stream = every_type();
        struct reading r;
        const struct snap_event *e;

        stream.chunk = chunks[i];
        open_stream(&r, &stream);
        assert_ptr_equal(snap_reader_arch(r.reader), arch_get(ARCH_X86_64));
        assert_int_equal(snap_reader_clock_offset(r.reader), 1000000);
        check_process_and_maps(&r);
        e = next(&r, SNAP_THREAD);
        assert_int_equal(e->thread.start_ticks, 777);
        assert_string_equal(e->thread.name, "main");
        check_sample(next_sample(&r));
        check_rest(&r);
        expect_end(&r, false, stream.size);
        close_stream(&r, &stream);
    }
}

TEST_OF(reader_bytes_in_no_run_come_from_the_last_sample, reading, r)
{
    struct snap_writer *w = write_with_thread(r);

    put_sample(w, 7, 100, STACK, "abcdefghijklmnop");
    /* The same SP, two changed bytes, one of them the last. */
    put_sample_head(w, PID, 7, 200, 17);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 16, STACK + 16, 2);
    put_run(w, 3, "D", 1);
    put_run(w, 15, "P", 1);
    put_end(w);
    /* SP moved down by four. */
    put_sample_head(w, PID, 7, 300, 17);
    snap_writer_u8(w, 1);
    put_region(w, STACK - 4, STACK + 16, STACK + 16, 1);
    put_run(w, 0, "1234", 4);
    put_end(w);
    /* SP moved up by eight: nothing is new. */
    put_sample_without_runs(w, PID, 7, 400, STACK + 4, STACK + 16);
    read_stream(r);
    next(r, SNAP_PROCESS);
    next(r, SNAP_THREAD);
    assert_stack(next_sample(r), 0, "abcdefghijklmnop");
    assert_stack(next_sample(r), 0, "abcDefghijklmnoP");
    assert_stack(next_sample(r), 0, "1234abcDefghijklmnoP");
    assert_stack(next_sample(r), 0, "efghijklmnoP");
    expect_end(r, true, r->stream.size);
}

static struct stream sample_and_region(uint64_t start_addr, uint64_t end_addr)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    put_thread(w, PID, 8, "other");
    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_sample_without_runs(w, PID, 7, 200, start_addr, end_addr);
    return stream_end(w, fd);
}

TEST(reader_bytes_that_were_never_captured_are_refused)
{
    expect_refused(sample_and_region(STACK - 1, STACK + 8), "never captured");
    expect_refused(sample_and_region(STACK, STACK + 9), "never captured");
    expect_refused(sample_and_region(0x1000, 0x1008), "never captured");
}

TEST(reader_only_the_last_sample_is_kept)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_sample(w, 7, 200, STACK + 4, "EFGH");
    /* Bytes 0 to 3 were in the sample before the last. */
    put_sample_without_runs(w, PID, 7, 300, STACK, STACK + 8);
    expect_refused(stream_end(w, fd), "never captured");
}

TEST(reader_another_threads_bytes_are_no_base)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    put_thread(w, PID, 8, "other");
    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_sample_without_runs(w, PID, 8, 200, STACK, STACK + 8);
    expect_refused(stream_end(w, fd), "never captured");
}

TEST_OF(reader_registers_beyond_its_own_are_ignored, reading, r)
{
    struct snap_writer *w = write_with_thread(r);
    const struct snap_sample *s;

    put_sample_head(w, PID, 7, 100, 40);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 4, STACK + 4, 1);
    put_run(w, 0, "abcd", 4);
    put_end(w);
    read_stream(r);
    next(r, SNAP_PROCESS);
    next(r, SNAP_THREAD);
    s = next_sample(r);
    assert_int_equal(s->regs.known, (1 << 17) - 1);
    assert_stack(s, 0, "abcd");
}

TEST_OF(reader_string_ends_at_an_embedded_nul, reading, r)
{
    struct snap_writer *w = write_stream(r);

    put_process(w, PID);
    snap_writer_begin(w, SNAP_THREAD, true);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 7);
    snap_writer_u64(w, 0);
    snap_writer_u64(w, 0);
    snap_writer_u16(w, 5);
    snap_writer_raw(w, "ab\0cd", 5);
    put_end(w);
    read_stream(r);
    next(r, SNAP_PROCESS);
    assert_string_equal(next(r, SNAP_THREAD)->thread.name, "ab");
}

TEST_OF(reader_tells_where_the_stack_s_mapping_begins_if_the_file_does, reading, r)
{
    static const uint64_t written[] = {STACK - 4096, STACK + 1, 0};
    static const uint64_t wanted[] = {STACK - 4096, 0, 0, 0};
    struct snap_writer *w = write_with_thread(r);

    for (unsigned i = 0; i < 4; i++) {
        put_sample_head(w, PID, 7, 100 + i, 17);
        snap_writer_u8(w, 1);
        put_region(w, STACK, STACK + 4, STACK + 8, 1);
        put_run(w, 0, "abcd", 4);
        if (i < 3) /* the last is as version 1.0 has it */
            snap_writer_u64(w, written[i]);
        put_end(w);
    }
    read_behind_thread(r);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(next_sample(r)->stack_map_addr, wanted[i]);
}

TEST_OF(reader_tells_where_a_goroutine_was_left, reading, r)
{
    /* What follows the delay, and what is told of it. */
    static const struct {
        uint8_t state, words, told;
        uint64_t number;
    } cases[] = {{0, 0, 0, 0},      {1, 0, 1, 0},      {2, 3, 2, 0},
                 {2, 2, 0, 0},      {3, 3, 0, 0},      {0, 1, 0, 0x1000},
                 {1, 1, 1, 0x1000}, {2, 4, 2, 0x1003}, {2, 5, 2, 0x1003}};
    struct snap_writer *w = write_with_thread(r);

    for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        put_sample_head(w, PID, 7, 100 + i, 17);
        snap_writer_u8(w, 1);
        put_region(w, STACK, STACK + 4, STACK + 8, 1);
        put_run(w, 0, "abcd", 4);
        snap_writer_u64(w, STACK);
        snap_writer_u64(w, 0);
        snap_writer_u8(w, cases[i].state);
        for (unsigned k = 0; k < cases[i].words; k++)
            snap_writer_u64(w, 0x1000 + k);
        put_end(w);
    }
    read_behind_thread(r);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct snap_sample *sample = next_sample(r);
        const struct snap_goroutine *g = &sample->goroutine;

        assert_int_equal(g->state, cases[i].told);
        assert_int_equal(g->sp, g->state == SNAP_GOROUTINE_LEFT ? 0x1000 : 0);
        assert_int_equal(g->pc, g->state == SNAP_GOROUTINE_LEFT ? 0x1001 : 0);
        assert_int_equal(g->lr, g->state == SNAP_GOROUTINE_LEFT ? 0x1002 : 0);
        assert_int_equal(sample->goroutine_id, cases[i].number);
    }
}
