#include "snapshot_fixture.h"

#include <errno.h>
#include <stdio.h>

#include "base/crc32.h"
#include "base/vec.h"

/* A reader over a stream, and the event it gave last. */
struct reading {
    struct snap_reader *reader;
    struct snap_event event;
    struct diag diag;
};

static void open_stream(struct reading *r, struct stream *stream)
{
    stream->pos = 0;
    assert_int_equal(snap_reader_create(stream_read, stream, "test", &r->reader, &r->diag),
                     STATUS_OK);
}

static const struct snap_event *next(struct reading *r, enum snap_type type)
{
    assert_int_equal(snap_reader_next(r->reader, &r->event, &r->diag), STATUS_OK);
    assert_int_equal(r->event.type, type);
    return &r->event;
}

static const struct snap_sample *next_sample(struct reading *r)
{
    return &next(r, SNAP_SAMPLE)->sample;
}

static void expect_end(struct reading *r, bool cut_short, uint64_t off)
{
    uint64_t end;

    assert_int_equal(snap_reader_next(r->reader, &r->event, &r->diag), STATUS_END);
    assert_int_equal(snap_reader_cut_short(r->reader, &end), cut_short);
    assert_int_equal(end, off);
}

static void close_stream(struct reading *r, struct stream *stream)
{
    snap_reader_destroy(r->reader);
    free(stream->bytes);
}

/* Reads to the first failure, which must be BAD_DATA that says `what`, again and again. */
static void expect_refused(struct stream *stream, const char *what)
{
    struct reading r;
    enum status status;

    open_stream(&r, stream);
    do
        status = snap_reader_next(r.reader, &r.event, &r.diag);
    while (status == STATUS_OK);
    assert_int_equal(status, STATUS_BAD_DATA);
    assert_non_null(strstr(r.diag.what, what));
    assert_true(r.diag.has_off);
    assert_int_equal(snap_reader_next(r.reader, &r.event, &r.diag), STATUS_BAD_DATA);
    assert_non_null(strstr(r.diag.what, what));
    close_stream(&r, stream);
}

static void assert_stack(const struct snap_sample *sample, unsigned region, const char *text)
{
    const struct snap_region *at = &sample->regions[region];

    assert_true(region < sample->region_count);
    assert_int_equal(at->end_addr - at->start_addr, strlen(text));
    assert_memory_equal(at->bytes, text, strlen(text));
}

static void put_map(struct snap_writer *w)
{
    snap_writer_begin(w, SNAP_MAP, true);
    snap_writer_u32(w, PID);
    snap_writer_u8(w, SNAP_MAP_FILE);
    snap_writer_u8(w, 5);
    snap_writer_u8(w, SNAP_MAP_DELETED);
    snap_writer_u8(w, 3);
    snap_writer_raw(w, "\1\2\3", 3);
    snap_writer_u64(w, 0x400000);
    snap_writer_u64(w, 0x500000);
    snap_writer_u64(w, 0x1000);
    snap_writer_u64(w, 0x801);
    snap_writer_u64(w, 42);
    snap_writer_str(w, "/bin/prog");
    put_end(w);
}

static void put_unmap(struct snap_writer *w, uint64_t start_addr, uint64_t end_addr)
{
    snap_writer_begin(w, SNAP_UNMAP, true);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, start_addr);
    snap_writer_u64(w, end_addr);
    put_end(w);
}

static void put_code(struct snap_writer *w, uint64_t start_addr)
{
    snap_writer_begin(w, SNAP_CODE, false);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, start_addr);
    snap_writer_bytes(w, "\xc3\x90", 2);
    put_end(w);
}

static void put_loss(struct snap_writer *w)
{
    snap_writer_begin(w, SNAP_LOSS, false);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 8);
    snap_writer_u64(w, 900);
    snap_writer_u32(w, 3);
    snap_writer_u32(w, SNAP_LOSS_GONE);
    put_end(w);
}

static void put_syscall_sample(struct snap_writer *w)
{
    snap_writer_begin(w, SNAP_SAMPLE, true);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 7);
    snap_writer_u64(w, 100);
    snap_writer_u8(w, 'D');
    snap_writer_u8(w, SNAP_SAMPLE_SYSCALL | SNAP_SAMPLE_DISTURBED);
    snap_writer_u16(w, 17);
    snap_writer_u64(w, 12);
    snap_writer_u64(w, (uint64_t)-4); /* a system call number is signed */
    for (unsigned i = 0; i < 6; i++)
        snap_writer_u64(w, 60 + i);
    for (unsigned i = 0; i < 17; i++)
        snap_writer_u64(w, 1000 + i);
    snap_writer_u8(w, 2);
    put_region(w, STACK, STACK + 8, STACK + 8, 1);
    put_run(w, 0, "ordinary", 8);
    put_region(w, 0x600000, 0x600003, 0x601000, 1);
    put_run(w, 0, "alt", 3);
    put_end(w);
}

