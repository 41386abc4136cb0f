/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "reader_fixture.h"
#include "recent/recent.h"

#define WINDOW 1000u
#define PARTS  16u

/* A stream that comes in parts. */
struct parts {
    struct snap_writer *writer;
    int fd;
    size_t ends[PARTS];
    uint64_t times[PARTS];
    size_t count;
};

static void begin_parts(struct parts *parts)
{
    *parts = (struct parts){.count = 0};
    parts->writer = stream_begin(&parts->fd);
}

/* The first part has the process and its thread 7. */
static void begin_parts_with_thread(struct parts *parts)
{
    *parts = (struct parts){.count = 0};
    parts->writer = begin_with_thread(&parts->fd);
}

/* What was written since the part before comes at this time. */
static void part_at(struct parts *parts, uint64_t time_ns)
{
    parts->ends[parts->count] = (size_t)snap_writer_size(parts->writer);
    parts->times[parts->count++] = time_ns;
}

static struct recent *create(const struct recent_options *options)
{
    struct recent *recent;

    assert_int_equal(recent_create(options, &recent), STATUS_OK);
    return recent;
}

static struct recent *create_window(void)
{
    return create(&(struct recent_options){.window_ns = WINDOW, .bytes_max = SIZE_MAX});
}

static void push_parts(struct recent *recent, struct parts *parts)
{
    struct stream stream = stream_end(parts->writer, parts->fd);
    struct diag diag;
    size_t from = 0;

    for (size_t i = 0; i < parts->count; i++) {
        assert_int_equal(recent_push(recent, stream.bytes + from, parts->ends[i] - from,
                                     parts->times[i], &diag),
                         STATUS_OK);
        from = parts->ends[i];
    }
    free(stream.bytes);
}

/* What it writes. */
static struct stream written(const struct recent *recent, const struct snap_summary *summary)
{
    struct stream stream = {.chunk = SIZE_MAX};
    int fd = memfd_create("recent", 0);
    struct diag diag;
    uint64_t size;

    assert_true(fd >= 0);
    assert_int_equal(recent_write(recent, fd, &size, &diag), STATUS_OK);
    if (summary)
        assert_int_equal(recent_write_summary(recent, fd, summary, &diag), STATUS_OK);
    stream.size = (size_t)lseek(fd, 0, SEEK_END);
    assert_true(stream.size >= size && (summary || stream.size == size));
    stream.bytes = malloc(stream.size);
    assert_non_null(stream.bytes);
    assert_int_equal(pread(fd, stream.bytes, stream.size, 0), stream.size);
    close(fd);
    return stream;
}

/* Reads these parts with the window of these tests. */
static void read_window(struct reading *r, struct parts *parts)
{
    struct recent *recent = create_window();

    push_parts(recent, parts);
    r->stream = written(recent, NULL);
    recent_destroy(recent);
    open_stream(r, &r->stream);
}

TEST(recent_of_a_short_stream_is_that_stream)
{
    struct recent *recent = create_window();
    struct stream whole = every_type(), stream;
    struct diag diag;

    for (size_t i = 0; i < whole.size; i++) /* byte by byte */
        assert_int_equal(recent_push(recent, whole.bytes + i, 1, 5, &diag), STATUS_OK);
    stream = written(recent, NULL);
    assert_int_equal(stream.size, whole.size);
    assert_memory_equal(stream.bytes, whole.bytes, whole.size);
    free(stream.bytes);
    free(whole.bytes);
    recent_destroy(recent);
}

/* The second sample says nothing of the stack but that it is as before. */
TEST_OF(recent_begins_with_a_whole_sample_of_each_thread, reading, r)
{
    struct parts parts;
    const struct snap_sample *s;

    begin_parts_with_thread(&parts);
    put_sample(parts.writer, 7, 100, STACK, "abcdefgh");
    part_at(&parts, 100);
    put_sample_without_runs(parts.writer, PID, 7, 200, STACK + 4, STACK + 8);
    part_at(&parts, 200);
    put_sample_without_runs(parts.writer, PID, 7, 1500, STACK + 4, STACK + 8);
    part_at(&parts, 1500);
    put_thread(parts.writer, PID, 8, "other");
    part_at(&parts, 2600);
    read_window(r, &parts);
    next(r, SNAP_PROCESS);
    assert_string_equal(next(r, SNAP_THREAD)->thread.name, "main");
    s = next_sample(r);
    assert_int_equal(s->time_ns, 200);
    assert_int_equal(s->cpu_ns, 0);
    assert_int_equal(s->state, 'S');
    assert_int_equal(s->regs.value[3], 1003);
    assert_stack(s, 0, "efgh");
    s = next_sample(r);
    assert_int_equal(s->time_ns, 1500);
    assert_int_equal(s->wall_ns, 1300);
    assert_int_equal(s->cpu_ns, 55);
    assert_stack(s, 0, "efgh");
    next(r, SNAP_THREAD);
    expect_end(r, true, r->stream.size);
}

