/* SPDX-License-Identifier: MIT */
/* The snapshot reader: who made a thread, and what a blocked one waits for. */
#include "reader_fixture.h"

static void assert_lock(const struct snap_sample *sample, unsigned at, const char *text)
{
    const struct snap_wait *wait = &sample->waits[at];

    assert_true(at < sample->wait_count);
    assert_int_equal(wait->kind, SNAP_WAIT_MEMORY);
    assert_int_equal(wait->size, strlen(text));
    assert_memory_equal(wait->bytes, text, strlen(text));
    assert_int_equal(wait->place, SNAP_PLACE_FILE);
    assert_int_equal(wait->map_start_addr, 0x600000);
    assert_int_equal(wait->map_end_addr, 0x601000);
    assert_int_equal(wait->file_addr, 0x400000);
    assert_string_equal(wait->path, "/bin/prog");
}

static void assert_fd(const struct snap_sample *sample, unsigned at, uint32_t fd, const char *link)
{
    assert_true(at < sample->wait_count);
    assert_int_equal(sample->waits[at].kind, SNAP_WAIT_FD);
    assert_int_equal(sample->waits[at].fd, fd);
    assert_string_equal(sample->waits[at].link, link);
}

TEST_OF(reader_waits_come_with_the_sample_behind_them, reading, r)
{
    struct snap_writer *w = write_with_thread(r);
    const struct snap_sample *s;

    put_wait_memory(w, 7, 110, 0x600010, "lock");
    put_wait_fd(w, 7, 111, 3, "pipe:[42]");
    put_sample(w, 7, 100, STACK, "abcd");
    put_sample(w, 7, 200, STACK, "efgh");
    read_behind_thread(r);
    s = next_sample(r);
    assert_int_equal(s->wait_count, 2);
    assert_lock(s, 0, "lock");
    assert_int_equal(s->waits[0].addr, 0x600010);
    assert_int_equal(s->waits[0].time_ns, 110);
    assert_fd(s, 1, 3, "pipe:[42]");
    assert_int_equal(next_sample(r)->wait_count, 0);
    expect_end(r, true, r->stream.size);
}

TEST_OF(reader_waits_hold_with_repeats_until_others_replace_them, reading, r)
{
    struct snap_writer *w = write_with_thread(r);
    const struct snap_sample *s;

    put_wait_memory(w, 7, 100, 0x600010, "mine");
    put_wait_fd(w, 7, 100, 3, "pipe:[42]");
    put_sample(w, 7, 100, STACK, "abcd");
    put_repeat(w, 7, 200);
    put_wait_memory(w, 7, 300, 0x600010, "your");
    put_repeat(w, 7, 300);
    put_idle(w, PID, 400);
    put_wait_memory(w, 7, 500, 0x600010, "hers");
    put_idle(w, PID, 500);
    read_behind_thread(r);
    s = next_sample(r);
    assert_lock(s, 0, "mine");
    assert_false(s->same_waits);
    s = next_sample(r);
    assert_int_equal(s->wait_count, 2);
    assert_true(s->same_waits);
    assert_lock(s, 0, "mine");
    assert_fd(s, 1, 3, "pipe:[42]");
    s = next_sample(r);
    assert_int_equal(s->wait_count, 1);
    assert_false(s->same_waits);
    assert_lock(s, 0, "your");
    s = next_sample(r);
    assert_true(s->same_waits);
    assert_lock(s, 0, "your");
    s = next_sample(r);
    assert_false(s->same_waits);
    assert_lock(s, 0, "hers");
    expect_end(r, true, r->stream.size);
}

TEST_OF(reader_waits_that_are_unchanged_hold_at_a_later_time, reading, r)
{
    struct snap_writer *w = write_with_thread(r);
    const struct snap_sample *s;

    put_wait_memory(w, 7, 100, 0x600010, "mine");
    put_wait_fd(w, 7, 100, 3, "pipe:[42]");
    put_sample(w, 7, 100, STACK, "abcd");
    put_unchanged(w, 7, 180);
    put_repeat(w, 7, 200);
    put_unchanged(w, 99, 280); /* nobody's */
    put_unchanged(w, 7, 150);
    put_repeat(w, 7, 300);
    read_behind_thread(r);
    assert_int_equal(next_sample(r)->waits[0].time_ns, 100);
    for (unsigned i = 0; i < 2; i++) {
        s = next_sample(r);
        assert_lock(s, 0, "mine");
        assert_true(s->same_waits);
        assert_int_equal(s->waits[0].time_ns, 180);
        assert_int_equal(s->waits[1].time_ns, 100);
    }
    expect_end(r, true, r->stream.size);
}

TEST_OF(reader_waits_are_those_of_one_thread_in_one_life, reading, r)
{
    struct snap_writer *w = write_with_thread(r);

    put_thread(w, PID, 8, "other");
    put_wait_fd(w, 7, 100, 3, "socket:[1]");
    put_sample(w, 8, 100, STACK, "abcd");
    put_thread_end(w, PID, 7);
    put_thread(w, PID, 7, "again");
    put_sample(w, 7, 200, STACK, "abcd");
    read_behind_thread(r);
    next(r, SNAP_THREAD);
    assert_int_equal(next_sample(r)->wait_count, 0);
    next(r, SNAP_THREAD_END);
    next(r, SNAP_THREAD);
    assert_int_equal(next_sample(r)->wait_count, 0);
}