static struct stream every_type(void)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);

    put_process(w, PID);
    put_map(w);
    put_code(w, 0x7000);
    put_unmap(w, 0x400000, 0x500000);
    put_thread(w, PID, 7, "main");
    put_syscall_sample(w);
    put_repeat(w, 7, 250);
    put_loss(w);
    put_idle(w, PID, 300);
    put_thread_end(w, PID, 7);
    put_summary(w);
    return stream_end(w, fd);
}

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
    assert_true(s->syscall == -4);
    assert_int_equal(s->syscall_args[5], 65);
    assert_int_equal(s->regs.known, (1 << 17) - 1);
    assert_int_equal(s->regs.value[16], 1016);
    assert_int_equal(s->region_count, 2);
    assert_stack(s, 0, "ordinary");
    assert_stack(s, 1, "alt");
    assert_int_equal(s->regions[1].map_end_addr, 0x601000);
    assert_false(s->repeat);
}

static void check_rest(struct reading *r)
{
    const struct snap_event *e = next(r, SNAP_SAMPLE); /* the REPEAT */

    assert_true(e->sample.repeat);
    assert_int_equal(e->sample.time_ns, 250);
    assert_int_equal(e->sample.cpu_ns, 0);
    assert_int_equal(e->sample.state, 'D');
    assert_stack(&e->sample, 0, "ordinary");

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

    e = next(r, SNAP_SUMMARY);
    assert_int_equal(e->summary.time_ns, 100);
    assert_int_equal(e->summary.bytes_written, 109);
    assert_int_equal(e->summary.end, SNAP_END_SIGNAL);
}

static void reader_every_record_type_is_delivered_as_written(void **state)
{
    static const size_t chunks[] = {SIZE_MAX, 1, 7, 4096};

    (void)state;
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

static void reader_bytes_in_no_run_come_from_the_last_sample(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    struct reading r;

    (void)state;
    put_process(w, PID);
    put_thread(w, PID, 7, "main");
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
    put_sample_head(w, PID, 7, 400, 17);
    snap_writer_u8(w, 1);
    put_region(w, STACK + 4, STACK + 16, STACK + 16, 0);
    put_end(w);
    stream = stream_end(w, fd);

    open_stream(&r, &stream);
    next(&r, SNAP_PROCESS);
    next(&r, SNAP_THREAD);
    assert_stack(next_sample(&r), 0, "abcdefghijklmnop");
    assert_stack(next_sample(&r), 0, "abcDefghijklmnoP");
    assert_stack(next_sample(&r), 0, "1234abcDefghijklmnoP");
    assert_stack(next_sample(&r), 0, "efghijklmnoP");
    expect_end(&r, true, stream.size);
    close_stream(&r, &stream);
}

static struct stream sample_and_region(uint64_t start_addr, uint64_t end_addr)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);

    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    put_thread(w, PID, 8, "other");
    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_sample_head(w, PID, 7, 200, 17);
    snap_writer_u8(w, 1);
    put_region(w, start_addr, end_addr, end_addr, 0);
    put_end(w);
    return stream_end(w, fd);
}

static void reader_bytes_that_were_never_captured_are_refused(void **state)
{
    struct stream below = sample_and_region(STACK - 1, STACK + 8);
    struct stream above = sample_and_region(STACK, STACK + 9);
    struct stream elsewhere = sample_and_region(0x1000, 0x1008);

    (void)state;
    expect_refused(&below, "never captured");
    expect_refused(&above, "never captured");
    expect_refused(&elsewhere, "never captured");
}

static void reader_only_the_last_sample_is_kept(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;

    (void)state;
    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_sample(w, 7, 200, STACK + 4, "EFGH");
    /* Bytes 0 to 3 were in the sample before the last. */
    put_sample_head(w, PID, 7, 300, 17);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 8, STACK + 8, 0);
    put_end(w);
    stream = stream_end(w, fd);
    expect_refused(&stream, "never captured");
}