static void put_ready_process(struct snap_writer *w)
{
    begin_process_record(w, PID);
    snap_writer_u8(w, SNAP_PROCESS_READY);
    put_end(w);
}

static void put_running_sample(struct snap_writer *w, uint64_t time_ns)
{
    snap_writer_begin(w, SNAP_SAMPLE, true);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 7);
    snap_writer_u64(w, time_ns);
    snap_writer_u8(w, 'R');
    snap_writer_u8(w, SNAP_SAMPLE_HELD);
    snap_writer_u16(w, 17);
    snap_writer_u64(w, 12);
    for (unsigned i = 0; i < 17; i++)
        snap_writer_u64(w, i);
    snap_writer_u8(w, 1);
    put_region(w, STACK, STACK, STACK, 0);
    put_end(w);
}

/* Before what the window has of them, and behind its process. */
TEST_OF(recent_begins_with_the_last_usage_of_each_process, reading, r)
{
    struct parts parts;

    begin_parts(&parts);
    put_process(parts.writer, PID);
    put_process(parts.writer, PID + 1);
    put_usage(parts.writer, PID, 100, 10);
    put_usage(parts.writer, PID + 1, 100, 20);
    put_usage(parts.writer, PID, 200, 30);
    part_at(&parts, 200);
    put_usage(parts.writer, PID, 1500, 40);
    part_at(&parts, 1500);
    put_thread(parts.writer, PID, 7, "main");
    part_at(&parts, 2600);
    read_window(r, &parts);
    skip_events(r, 2);
    assert_int_equal(next(r, SNAP_USAGE)->usage.cpu_ns, 30);
    assert_int_equal(next(r, SNAP_USAGE)->usage.pid, PID + 1);
    assert_int_equal(next(r, SNAP_USAGE)->usage.cpu_ns, 40);
    next(r, SNAP_THREAD);
    expect_end(r, true, r->stream.size);
}

/* What its threads used between that and the window's begin is none of the window. */
TEST_OF(recent_usage_moves_on_with_the_samples_before_the_window, reading, r)
{
    struct parts parts;
    const struct snap_usage *usage;

    begin_parts_with_thread(&parts);
    put_running_sample(parts.writer, 50); /* before the USAGE, which has it */
    put_usage(parts.writer, PID, 100, 30);
    put_running_sample(parts.writer, 150);
    put_running_sample(parts.writer, 200);
    part_at(&parts, 200);
    put_running_sample(parts.writer, 1500);
    part_at(&parts, 1500);
    put_thread(parts.writer, PID, 8, "other");
    part_at(&parts, 2600);
    read_window(r, &parts);
    skip_events(r, 2);
    usage = &next(r, SNAP_USAGE)->usage;
    assert_int_equal(usage->time_ns, 200);
    assert_int_equal(usage->cpu_ns, 30 + 2 * 12);
    assert_int_equal(next_sample(r)->time_ns, 200);
    assert_int_equal(next_sample(r)->time_ns, 1500);
    next(r, SNAP_THREAD);
    expect_end(r, true, r->stream.size);
}

/* It has not run since, and so had no CPU; and nobody held it at that time. */
TEST_OF(recent_sample_that_was_repeated_is_of_the_time_of_its_repeat, reading, r)
{
    struct parts parts;
    const struct snap_sample *s;

    begin_parts(&parts);
    put_ready_process(parts.writer);
    put_thread(parts.writer, PID, 7, "main");
    put_running_sample(parts.writer, 100);
    put_repeat(parts.writer, 7, 150);
    put_idle(parts.writer, PID, 190);
    part_at(&parts, 200);
    put_idle(parts.writer, PID, 1500);
    part_at(&parts, 1500);
    put_idle(parts.writer, PID, 2600);
    part_at(&parts, 2600);
    read_window(r, &parts);
    skip_events(r, 2);
    s = next_sample(r);
    assert_int_equal(s->time_ns, 190);
    assert_int_equal(s->state, SNAP_STATE_READY);
    assert_false(s->held);
    assert_false(s->repeat);
    s = next_sample(r);
    assert_int_equal(s->time_ns, 1500);
    assert_true(s->repeat);
    assert_int_equal(s->state, SNAP_STATE_READY);
}

