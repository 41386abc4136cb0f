/* SPDX-License-Identifier: MIT */
/*
 * Snapshots in memory as the reader gives them, event by event:
 *
 *     struct reading r;
 *     open_stream(&r, &stream);
 *     next(&r, SNAP_PROCESS);
 *     assert_stack(next_sample(&r), 0, "its bytes");
 *     expect_end(&r, true, stream.size);
 *     close_stream(&r, &stream);
 */
#ifndef TESTS_READER_FIXTURE_H
#define TESTS_READER_FIXTURE_H

#include "snapshot_fixture.h"

/* A reader over a stream, and the event it gave last. */
struct reading {
    struct snap_reader *reader;
    struct snap_event event;
    struct diag diag;
};

static inline void open_stream(struct reading *r, struct stream *stream)
{
    stream->pos = 0;
    assert_int_equal(snap_reader_create(stream_read, stream, "test", &r->reader, &r->diag),
                     STATUS_OK);
}

static inline const struct snap_event *next(struct reading *r, enum snap_type type)
{
    assert_int_equal(snap_reader_next(r->reader, &r->event, &r->diag), STATUS_OK);
    assert_int_equal(r->event.type, type);
    return &r->event;
}

static inline const struct snap_sample *next_sample(struct reading *r)
{
    return &next(r, SNAP_SAMPLE)->sample;
}

static inline const struct snap_sample *next_tick(struct reading *r)
{
    return &next(r, SNAP_TICK)->sample;
}

static inline void skip_events(struct reading *r, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(snap_reader_next(r->reader, &r->event, &r->diag), STATUS_OK);
}

static inline void expect_bad_data(struct reading *r, const char *what)
{
    assert_int_equal(snap_reader_next(r->reader, &r->event, &r->diag), STATUS_BAD_DATA);
    assert_non_null(strstr(r->diag.what, what));
}

static inline void expect_end(struct reading *r, bool cut_short, uint64_t off)
{
    uint64_t end;

    assert_int_equal(snap_reader_next(r->reader, &r->event, &r->diag), STATUS_END);
    assert_int_equal(snap_reader_cut_short(r->reader, &end), cut_short);
    assert_int_equal(end, off);
}

static inline void close_stream(struct reading *r, struct stream *stream)
{
    snap_reader_destroy(r->reader);
    free(stream->bytes);
}

/* Reads to the first failure, which must be BAD_DATA that says `what`, again and again. */
static inline void expect_refused(struct stream stream, const char *what)
{
    struct reading r;
    enum status status;

    open_stream(&r, &stream);
    do
        status = snap_reader_next(r.reader, &r.event, &r.diag);
    while (status == STATUS_OK);
    assert_int_equal(status, STATUS_BAD_DATA);
    assert_non_null(strstr(r.diag.what, what));
    assert_true(r.diag.has_off);
    expect_bad_data(&r, what);
    close_stream(&r, &stream);
}

static inline void assert_stack(const struct snap_sample *sample, unsigned region, const char *text)
{
    const struct snap_region *at = &sample->regions[region];

    assert_true(region < sample->region_count);
    assert_int_equal(at->end_addr - at->start_addr, strlen(text));
    assert_memory_equal(at->bytes, text, strlen(text));
}

/* A snapshot that begins with the process and its thread 7. */
static inline struct snap_writer *begin_with_thread(int *fd)
{
    struct snap_writer *w = stream_begin(fd);

    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    return w;
}

/* A sample with one region of which no byte is written: all are as in the thread's last sample. */
static inline void put_sample_without_runs(struct snap_writer *w, uint32_t pid, uint32_t tid,
                                           uint64_t time_ns, uint64_t start_addr, uint64_t end_addr)
{
    put_sample_head(w, pid, tid, time_ns, 17);
    snap_writer_u8(w, 1);
    put_region(w, start_addr, end_addr, end_addr, 0);
    put_end(w);
}

static inline void put_map(struct snap_writer *w)
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

static inline void put_unmap(struct snap_writer *w, uint64_t start_addr, uint64_t end_addr)
{
    snap_writer_begin(w, SNAP_UNMAP, true);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, start_addr);
    snap_writer_u64(w, end_addr);
    put_end(w);
}

static inline void put_code(struct snap_writer *w, uint64_t start_addr)
{
    snap_writer_begin(w, SNAP_CODE, false);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, start_addr);
    snap_writer_bytes(w, "\xc3\x90", 2);
    put_end(w);
}

static inline void put_loss(struct snap_writer *w)
{
    snap_writer_begin(w, SNAP_LOSS, false);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 8);
    snap_writer_u64(w, 900);
    snap_writer_u32(w, 3);
    snap_writer_u32(w, SNAP_LOSS_GONE);
    put_end(w);
}

static inline void put_usage(struct snap_writer *w, uint32_t pid, uint64_t time_ns, uint64_t cpu_ns)
{
    snap_writer_begin(w, SNAP_USAGE, false);
    snap_writer_u32(w, pid);
    snap_writer_u64(w, time_ns);
    snap_writer_u64(w, cpu_ns);
    snap_writer_u64(w, 10101010);
    put_end(w);
}

static inline void put_syscall_sample(struct snap_writer *w)
{
    snap_writer_begin(w, SNAP_SAMPLE, true);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 7);
    snap_writer_u64(w, 100);
    snap_writer_u8(w, 'D');
    snap_writer_u8(w, SNAP_SAMPLE_SYSCALL | SNAP_SAMPLE_DISTURBED | SNAP_SAMPLE_HELD);
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

static inline struct stream every_type(void)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);

    put_process(w, PID);
    put_map(w);
    put_code(w, 0x7000);
    put_unmap(w, 0x400000, 0x500000);
    put_thread(w, PID, 7, "main");
    put_wait_memory(w, 7, 90, 0x600010, "lock");
    put_syscall_sample(w);
    put_unchanged(w, 7, 240);
    put_repeat(w, 7, 250);
    put_thread(w, PID, 8, "made");
    put_creation(w, 7, 8, 260, STACK, "making");
    put_tick(w, 7, 270, STACK, "ticking");
    put_loss(w);
    put_idle(w, PID, 300);
    put_thread_end(w, PID, 7);
    put_usage(w, PID, 310, 250);
    put_summary(w);
    return stream_end(w, fd);
}

#endif