static void reader_another_threads_bytes_are_no_base(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;

    (void)state;
    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    put_thread(w, PID, 8, "other");
    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_sample_head(w, PID, 8, 200, 17);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 8, STACK + 8, 0);
    put_end(w);
    stream = stream_end(w, fd);
    expect_refused(&stream, "never captured");
}

static void reader_idle_repeats_each_sampled_thread_of_the_process(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    struct reading r;
    const struct snap_sample *s;

    (void)state;
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
    put_sample_head(w, 9, 9, 130, 17);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK, STACK, 0);
    put_end(w);
    put_thread_end(w, PID, 11);
    put_idle(w, PID, 500);
    put_idle(w, 12345, 600); /* nobody's */
    put_repeat(w, 8, 700);
    stream = stream_end(w, fd);

    open_stream(&r, &stream);
    for (int i = 0; i < 12; i++)
        assert_int_equal(snap_reader_next(r.reader, &r.event, &r.diag), STATUS_OK);
    s = next_sample(&r);
    assert_int_equal(s->tid, 7);
    assert_int_equal(s->time_ns, 500);
    assert_true(s->repeat);
    assert_stack(s, 0, "seven");
    s = next_sample(&r);
    assert_int_equal(s->tid, 8);
    assert_int_equal(s->wall_ns, 390);
    assert_stack(s, 0, "eight");
    s = next_sample(&r); /* the REPEAT */
    assert_int_equal(s->tid, 8);
    assert_int_equal(s->time_ns, 700);
    assert_int_equal(s->wall_ns, 200);
    expect_end(&r, true, stream.size);
    close_stream(&r, &stream);
}

static void reader_idle_leaves_out_exceptions_and_threads_with_a_later_sample(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    struct reading r;
    const struct snap_sample *s;

    (void)state;
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
    stream = stream_end(w, fd);

    open_stream(&r, &stream);
    for (int i = 0; i < 7; i++)
        assert_int_equal(snap_reader_next(r.reader, &r.event, &r.diag), STATUS_OK);
    s = next_sample(&r);
    assert_int_equal(s->tid, 7);
    assert_int_equal(s->time_ns, 300);
    for (uint32_t tid = 7; tid <= 10; tid += tid == 8 ? 2 : 1) {
        s = next_sample(&r);
        assert_int_equal(s->tid, tid);
        assert_int_equal(s->time_ns, 400);
    }
    expect_end(&r, true, stream.size);
    close_stream(&r, &stream);
}

static void reader_wall_time_counts_from_the_last_sample_or_repeat(void **state)
{
    static const uint64_t expected[] = {0, 150, 50, 200, 0, 30};
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    struct reading r;

    (void)state;
    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    put_sample(w, 7, 100, STACK, "x");
    put_repeat(w, 7, 250);
    put_idle(w, PID, 300);
    put_sample(w, 7, 500, STACK, "y");
    put_repeat(w, 7, 470); /* a clock that went backwards gives no time, not nearly 2^64 */
    put_repeat(w, 7, 500);
    stream = stream_end(w, fd);

    open_stream(&r, &stream);
    next(&r, SNAP_PROCESS);
    next(&r, SNAP_THREAD);
    for (int i = 0; i < 6; i++)
        assert_int_equal(next_sample(&r)->wall_ns, expected[i]);
    close_stream(&r, &stream);
}

static void reader_repeat_without_sample_is_refused(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;

    (void)state;
    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    put_repeat(w, 7, 100);
    stream = stream_end(w, fd);
    expect_refused(&stream, "repeat of a thread that has no sample");
}

static void reader_exec_forgets_the_threads(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    struct reading r;

    (void)state;
    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    put_thread(w, PID, 8, "worker");
    put_sample(w, 7, 100, STACK, "abcd");
    put_sample(w, 8, 100, STACK, "abcd");
    put_process(w, PID);
    put_idle(w, PID, 200);
    put_thread(w, PID, 7, "main");
    put_sample_head(w, PID, 7, 300, 17);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 4, STACK + 4, 0);
    put_end(w);
    stream = stream_end(w, fd);

    open_stream(&r, &stream);
    assert_false(next(&r, SNAP_PROCESS)->process.exec);
    for (int i = 0; i < 4; i++)
        assert_int_equal(snap_reader_next(r.reader, &r.event, &r.diag), STATUS_OK);
    assert_true(next(&r, SNAP_PROCESS)->process.exec);
    next(&r, SNAP_THREAD); /* the IDLE stands for nothing */
    assert_int_equal(snap_reader_next(r.reader, &r.event, &r.diag), STATUS_BAD_DATA);
    assert_non_null(strstr(r.diag.what, "never captured"));
    close_stream(&r, &stream);
}