TEST_OF(recent_has_no_threads_that_ended_before, reading, r)
{
    struct parts parts;

    begin_parts_with_thread(&parts);
    put_thread(parts.writer, PID, 8, "worker");
    put_sample(parts.writer, 7, 100, STACK, "abcd");
    put_sample(parts.writer, 8, 100, STACK, "abcd");
    put_thread(parts.writer, PID, 7, "renamed");
    put_thread_end(parts.writer, PID, 8);
    part_at(&parts, 100);
    put_repeat(parts.writer, 7, 1500);
    part_at(&parts, 1500);
    put_repeat(parts.writer, 7, 1501);
    part_at(&parts, 2600);
    read_window(r, &parts);
    next(r, SNAP_PROCESS);
    assert_string_equal(next(r, SNAP_THREAD)->thread.name, "renamed");
    assert_int_equal(next_sample(r)->tid, 7);
    assert_int_equal(next_sample(r)->time_ns, 1500);
}

TEST_OF(recent_has_nothing_of_a_program_before_exec, reading, r)
{
    struct parts parts;

    begin_parts(&parts);
    put_process(parts.writer, PID);
    put_map(parts.writer);
    put_code(parts.writer, 0x400100);
    put_thread(parts.writer, PID, 7, "main");
    put_sample(parts.writer, 7, 100, STACK, "abcd");
    put_process(parts.writer, PID);
    put_thread(parts.writer, PID, 7, "new");
    part_at(&parts, 100);
    put_sample(parts.writer, 7, 1500, STACK, "efgh");
    part_at(&parts, 1500);
    put_repeat(parts.writer, 7, 1501);
    part_at(&parts, 2600);
    read_window(r, &parts);
    assert_false(next(r, SNAP_PROCESS)->process.exec);
    assert_string_equal(next(r, SNAP_THREAD)->thread.name, "new");
    assert_stack(next_sample(r), 0, "efgh");
}

static void assert_map(struct reading *r, uint64_t start_addr, uint64_t end_addr, uint64_t file_off)
{
    const struct snap_map *map = &next(r, SNAP_MAP)->map;

    assert_int_equal(map->start_addr, start_addr);
    assert_int_equal(map->end_addr, end_addr);
    assert_int_equal(map->file_off, file_off);
    assert_int_equal(map->build_id_size, 3);
    assert_string_equal(map->path, "/bin/prog");
}

/* The file's mapping is 0x400000 to 0x500000, from its offset 0x1000 on. */
TEST_OF(recent_mappings_are_what_is_left_of_them, reading, r)
{
    struct parts parts;

    begin_parts(&parts);
    put_process(parts.writer, PID);
    put_map(parts.writer);
    put_code(parts.writer, 0x410000);
    put_code(parts.writer, 0x430000);
    put_unmap(parts.writer, 0x410000, 0x420000);
    put_unmap(parts.writer, 0x400000, 0x401000);
    put_unmap(parts.writer, 0x4ff000, 0x600000);
    part_at(&parts, 100);
    put_thread(parts.writer, PID, 7, "main");
    part_at(&parts, 1500);
    put_thread(parts.writer, PID, 8, "other");
    part_at(&parts, 2600);
    read_window(r, &parts);
    next(r, SNAP_PROCESS);
    assert_map(r, 0x401000, 0x410000, 0x2000);
    assert_map(r, 0x420000, 0x4ff000, 0x21000);
    assert_int_equal(next(r, SNAP_CODE)->range.start_addr, 0x430000);
    next(r, SNAP_THREAD);
}

