/* SPDX-License-Identifier: MIT */
/* What threads point to, as the snapshot reader gives it with samples. */
#include "reader_fixture.h"

#define HEAP UINT64_C(0x600000)

static void put_head(struct snap_writer *w, uint32_t tid, uint64_t time_ns, uint16_t count)
{
    snap_writer_begin(w, SNAP_POINTEES, false);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, tid);
    snap_writer_u64(w, time_ns);
    snap_writer_u16(w, count);
}

static void put_piece(struct snap_writer *w, uint64_t addr, const char *text)
{
    snap_writer_u64(w, addr);
    snap_writer_u32(w, (uint32_t)strlen(text));
    snap_writer_u8(w, SNAP_POINTEE_NEW);
    snap_writer_raw(w, text, strlen(text));
}

static void put_known(struct snap_writer *w, uint64_t addr, uint32_t size)
{
    snap_writer_u64(w, addr);
    snap_writer_u32(w, size);
    snap_writer_u8(w, SNAP_POINTEE_KNOWN);
}

static void put_one(struct snap_writer *w, uint32_t tid, uint64_t time_ns, uint64_t addr,
                    const char *text)
{
    put_head(w, tid, time_ns, 1);
    put_piece(w, addr, text);
    put_end(w);
}

static void assert_pointee(const struct snap_sample *sample, uint32_t at, uint64_t addr,
                           const char *text)
{
    const struct snap_region *piece = &sample->pointees[at];

    assert_true(at < sample->pointee_count);
    assert_int_equal(piece->start_addr, addr);
    assert_int_equal(piece->end_addr, addr + strlen(text));
    assert_int_equal(piece->map_end_addr, 0);
    assert_memory_equal(piece->bytes, text, strlen(text));
}

TEST_OF(pointees_come_with_the_sample_of_their_time_and_its_repeats, reading, r)
{
    struct snap_writer *w = write_with_thread(r);
    const struct snap_sample *s;

    put_head(w, 7, 100, 2);
    put_piece(w, HEAP, "a string");
    put_piece(w, HEAP + 0x100, "another");
    put_end(w);
    put_sample(w, 7, 100, STACK, "abcd");
    put_repeat(w, 7, 150);
    put_one(w, 7, 200, HEAP, "late"); /* its sample was lost */
    put_idle(w, PID, 250);
    put_sample(w, 7, 300, STACK, "efgh");
    put_repeat(w, 7, 350);
    read_behind_thread(r);
    for (unsigned i = 0; i < 2; i++) {
        s = next_sample(r);
        assert_int_equal(s->pointee_count, 2);
        assert_pointee(s, 0, HEAP, "a string");
        assert_pointee(s, 1, HEAP + 0x100, "another");
        assert_int_equal(s->region_count, 1);
        assert_stack(s, 0, "abcd");
    }
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(next_sample(r)->pointee_count, 0);
    expect_end(r, true, r->stream.size);
}

TEST_OF(pointees_that_are_known_are_as_in_the_last_record, reading, r)
{
    struct snap_writer *w = write_with_thread(r);
    const struct snap_sample *s;

    put_head(w, 7, 100, 2);
    put_piece(w, HEAP, "a string");
    put_piece(w, HEAP + 0x100, "another");
    put_end(w);
    put_sample(w, 7, 100, STACK, "abcd");
    put_head(w, 7, 200, 3);
    put_piece(w, HEAP - 4, "new!");
    put_known(w, HEAP + 2, 6);
    put_known(w, HEAP + 0x100, 7);
    put_end(w);
    put_sample(w, 7, 200, STACK, "abcd");
    read_behind_thread(r);
    next_sample(r);
    s = next_sample(r);
    assert_int_equal(s->pointee_count, 3);
    assert_pointee(s, 0, HEAP - 4, "new!");
    assert_pointee(s, 1, HEAP + 2, "string");
    assert_pointee(s, 2, HEAP + 0x100, "another");
    expect_end(r, true, r->stream.size);
}