static void reader_tid_used_again_starts_anew(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    struct reading r;

    (void)state;
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
    stream = stream_end(w, fd);

    open_stream(&r, &stream);
    next(&r, SNAP_PROCESS);
    assert_string_equal(next(&r, SNAP_THREAD)->thread.name, "first");
    next_sample(&r);
    next(&r, SNAP_THREAD_END);
    assert_string_equal(next(&r, SNAP_THREAD)->thread.name, "second");
    assert_int_equal(next_sample(&r)->wall_ns, 0);
    assert_string_equal(next(&r, SNAP_THREAD)->thread.name, "renamed");
    assert_stack(next_sample(&r), 0, "wxyz"); /* a new name is the same thread */
    next(&r, SNAP_THREAD_END);
    assert_int_equal(snap_reader_next(r.reader, &r.event, &r.diag), STATUS_BAD_DATA);
    assert_non_null(strstr(r.diag.what, "was not announced"));
    close_stream(&r, &stream);
}

static void reader_tid_of_another_process_replaces_the_thread(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;

    (void)state;
    put_process(w, PID);
    put_process(w, 9);
    put_thread(w, PID, 7, "ended unseen");
    put_sample(w, 7, 100, STACK, "abcd");
    put_thread(w, 9, 7, "new");
    put_repeat(w, 7, 200);
    stream = stream_end(w, fd);
    expect_refused(&stream, "repeat of a thread that has no sample");
}

static void reader_many_threads_come_and_go(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    struct reading r;
    unsigned samples = 0;
    enum status status;

    (void)state;
    put_process(w, PID);
    for (uint32_t i = 0; i < 3000; i++) {
        put_thread(w, PID, 100 + i, "t");
        put_sample(w, 100 + i, i, STACK, "abcd");
        if (i >= 5)
            put_thread_end(w, PID, 100 + i - 5);
    }
    put_idle(w, PID, 5000);
    stream = stream_end(w, fd);

    open_stream(&r, &stream);
    while ((status = snap_reader_next(r.reader, &r.event, &r.diag)) == STATUS_OK)
        samples += r.event.type == SNAP_SAMPLE;
    assert_int_equal(status, STATUS_END);
    assert_int_equal(samples, 3000 + 5);
    close_stream(&r, &stream);
}

/* What an event says, as one number. */
static uint32_t fingerprint(const struct snap_event *e)
{
    uint32_t crc = crc32_update(0, &e->type, sizeof(e->type));

    if (e->type == SNAP_PROCESS)
        return crc32_update(crc, e->process.command_line, e->process.command_line_size);
    if (e->type == SNAP_MAP)
        return crc32_update(crc, e->map.path, strlen(e->map.path));
    if (e->type != SNAP_SAMPLE)
        return crc;
    crc = crc32_update(crc, &e->sample.time_ns, sizeof(e->sample.time_ns));
    crc = crc32_update(crc, &e->sample.wall_ns, sizeof(e->sample.wall_ns));
    crc = crc32_update(crc, e->sample.regs.value, 17 * sizeof(e->sample.regs.value[0]));
    for (uint32_t i = 0; i < e->sample.region_count; i++)
        crc = crc32_update(crc, e->sample.regions[i].bytes,
                           e->sample.regions[i].end_addr - e->sample.regions[i].start_addr);
    return crc;
}

struct prints {
    uint32_t *items;
    size_t count, cap;
    enum status status; /* how the reading ended */
    bool cut_short;
    uint64_t end;
};

static struct prints read_prints(const uint8_t *bytes, size_t size)
{
    struct stream stream = {.bytes = (uint8_t *)bytes, .size = size, .chunk = SIZE_MAX};
    struct prints p = {.items = NULL};
    struct reading r;

    p.status = snap_reader_create(stream_read, &stream, "test", &r.reader, &r.diag);
    if (p.status != STATUS_OK)
        return p;
    while ((p.status = snap_reader_next(r.reader, &r.event, &r.diag)) == STATUS_OK) {
        assert_int_equal(vec_reserve(&p.items, &p.cap, p.count + 1, sizeof(*p.items)), STATUS_OK);
        p.items[p.count++] = fingerprint(&r.event);
    }
    p.cut_short = snap_reader_cut_short(r.reader, &p.end);
    snap_reader_destroy(r.reader);
    return p;
}