TEST_OF(recent_waits_hold_on, reading, r)
{
    struct parts parts;
    const struct snap_sample *s;

    begin_parts_with_thread(&parts);
    put_wait_memory(parts.writer, 7, 110, 0x600010, "lock");
    put_wait_fd(parts.writer, 7, 111, 3, "pipe:[42]");
    put_sample(parts.writer, 7, 100, STACK, "abcd");
    put_unchanged(parts.writer, 7, 150);
    put_repeat(parts.writer, 7, 160);
    part_at(&parts, 200);
    put_repeat(parts.writer, 7, 1500);
    part_at(&parts, 1500);
    put_repeat(parts.writer, 7, 2600);
    part_at(&parts, 2600);
    read_window(r, &parts);
    skip_events(r, 2);
    for (unsigned i = 0; i < 2; i++) {
        s = next_sample(r);
        assert_int_equal(s->repeat, i > 0);
        assert_int_equal(s->wait_count, 2);
        assert_int_equal(s->waits[0].kind, SNAP_WAIT_MEMORY);
        assert_int_equal(s->waits[0].time_ns, 150);
        assert_int_equal(s->waits[0].addr, 0x600010);
        assert_int_equal(s->waits[0].place, SNAP_PLACE_FILE);
        assert_int_equal(s->waits[0].file_addr, 0x400000);
        assert_memory_equal(s->waits[0].bytes, "lock", 4);
        assert_string_equal(s->waits[0].path, "/bin/prog");
        assert_int_equal(s->waits[1].fd, 3);
        assert_string_equal(s->waits[1].link, "pipe:[42]");
    }
}

/* The window begins between a WAIT and the sample with which it begins to hold. */
TEST_OF(recent_wait_whose_sample_is_to_come_is_kept, reading, r)
{
    struct parts parts;

    begin_parts_with_thread(&parts);
    put_sample(parts.writer, 7, 100, STACK, "abcd");
    put_wait_fd(parts.writer, 7, 111, 3, "pipe:[42]");
    part_at(&parts, 200);
    put_repeat(parts.writer, 7, 1500);
    part_at(&parts, 1500);
    put_repeat(parts.writer, 7, 2600);
    part_at(&parts, 2600);
    read_window(r, &parts);
    skip_events(r, 2);
    assert_int_equal(next_sample(r)->wait_count, 0);
    assert_int_equal(next_sample(r)->wait_count, 1);
}

static void put_pointee(struct snap_writer *w, uint64_t time_ns, uint64_t addr, const char *text)
{
    snap_writer_begin(w, SNAP_POINTEES, false);
    snap_writer_u32(w, PID);
    snap_writer_u32(w, 7);
    snap_writer_u64(w, time_ns);
    snap_writer_u16(w, 1);
    snap_writer_u64(w, addr);
    snap_writer_u32(w, text ? (uint32_t)strlen(text) : 4);
    snap_writer_u8(w, text ? SNAP_POINTEE_NEW : SNAP_POINTEE_KNOWN);
    if (text)
        snap_writer_raw(w, text, strlen(text));
    put_end(w);
}

/* A sample's go with it; those of one that is to come, and what later ones refer to, are kept. */
TEST(recent_pointees_hold_on)
{
    for (unsigned late = 0; late < 2; late++) {
        struct parts parts;
        struct reading r;
        const struct snap_sample *s;

        begin_parts_with_thread(&parts);
        if (!late)
            put_pointee(parts.writer, 100, 0x600000, "text");
        put_sample(parts.writer, 7, 100, STACK, "abcd");
        if (late)
            put_pointee(parts.writer, 1500, 0x600000, "text");
        part_at(&parts, 200);
        if (!late)
            put_pointee(parts.writer, 1500, 0x600000, NULL);
        put_sample(parts.writer, 7, 1500, STACK, "abcd");
        part_at(&parts, 1500);
        put_repeat(parts.writer, 7, 2600);
        part_at(&parts, 2600);
        read_window(&r, &parts);
        skip_events(&r, 2);
        for (unsigned i = 0; i < 3; i++) {
            s = next_sample(&r);
            assert_int_equal(s->pointee_count, i > 0 || !late);
            if (s->pointee_count)
                assert_memory_equal(s->pointees[0].bytes, "text", 4);
        }
        close_stream(&r, &r.stream);
    }
}

static void put_full_sample(struct snap_writer *w)
{
    begin_syscall_sample(w);
    snap_writer_u64(w, STACK - 4096);
    snap_writer_u64(w, 33);
    snap_writer_u8(w, SNAP_GOROUTINE_LEFT);
    for (unsigned i = 0; i < 3; i++)
        snap_writer_u64(w, 70 + i);
    snap_writer_u64(w, 99);
    put_end(w);
}