TEST(pointees_are_those_of_one_thread_in_one_life)
{
    for (unsigned exec = 0; exec < 2; exec++) {
        int fd;
        struct snap_writer *w = begin_with_thread(&fd);
        struct stream stream;
        struct reading r;

        put_thread(w, PID, 8, "other");
        put_one(w, 7, 100, HEAP, "mine");
        put_sample(w, 8, 100, STACK, "abcd");
        if (exec)
            put_process(w, PID);
        else
            put_thread_end(w, PID, 7);
        put_thread(w, PID, 7, "again");
        put_head(w, 7, 200, 1);
        put_known(w, HEAP, 4);
        put_end(w);
        stream = stream_end(w, fd);

        open_behind_thread(&r, &stream);
        skip_events(&r, 1);
        assert_int_equal(next_sample(&r)->pointee_count, 0);
        skip_events(&r, 2);
        expect_bad_data(&r, "never captured");
        close_stream(&r, &stream);
    }
}

/* One record, whose pieces `put` puts. */
static void expect_record_refused(void (*put)(struct snap_writer *w), const char *what)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    put_one(w, 7, 100, HEAP, "known");
    put(w);
    put_end(w);
    expect_refused(stream_end(w, fd), what);
}

static void put_overlapping(struct snap_writer *w)
{
    put_head(w, 7, 200, 2);
    put_piece(w, HEAP, "abcd");
    put_piece(w, HEAP + 3, "efgh");
}

static void put_descending(struct snap_writer *w)
{
    put_head(w, 7, 200, 2);
    put_piece(w, HEAP + 8, "abcd");
    put_piece(w, HEAP, "efgh");
}

static void put_wrapping(struct snap_writer *w)
{
    put_head(w, 7, 200, 1);
    put_piece(w, UINT64_MAX - 2, "abcd");
}

static void put_empty(struct snap_writer *w)
{
    put_head(w, 7, 200, 1);
    put_piece(w, HEAP, "");
}

static void put_of_unknown_kind(struct snap_writer *w)
{
    put_head(w, 7, 200, 1);
    snap_writer_u64(w, HEAP);
    snap_writer_u32(w, 4);
    snap_writer_u8(w, 2);
}

static void put_longer_than_known(struct snap_writer *w)
{
    put_head(w, 7, 200, 1);
    put_known(w, HEAP + 1, 5);
}

static void put_before_known(struct snap_writer *w)
{
    put_head(w, 7, 200, 1);
    put_known(w, HEAP - 1, 2);
}

static void put_one_too_many(struct snap_writer *w)
{
    put_head(w, 7, 200, 2);
    put_piece(w, HEAP, "abcd");
}

static void put_of_nobody(struct snap_writer *w)
{
    put_head(w, 9, 200, 0);
}

static void put_too_large(struct snap_writer *w)
{
    static const char zeros[SNAP_POINTEES_MAX + 1];

    put_head(w, 7, 200, 1);
    snap_writer_u64(w, HEAP);
    snap_writer_u32(w, sizeof(zeros));
    snap_writer_u8(w, SNAP_POINTEE_NEW);
    snap_writer_raw(w, zeros, sizeof(zeros));
}

static void put_too_many(struct snap_writer *w)
{
    put_head(w, 7, 200, SNAP_POINTEE_COUNT + 1);
}

TEST(pointees_that_cannot_be_are_refused)
{
    expect_record_refused(put_overlapping, "overlap");
    expect_record_refused(put_descending, "ascend");
    expect_record_refused(put_wrapping, "inconsistent");
    expect_record_refused(put_empty, "inconsistent");
    expect_record_refused(put_of_unknown_kind, "inconsistent");
    expect_record_refused(put_longer_than_known, "never captured");
    expect_record_refused(put_before_known, "never captured");
    expect_record_refused(put_one_too_many, "too short");
    expect_record_refused(put_of_nobody, "not announced");
    expect_record_refused(put_too_large, "more than the format allows");
    expect_record_refused(put_too_many, "more pieces than the format allows");
}