static void assert_prefix(const struct prints *part, const struct prints *whole)
{
    assert_true(part->count <= whole->count);
    if (part->count)
        assert_memory_equal(part->items, whole->items, part->count * sizeof(*part->items));
}

static void reader_flipped_byte_never_delivers_anything_wrong(void **state)
{
    struct stream stream = every_type();
    struct prints whole = read_prints(stream.bytes, stream.size);

    (void)state;
    assert_int_equal(whole.status, STATUS_END);
    for (size_t at = 0; at < stream.size; at++)
        for (unsigned bit = 0; bit < 9; bit++) {
            uint8_t flip = (uint8_t)(bit < 8 ? 1u << bit : 0xffu);
            struct prints part;

            stream.bytes[at] = (uint8_t)(stream.bytes[at] ^ flip);
            part = read_prints(stream.bytes, stream.size);
            stream.bytes[at] = (uint8_t)(stream.bytes[at] ^ flip);
            /* A length that leads beyond the end looks like a stream that was cut. */
            assert_true(part.status == STATUS_BAD_DATA || part.status == STATUS_UNSUPPORTED ||
                        (part.status == STATUS_END && part.cut_short));
            assert_true(part.count < whole.count);
            assert_prefix(&part, &whole);
            free(part.items);
        }
    free(whole.items);
    free(stream.bytes);
}

static size_t record_size(const uint8_t *record)
{
    uint32_t len;

    memcpy(&len, record + 4, sizeof(len));
    return SNAP_RECORD_HEAD + len;
}

static void reader_stream_cut_anywhere_gives_all_whole_records(void **state)
{
    struct stream stream = every_type();
    struct prints whole = read_prints(stream.bytes, stream.size);
    size_t records = 0, last = SNAP_HEADER_SIZE;

    (void)state;
    for (size_t size = 0; size < stream.size; size++) {
        struct prints part = read_prints(stream.bytes, size);

        if (size < SNAP_HEADER_SIZE) {
            assert_int_equal(part.status, STATUS_BAD_DATA);
            continue;
        }
        while (last + record_size(stream.bytes + last) <= size) {
            last += record_size(stream.bytes + last);
            records++;
        }
        assert_int_equal(part.status, STATUS_END);
        assert_true(part.cut_short);
        assert_int_equal(part.end, last);
        assert_int_equal(part.count, records);
        assert_prefix(&part, &whole);
        free(part.items);
    }
    free(whole.items);
    free(stream.bytes);
}

static void reader_bytes_behind_the_summary_are_a_cut_record(void **state)
{
    struct stream stream = every_type();
    uint8_t *longer = realloc(stream.bytes, stream.size + 5);
    struct prints p;

    (void)state;
    assert_non_null(longer);
    memset(longer + stream.size, 1, 5);
    p = read_prints(longer, stream.size + 5);
    assert_int_equal(p.status, STATUS_END);
    assert_true(p.cut_short);
    assert_int_equal(p.end, stream.size);
    free(p.items);
    free(longer);
}

static void put_unknown(struct snap_writer *w, bool required)
{
    snap_writer_begin(w, (enum snap_type)77, required);
    snap_writer_str(w, "from the future");
    put_end(w);
}

static void reader_unknown_record_is_skipped_or_refused_as_it_says(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    struct reading r;

    (void)state;
    put_unknown(w, false);
    put_process(w, PID);
    put_unknown(w, false);
    put_thread(w, PID, 7, "main");
    put_unknown(w, true);
    put_thread(w, PID, 8, "not reached");
    stream = stream_end(w, fd);

    open_stream(&r, &stream);
    next(&r, SNAP_PROCESS);
    next(&r, SNAP_THREAD);
    assert_int_equal(snap_reader_next(r.reader, &r.event, &r.diag), STATUS_BAD_DATA);
    assert_non_null(strstr(r.diag.what, "unknown required type"));
    close_stream(&r, &stream);
}

/*
 * The stream of every_type with one record's payload `change` bytes longer or shorter, checksums
 * put right. Records of `type` only; false: there is none.
 */