TEST_OF(recent_sample_has_all_that_it_had, reading, r)
{
    struct parts parts;
    const struct snap_sample *s;

    begin_parts_with_thread(&parts);
    put_full_sample(parts.writer);
    part_at(&parts, 100);
    put_thread(parts.writer, PID, 8, "other");
    part_at(&parts, 1500);
    put_thread(parts.writer, PID, 9, "third");
    part_at(&parts, 2600);
    read_window(r, &parts);
    skip_events(r, 2);
    s = next_sample(r);
    assert_int_equal(s->time_ns, 100);
    assert_int_equal(s->state, 'D');
    assert_int_equal(s->flags, SNAP_SAMPLE_SYSCALL | SNAP_SAMPLE_DISTURBED | SNAP_SAMPLE_HELD);
    assert_true(s->held && s->has_syscall);
    assert_int_equal(s->syscall, -4);
    assert_int_equal(s->syscall_args[5], 65);
    assert_int_equal(s->regs.value[16], 1016);
    assert_int_equal(s->region_count, 2);
    assert_stack(s, 0, "ordinary");
    assert_stack(s, 1, "alt");
    assert_int_equal(s->regions[1].map_end_addr, 0x601000);
    assert_int_equal(s->stack_map_addr, STACK - 4096);
    assert_int_equal(s->delay_ns, 0);
    assert_int_equal(s->goroutine.state, SNAP_GOROUTINE_LEFT);
    assert_int_equal(s->goroutine.lr, 72);
    assert_int_equal(s->goroutine_id, 99);
}

static void put_names(struct snap_writer *w, uint64_t off, const char *text)
{
    snap_writer_begin(w, SNAP_NAMES, false);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, 90);
    snap_writer_u64(w, off);
    snap_writer_bytes(w, text, strlen(text));
    put_end(w);
}

TEST_OF(recent_names_go_on_until_they_begin_anew, reading, r)
{
    struct parts parts;

    begin_parts(&parts);
    put_process(parts.writer, PID);
    put_names(parts.writer, 0, "gone");
    put_names(parts.writer, 0, "1 1 a\n");
    put_names(parts.writer, 100, "continues nothing");
    put_names(parts.writer, 6, "2 1 b\n");
    part_at(&parts, 100);
    put_thread(parts.writer, PID, 8, "other");
    part_at(&parts, 1500);
    put_thread(parts.writer, PID, 9, "third");
    part_at(&parts, 2600);
    read_window(r, &parts);
    next(r, SNAP_PROCESS);
    assert_memory_equal(next(r, SNAP_NAMES)->names.bytes, "1 1 a\n", 6);
    assert_memory_equal(next(r, SNAP_NAMES)->names.bytes, "2 1 b\n", 6);
    next(r, SNAP_THREAD);
}

/* `count` bytes of a stream of samples, threads, code and names that never come to rest. */
static void put_churn(struct snap_writer *w, uint32_t i)
{
    static char text[512];
    const uint32_t tid = 100 + i;
    char name[16];

    memset(text, 'a' + (int)(i % 26), sizeof(text) - 1);
    snprintf(name, sizeof(name), "w%u", i);
    put_thread(w, PID, tid, name);
    put_sample(w, tid, 1000 * i, STACK, text);
    put_code(w, 0x10000 + 16 * (uint64_t)i);
    put_names(w, i ? 511 * (uint64_t)i : 0, text);
    put_thread_end(w, PID, tid);
}

TEST(recent_memory_is_bounded)
{
    struct recent *recent = create(
        &(struct recent_options){.window_ns = 100000, .bytes_max = 64 << 10, .kept_max = 16 << 10});
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    size_t size, early = 0;
    struct diag diag;
    const uint8_t *bytes;

    put_process(w, PID);
    for (uint32_t i = 0; i < 20000; i++) {
        put_churn(w, i);
        bytes = snap_writer_take(w, &size);
        assert_int_equal(recent_push(recent, bytes, size, 1000 * i, &diag), STATUS_OK);
        if (i == 1000)
            early = recent_memory(recent);
    }
    assert_true(recent_is_cut(recent));
    assert_true(recent_size(recent) <= 64 << 10);
    assert_true(recent_memory(recent) <= early + 4096);
    assert_true(recent_memory(recent) <= 512 << 10);
    snap_writer_destroy(w);
    close(fd);
    recent_destroy(recent);
}