TEST_OF(reader_wait_of_an_unknown_kind_is_ignored, reading, r)
{
    struct snap_writer *w = write_with_thread(r);

    put_wait_head(w, 7, 100, 77);
    put_end(w);
    put_sample(w, 7, 100, STACK, "abcd");
    read_behind_thread(r);
    assert_int_equal(next_sample(r)->wait_count, 0);
}

static void put_memory_fields(struct snap_writer *w, uint64_t addr, uint32_t size, uint64_t map_end)
{
    static const uint8_t zeroes[SNAP_WAIT_MEMORY_MAX + 1];

    put_wait_head(w, 7, 100, SNAP_WAIT_MEMORY);
    snap_writer_u64(w, addr);
    snap_writer_bytes(w, zeroes, size);
    snap_writer_u8(w, 77);
    snap_writer_u64(w, 0x1000);
    snap_writer_u64(w, map_end);
    snap_writer_u64(w, 0);
    snap_writer_str(w, "");
    put_end(w);
}

static struct stream with_memory(uint64_t addr, uint32_t size, uint64_t map_end)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    put_memory_fields(w, addr, size, map_end);
    put_sample(w, 7, 100, STACK, "abcd");
    return stream_end(w, fd);
}

TEST(reader_wait_memory_up_to_the_limit_is_taken)
{
    struct stream stream = with_memory(0x1000, SNAP_WAIT_MEMORY_MAX, 0x2000);
    struct reading r;
    const struct snap_sample *s;

    open_behind_thread(&r, &stream);
    s = next_sample(&r);
    assert_int_equal(s->waits[0].size, SNAP_WAIT_MEMORY_MAX);
    assert_int_equal(s->waits[0].place, SNAP_PLACE_UNKNOWN); /* one that a later version knows */
    close_stream(&r, &stream);
}

TEST(reader_waits_that_break_the_rules_are_refused)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    for (uint32_t i = 0; i <= SNAP_WAIT_MAX; i++)
        put_wait_fd(w, 7, 100, i, "socket:[1]");
    expect_refused(stream_end(w, fd), "more than the format allows");
    w = begin_with_thread(&fd);
    put_wait_fd(w, 8, 100, 3, "socket:[1]");
    expect_refused(stream_end(w, fd), "wait of a thread that was not announced");
    expect_refused(with_memory(0x1000, SNAP_WAIT_MEMORY_MAX + 1, 0x2000), "inconsistent");
    expect_refused(with_memory(UINT64_MAX, 2, 0x2000), "inconsistent");
    expect_refused(with_memory(0x1000, 8, 0xfff), "inconsistent");
}

TEST_OF(reader_as_many_waits_as_allowed_are_taken_again_and_again, reading, r)
{
    struct snap_writer *w = write_with_thread(r);

    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < SNAP_WAIT_MAX; i++)
            put_wait_fd(w, 7, 100, i, "socket:[1]");
        put_sample(w, 7, 100, STACK, "abcd");
    }
    read_behind_thread(r);
    for (unsigned round = 0; round < 3; round++)
        assert_int_equal(next_sample(r)->wait_count, SNAP_WAIT_MAX);
    expect_end(r, true, r->stream.size);
}

TEST_OF(reader_creation_takes_bytes_from_the_makers_sample_and_keeps_none, reading, r)
{
    struct snap_writer *w = write_with_thread(r);

    put_thread(w, PID, 8, "made");
    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_creation(w, 7, 8, 150, STACK, "ABCD");
    put_sample_without_runs(w, PID, 7, 200, STACK, STACK + 8);
    read_behind_thread(r);
    skip_events(r, 2);
    assert_stack(&next(r, SNAP_CREATION)->creation.maker, 0, "ABCD");
    assert_stack(next_sample(r), 0, "abcdefgh");
}

static void put_creation_without_runs(struct snap_writer *w, uint16_t reg_count, uint64_t end_addr)
{
    snap_writer_begin(w, SNAP_CREATION, false);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 7);
    snap_writer_u64(w, 150);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 8);
    snap_writer_u16(w, reg_count);
    for (unsigned i = 0; i < reg_count; i++)
        snap_writer_u64(w, i);
    snap_writer_u8(w, 1);
    put_region(w, STACK, end_addr, end_addr, 0);
    put_end(w);
}

TEST_OF(reader_creation_without_runs_is_the_makers_sample, reading, r)
{
    struct snap_writer *w = write_with_thread(r);

    put_thread(w, PID, 8, "made");
    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_creation_without_runs(w, 17, STACK + 4);
    read_behind_thread(r);
    skip_events(r, 2);
    assert_stack(&next(r, SNAP_CREATION)->creation.maker, 0, "abcd");
}

static struct stream with_creation(bool announced, uint16_t reg_count, uint64_t end_addr)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    if (announced)
        put_thread(w, PID, 8, "made");
    put_sample(w, 7, 100, STACK, "abcdefgh");
    put_creation_without_runs(w, reg_count, end_addr);
    return stream_end(w, fd);
}

TEST(reader_creations_that_break_the_rules_are_refused)
{
    expect_refused(with_creation(false, 17, STACK + 8), "was not announced");
    expect_refused(with_creation(true, 16, STACK + 8), "too few registers");
    expect_refused(with_creation(true, 17, STACK + 9), "never captured");
}