static bool resize_record(struct stream *stream, enum snap_type type, int change)
{
    uint8_t *changed = malloc(stream->size + 16);
    size_t pos = SNAP_HEADER_SIZE;

    assert_non_null(changed);
    while (pos < stream->size && stream->bytes[pos] != (uint8_t)type)
        pos += record_size(stream->bytes + pos);
    if (pos < stream->size) {
        size_t size = record_size(stream->bytes + pos);
        size_t new_size = (size_t)((long)size + change);
        uint32_t len = (uint32_t)(new_size - SNAP_RECORD_HEAD), crc;

        memcpy(changed, stream->bytes, pos + size);
        if (change > 0)
            memset(changed + pos + size, 0xee, (size_t)change);
        memcpy(changed + pos + 4, &len, sizeof(len));
        crc =
            crc32_update(crc32_update(0, changed + pos, 8), changed + pos + SNAP_RECORD_HEAD, len);
        memcpy(changed + pos + 8, &crc, sizeof(crc));
        memcpy(changed + pos + new_size, stream->bytes + pos + size, stream->size - pos - size);
        stream->size = (size_t)((long)stream->size + change);
    }
    free(stream->bytes);
    stream->bytes = changed;
    return pos < stream->size;
}

static void reader_longer_records_come_from_a_later_minor_version(void **state)
{
    struct stream plain = every_type();
    struct prints whole = read_prints(plain.bytes, plain.size);

    (void)state;
    for (int type = SNAP_PROCESS; type <= SNAP_SUMMARY; type++) {
        struct stream stream = every_type();
        struct prints longer;

        assert_true(resize_record(&stream, (enum snap_type)type, 5));
        longer = read_prints(stream.bytes, stream.size);
        assert_int_equal(longer.status, STATUS_END);
        assert_false(longer.cut_short);
        assert_int_equal(longer.count, whole.count);
        assert_prefix(&longer, &whole);
        free(longer.items);
        free(stream.bytes);
    }
    free(whole.items);
    free(plain.bytes);
}

static void reader_shorter_records_are_refused(void **state)
{
    (void)state;
    for (int type = SNAP_PROCESS; type <= SNAP_SUMMARY; type++) {
        struct stream stream = every_type();
        struct prints p;

        assert_true(resize_record(&stream, (enum snap_type)type, -1));
        p = read_prints(stream.bytes, stream.size);
        assert_int_equal(p.status, STATUS_BAD_DATA);
        free(p.items);
        free(stream.bytes);
    }
}

/* A sample whose region list is written by `put`. */
static struct stream with_regions(void (*put)(struct snap_writer *w))
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);

    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    put_sample_head(w, PID, 7, 100, 17);
    put(w);
    put_end(w);
    return stream_end(w, fd);
}

static void put_no_region(struct snap_writer *w)
{
    snap_writer_u8(w, 0);
}

static void put_five_regions(struct snap_writer *w)
{
    snap_writer_u8(w, 5);
    for (unsigned i = 0; i < 5; i++)
        put_region(w, STACK + i, STACK + i, STACK + i, 0);
}

static void put_overlapping_regions(struct snap_writer *w)
{
    snap_writer_u8(w, 2);
    put_region(w, STACK, STACK + 4, STACK + 4, 1);
    put_run(w, 0, "abcd", 4);
    put_region(w, STACK + 3, STACK + 5, STACK + 5, 1);
    put_run(w, 0, "xy", 2);
}

static void put_reversed_region(struct snap_writer *w)
{
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK - 4, STACK + 4, 0);
}

static void put_region_behind_its_mapping(struct snap_writer *w)
{
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 4, STACK + 3, 1);
    put_run(w, 0, "abcd", 4);
}

static void put_huge_region(struct snap_writer *w)
{
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + SNAP_STACK_MAX + 1, STACK + SNAP_STACK_MAX + 1, 0);
}

static void put_overlapping_runs(struct snap_writer *w)
{
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 8, STACK + 8, 2);
    put_run(w, 0, "abcd", 4);
    put_run(w, 3, "defgh", 5);
}

static void put_descending_runs(struct snap_writer *w)
{
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 8, STACK + 8, 2);
    put_run(w, 4, "efgh", 4);
    put_run(w, 0, "abcd", 4);
}

static void put_run_beyond_its_region(struct snap_writer *w)
{
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 4, STACK + 4, 1);
    put_run(w, 2, "abc", 3);
}

static void put_run_that_begins_outside(struct snap_writer *w)
{
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 4, STACK + 4, 1);
    put_run(w, UINT32_MAX, "abc", 3);
}

static void put_too_many_runs(struct snap_writer *w)
{
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 4, STACK + 4, UINT32_MAX);
    put_run(w, 0, "abcd", 4);
}