TEST(recent_window_is_shorter_where_records_are_many)
{
    struct recent *recent =
        create(&(struct recent_options){.window_ns = 1000000, .bytes_max = 1024});
    struct parts parts;
    struct stream stream;
    struct reading r;

    begin_parts_with_thread(&parts);
    part_at(&parts, 0);
    for (unsigned i = 1; i < 10; i++) { /* some 200 bytes each */
        put_sample(parts.writer, 7, 30000 * i, STACK, "abcd");
        part_at(&parts, 30000 * i);
    }
    push_parts(recent, &parts);
    assert_true(recent_is_cut(recent));
    stream = written(recent, NULL);
    open_stream(&r, &stream);
    skip_events(&r, 2);
    assert_true(next_sample(&r)->time_ns >= 90000);
    close_stream(&r, &stream);
    recent_destroy(recent);
}

/* However many there are in a step of a long window. */
TEST(recent_records_that_come_at_once_are_bounded)
{
    struct recent *recent = create(
        &(struct recent_options){.window_ns = UINT64_C(600000000000), .bytes_max = 64 << 10});
    int fd;
    struct snap_writer *w = stream_begin(&fd);
    struct diag diag;

    put_process(w, PID);
    put_thread(w, PID, 7, "main");
    for (uint32_t i = 1; i <= 2000; i++) { /* some 200 bytes each */
        const uint8_t *bytes;
        size_t size;

        put_sample(w, 7, 1000 * i, STACK, "abcd");
        bytes = snap_writer_take(w, &size);
        assert_int_equal(recent_push(recent, bytes, size, 1000 * i, &diag), STATUS_OK);
    }
    assert_true(recent_is_cut(recent));
    assert_true(recent_size(recent) <= 64 << 10);
    assert_true(recent_memory(recent) <= 256 << 10);
    snap_writer_destroy(w);
    close(fd);
    recent_destroy(recent);
}

TEST(recent_leaves_out_a_record_that_is_not_whole)
{
    struct recent *recent = create_window();
    struct stream whole = every_type(), stream;
    struct diag diag;

    assert_int_equal(recent_push(recent, whole.bytes, 100, 5, &diag), STATUS_OK);
    assert_false(recent_has_begun(recent));
    assert_int_equal(recent_push(recent, whole.bytes + 100, whole.size - 101, 5, &diag), STATUS_OK);
    assert_true(recent_has_begun(recent));
    stream = written(recent, NULL);
    assert_true(stream.size < whole.size - 1);
    assert_memory_equal(stream.bytes, whole.bytes, stream.size);
    free(stream.bytes);
    free(whole.bytes);
    recent_destroy(recent);
}

TEST(recent_summary_makes_it_complete)
{
    const struct snap_summary summary = {.time_ns = 7, .samples = 8, .rounds = 9, .end = 1};
    struct recent *recent = create_window();
    struct parts parts;
    struct stream stream;
    struct reading r;

    begin_parts(&parts);
    put_process(parts.writer, PID);
    part_at(&parts, 5);
    push_parts(recent, &parts);
    stream = written(recent, &summary);
    open_stream(&r, &stream);
    next(&r, SNAP_PROCESS);
    assert_int_equal(next(&r, SNAP_SUMMARY)->summary.rounds, 9);
    expect_end(&r, false, stream.size);
    close_stream(&r, &stream);
    recent_destroy(recent);
}

TEST(recent_keeps_the_summary_of_the_stream)
{
    const struct snap_summary summary = {.rounds = 9};
    struct recent *recent = create_window();
    struct parts parts;
    struct stream stream;
    struct reading r;

    begin_parts(&parts);
    put_process(parts.writer, PID);
    put_summary(parts.writer);
    part_at(&parts, 5);
    push_parts(recent, &parts);
    stream = written(recent, &summary);
    open_stream(&r, &stream);
    next(&r, SNAP_PROCESS);
    assert_int_equal(next(&r, SNAP_SUMMARY)->summary.rounds, 104);
    expect_end(&r, false, stream.size);
    close_stream(&r, &stream);
    recent_destroy(recent);
}

TEST(recent_refuses_what_is_no_snapshot)
{
    struct recent *recent = create_window();
    char nonsense[64] = "no snapshot";
    struct diag diag;

    assert_int_equal(recent_push(recent, nonsense, sizeof(nonsense), 1, &diag), STATUS_BAD_DATA);
    recent_destroy(recent);
}
