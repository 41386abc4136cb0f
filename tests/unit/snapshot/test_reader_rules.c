/* SPDX-License-Identifier: MIT */
/* Records whose contents break the format's rules: the snapshot reader refuses them. */
#include "reader_fixture.h"

/* A sample whose region list is written by `put`. */
static struct stream with_regions(void (*put)(struct snap_writer *w))
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

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

TEST(reader_region_lists_that_break_the_rules_are_refused)
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

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        expect_refused(with_regions(cases[i].put), cases[i].what);
}

TEST(reader_samples_that_break_the_rules_are_refused)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);

    put_sample_head(w, PID, 7, 100, 16);
    put_no_region(w);
    put_end(w);
    expect_refused(stream_end(w, fd), "too few registers");

    w = stream_begin(&fd);
    put_process(w, PID);
    put_sample(w, 7, 100, STACK, "abcd");
    expect_refused(stream_end(w, fd), "was not announced");

    w = stream_begin(&fd);
    put_thread(w, PID, 7, "main");
    expect_refused(stream_end(w, fd), "process that was not announced");
}

TEST(reader_ranges_that_make_no_sense_are_refused)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);

    put_process(w, PID);
    put_unmap(w, 0x2000, 0x1000);
    expect_refused(stream_end(w, fd), "reversed");

    w = stream_begin(&fd);
    put_process(w, PID);
    put_code(w, UINT64_MAX);
    expect_refused(stream_end(w, fd), "wraps around");
}

TEST(reader_record_longer_than_the_limit_is_refused)
{
    int fd;
    struct snap_writer *w = begin_with_thread(&fd);
    struct stream stream;
    uint32_t len = SNAP_PAYLOAD_MAX + 1;

    stream = stream_end(w, fd);
    memcpy(stream.bytes + SNAP_HEADER_SIZE + 4, &len, sizeof(len));
    expect_refused(stream, "beyond the format's limit");
}

TEST(reader_more_threads_or_processes_than_the_limit_are_refused)
{
    int fd;
    struct snap_writer *w = stream_begin(&fd);

    put_process(w, PID);
    for (uint32_t tid = 1; tid <= 65537; tid++)
        put_thread(w, PID, tid, "");
    expect_refused(stream_end(w, fd), "more live threads");

    w = stream_begin(&fd);
    for (uint32_t pid = 1; pid <= 65537; pid++)
        put_process(w, pid);
    expect_refused(stream_end(w, fd), "more processes");
}