static void reader_region_lists_that_break_the_rules_are_refused(void **state)
{
    static const struct {
        void (*put)(struct snap_writer *w);
        const char *what;
    } cases[] = {
        {put_no_region, "no stack region"},
        {put_five_regions, "more than the format allows"},
        {put_overlapping_regions, "overlaps another"},
        {put_reversed_region, "reversed"},
        {put_region_behind_its_mapping, "reversed"},
        {put_huge_region, "too large"},
        {put_overlapping_runs, "overlaps the one before"},
        {put_descending_runs, "never captured"}, /* the first run leaves a gap in front of it */
        {put_run_beyond_its_region, "outside its region"},
        {put_run_that_begins_outside, "outside its region"},
        {put_too_many_runs, "shorter than its run count"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct stream stream = with_regions(cases[i].put);

        expect_refused(&stream, cases[i].what);
    }
}

static void reader_samples_that_break_the_rules_are_refused(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;

    (void)state;
    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    put_sample_head(w, PID, 7, 100, 16);
    put_no_region(w);
    put_end(w);
    stream = stream_end(w, fd);
    expect_refused(&stream, "too few registers");

    w = stream_begin(&fd);
    put_process(w, PID);
    put_sample(w, 7, 100, STACK, "abcd");
    stream = stream_end(w, fd);
    expect_refused(&stream, "was not announced");

    w = stream_begin(&fd);
    put_thread(w, PID, 7, "main");
    stream = stream_end(w, fd);
    expect_refused(&stream, "process that was not announced");
}

static void reader_registers_beyond_its_own_are_ignored(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    struct reading r;
    const struct snap_sample *s;

    (void)state;
    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    put_sample_head(w, PID, 7, 100, 40);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK + 4, STACK + 4, 1);
    put_run(w, 0, "abcd", 4);
    put_end(w);
    stream = stream_end(w, fd);

    open_stream(&r, &stream);
    next(&r, SNAP_PROCESS);
    next(&r, SNAP_THREAD);
    s = next_sample(&r);
    assert_int_equal(s->regs.known, (1 << 17) - 1);
    assert_stack(s, 0, "abcd");
    close_stream(&r, &stream);
}

static void reader_ranges_that_make_no_sense_are_refused(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;

    (void)state;
    put_process(w, PID);
    put_unmap(w, 0x2000, 0x1000);
    stream = stream_end(w, fd);
    expect_refused(&stream, "reversed");

    w = stream_begin(&fd);
    put_process(w, PID);
    put_code(w, UINT64_MAX);
    stream = stream_end(w, fd);
    expect_refused(&stream, "wraps around");
}

static void reader_record_longer_than_the_limit_is_refused(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    uint32_t len = SNAP_PAYLOAD_MAX + 1;

    (void)state;
    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    stream = stream_end(w, fd);
    memcpy(stream.bytes + SNAP_HEADER_SIZE + 4, &len, sizeof(len));
    expect_refused(&stream, "beyond the format's limit");
}

static void reader_more_threads_or_processes_than_the_limit_are_refused(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;

    (void)state;
    put_process(w, PID);
    for (uint32_t tid = 1; tid <= 65537; tid++)
        put_thread(w, PID, tid, "");
    stream = stream_end(w, fd);
    expect_refused(&stream, "more live threads");

    w = stream_begin(&fd);
    for (uint32_t pid = 1; pid <= 4097; pid++)
        put_process(w, pid);
    stream = stream_end(w, fd);
    expect_refused(&stream, "more processes");
}

static void reader_string_ends_at_an_embedded_nul(void **state)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream;
    struct reading r;

    (void)state;
    put_process(w, PID);
    snap_writer_begin(w, SNAP_THREAD, true);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 7);
    snap_writer_u64(w, 0);
    snap_writer_u64(w, 0);
    snap_writer_u16(w, 5);
    snap_writer_raw(w, "ab\0cd", 5);
    put_end(w);
    stream = stream_end(w, fd);

    open_stream(&r, &stream);
    next(&r, SNAP_PROCESS);
    assert_string_equal(next(&r, SNAP_THREAD)->thread.name, "ab");
    close_stream(&r, &stream);
}

/* The header with one field changed and its checksum put right. */
static void expect_header_refused(size_t off, uint8_t value, enum status expected, const char *what)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct stream stream = stream_end(w, fd);
    struct snap_reader *reader;
    struct diag diag;
    uint32_t crc;

    stream.bytes[off] = value;
    crc = crc32_update(0, stream.bytes, SNAP_HEADER_SIZE - 4);
    memcpy(stream.bytes + SNAP_HEADER_SIZE - 4, &crc, sizeof(crc));
    assert_int_equal(snap_reader_create(stream_read, &stream, "test", &reader, &diag), expected);
    assert_non_null(strstr(diag.what, what));
    free(stream.bytes);
}

static void reader_header_of_another_kind_is_refused(void **state)
{
    (void)state;
    expect_header_refused(0, 'x', STATUS_BAD_DATA, "not a snapshot");
    expect_header_refused(8, 2, STATUS_UNSUPPORTED, "format 2.0");
    expect_header_refused(12, 2, STATUS_UNSUPPORTED, "byte order");
    expect_header_refused(13, 4, STATUS_UNSUPPORTED, "unsupported target");
    expect_header_refused(14, 99, STATUS_UNSUPPORTED, "machine 99");
}

static void reader_file_that_ends_in_its_header_says_so(void **state)
{
    static const struct {
        size_t size;
        const char *what;
    } cases[] = {{0, "is empty"}, {5, "not a snapshot"}, {8, "cut short"}, {31, "cut short"}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct stream stream = every_type();
        struct snap_reader *reader;
        struct diag diag;

        stream.size = cases[i].size;
        assert_int_equal(snap_reader_create(stream_read, &stream, "test", &reader, &diag),
                         STATUS_BAD_DATA);
        assert_non_null(strstr(diag.what, cases[i].what));
        free(stream.bytes);
    }
}

static void reader_failed_read_is_an_error_of_its_own(void **state)
{
    struct stream stream = every_type();
    struct reading r;
    enum status status;

    (void)state;
    stream.size -= 3;
    stream.error = -EIO;
    open_stream(&r, &stream);
    do
        status = snap_reader_next(r.reader, &r.event, &r.diag);
    while (status == STATUS_OK);
    assert_int_equal(status, STATUS_IO);
    assert_non_null(strstr(r.diag.what, strerror(EIO)));
    assert_int_equal(snap_reader_next(r.reader, &r.event, &r.diag), STATUS_IO);
    close_stream(&r, &stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reader_every_record_type_is_delivered_as_written),
        cmocka_unit_test(reader_bytes_in_no_run_come_from_the_last_sample),
        cmocka_unit_test(reader_bytes_that_were_never_captured_are_refused),
        cmocka_unit_test(reader_only_the_last_sample_is_kept),
        cmocka_unit_test(reader_another_threads_bytes_are_no_base),
        cmocka_unit_test(reader_idle_repeats_each_sampled_thread_of_the_process),
        cmocka_unit_test(reader_idle_leaves_out_exceptions_and_threads_with_a_later_sample),
        cmocka_unit_test(reader_wall_time_counts_from_the_last_sample_or_repeat),
        cmocka_unit_test(reader_repeat_without_sample_is_refused),
        cmocka_unit_test(reader_exec_forgets_the_threads),
        cmocka_unit_test(reader_tid_used_again_starts_anew),
        cmocka_unit_test(reader_tid_of_another_process_replaces_the_thread),
        cmocka_unit_test(reader_many_threads_come_and_go),
        cmocka_unit_test(reader_flipped_byte_never_delivers_anything_wrong),
        cmocka_unit_test(reader_stream_cut_anywhere_gives_all_whole_records),
        cmocka_unit_test(reader_bytes_behind_the_summary_are_a_cut_record),
        cmocka_unit_test(reader_unknown_record_is_skipped_or_refused_as_it_says),
        cmocka_unit_test(reader_longer_records_come_from_a_later_minor_version),
        cmocka_unit_test(reader_shorter_records_are_refused),
        cmocka_unit_test(reader_region_lists_that_break_the_rules_are_refused),
        cmocka_unit_test(reader_samples_that_break_the_rules_are_refused),
        cmocka_unit_test(reader_registers_beyond_its_own_are_ignored),
        cmocka_unit_test(reader_ranges_that_make_no_sense_are_refused),
        cmocka_unit_test(reader_record_longer_than_the_limit_is_refused),
        cmocka_unit_test(reader_more_threads_or_processes_than_the_limit_are_refused),
        cmocka_unit_test(reader_string_ends_at_an_embedded_nul),
        cmocka_unit_test(reader_header_of_another_kind_is_refused),
        cmocka_unit_test(reader_file_that_ends_in_its_header_says_so),
        cmocka_unit_test(reader_failed_read_is_an_error_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
