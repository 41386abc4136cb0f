/* SPDX-License-Identifier: MIT */
/* Names of code made at run time come before the samples that they tell of, in a file. */
#include "snapshot_fixture.h"

#include <stdio.h>

#include "snapshot/import/names_ahead.h"
#include "snapshot/import/source.h"

static void put_map(struct snap_writer *w, uint8_t kind, uint8_t flags, const char *path)
{
    snap_writer_begin(w, SNAP_MAP, true);
    snap_writer_u32(w, PID);
    snap_writer_u8(w, kind);
    snap_writer_u8(w, 5);
    snap_writer_u8(w, flags);
    snap_writer_u8(w, 0);
    snap_writer_u64(w, 0x1000);
    snap_writer_u64(w, 0x2000);
    snap_writer_u64(w, 0);
    snap_writer_u64(w, 0);
    snap_writer_u64(w, 0);
    snap_writer_str(w, path);
    put_end(w);
}

static void put_names(struct snap_writer *w, uint64_t off, const char *text)
{
    snap_writer_begin(w, SNAP_NAMES, false);
    snap_writer_u32(w, PID);
    snap_writer_u64(w, 50);
    snap_writer_u64(w, off);
    snap_writer_bytes(w, text, strlen(text));
    put_end(w);
}

struct story {
    int fd;
    uint64_t second_off; /* of the second NAMES record */
    uint64_t size;
};

/* P process, M map, T thread, S sample, N names, N names, E summary. */
static struct story write_story(uint8_t kind, uint8_t flags, const char *path)
{
    struct story story;
    struct snap_writer *w = stream_begin(&story.fd);

    put_process(w, PID);
    put_map(w, kind, flags, path);
    put_thread(w, PID, PID, "name");
    put_sample(w, PID, 100, STACK, "a stack");
    put_names(w, 0, "first");
    story.second_off = snap_writer_size(w);
    put_names(w, 5, "second");
    put_summary(w);
    assert_int_equal(snap_writer_flush(w), STATUS_OK);
    story.size = snap_writer_size(w);
    snap_writer_destroy(w);
    return story;
}

/* A letter for each event, A for names that come ahead; '!' at bad data. */
static void read_story(int fd, char letters[32])
{
    static const char known[] = {[SNAP_PROCESS] = 'P', [SNAP_MAP] = 'M',   [SNAP_THREAD] = 'T',
                                 [SNAP_SAMPLE] = 'S',  [SNAP_NAMES] = 'N', [SNAP_SUMMARY] = 'E'};
    struct snap_source *source;
    struct snap_event event;
    struct diag diag;
    unsigned count = 0, told[2] = {0};
    enum status status;

    assert_int_equal(snap_source_open(fd, "story", &source, &diag), STATUS_OK);
    while ((status = snap_source_next(source, &event, &diag)) == STATUS_OK) {
        assert_in_range(count, 0, 30);
        letters[count++] = known[event.type];
        if (event.type == SNAP_NAMES) {
            const bool is_second = told[event.names.is_ahead]++;

            if (event.names.is_ahead)
                letters[count - 1] = 'A';
            assert_int_equal(event.names.off, is_second ? 5 : 0);
            assert_int_equal(event.names.size, is_second ? 6 : 5);
            assert_memory_equal(event.names.bytes, is_second ? "second" : "first",
                                event.names.size);
        }
    }
    if (status != STATUS_END)
        letters[count++] = '!';
    letters[count] = '\0';
    snap_source_close(source);
}

static void expect_story(struct story story, const char *wanted)
{
    char letters[32];

    read_story(story.fd, letters);
    assert_string_equal(letters, wanted);
    close(story.fd);
}

TEST(names_come_before_samples_in_anonymous_code)
{
    expect_story(write_story(SNAP_MAP_ANON, 0, ""), "PMAATSNNE");
}

TEST(names_come_before_samples_in_deleted_memory_files)
{
    expect_story(write_story(SNAP_MAP_FILE, SNAP_MAP_DELETED, "/memfd:jit"), "PMAATSNNE");
}

/* To look for them takes a pass over the file. */
TEST(names_stay_where_they_are_without_such_code)
{
    expect_story(write_story(SNAP_MAP_FILE, 0, "/bin/prog"), "PMTSNNE");
}

TEST(names_stay_where_they_are_in_a_pipe)
{
    struct story story = write_story(SNAP_MAP_ANON, 0, "");
    uint8_t *bytes = malloc(story.size);
    int ends[2];

    assert_non_null(bytes);
    assert_int_equal(pread(story.fd, bytes, story.size, 0), story.size);
    close(story.fd);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, story.size), story.size);
    close(ends[1]);
    free(bytes);
    story.fd = ends[0];
    expect_story(story, "PMTSNNE");
}

/* What comes before the damage is used, as ever. */
TEST(names_that_are_damaged_are_left_out_ahead)
{
    struct story story = write_story(SNAP_MAP_ANON, 0, "");
    uint8_t byte = 0xff;

    assert_int_equal(pwrite(story.fd, &byte, 1, (off_t)story.second_off + SNAP_RECORD_HEAD + 20),
                     1);
    expect_story(story, "PMATSN!");
}

TEST(names_of_a_file_that_is_cut_short_are_used)
{
    struct story story = write_story(SNAP_MAP_ANON, 0, "");

    assert_int_equal(ftruncate(story.fd, (off_t)story.second_off + SNAP_RECORD_HEAD + 20), 0);
    expect_story(story, "PMATSN");
    story = write_story(SNAP_MAP_ANON, 0, "");
    assert_int_equal(ftruncate(story.fd, (off_t)story.second_off + 5), 0);
    expect_story(story, "PMATSN");
}

/* A length that cannot be ends the search, and then the reading. */
TEST(names_behind_a_false_length_are_not_looked_for)
{
    struct story story = write_story(SNAP_MAP_ANON, 0, "");
    const uint32_t length = UINT32_MAX;

    assert_int_equal(pwrite(story.fd, &length, 4, (off_t)story.second_off + 4), 4);
    expect_story(story, "PMATSN!");
}

/* More than is read at once. */
TEST(names_are_found_behind_large_records)
{
    struct story story;
    struct snap_writer *w = stream_begin(&story.fd);
    char *text = malloc(600001);

    assert_non_null(text);
    memset(text, 'x', 600000);
    text[600000] = '\0';
    put_process(w, PID);
    put_map(w, SNAP_MAP_ANON, 0, "");
    put_thread(w, PID, PID, "name");
    put_sample(w, PID, 100, STACK, text);
    for (unsigned i = 0; i < 100; i++)
        put_sample(w, PID, 101 + i, STACK, "a stack");
    put_names(w, 0, "first");
    put_sample(w, PID, 300, STACK, text);
    put_names(w, 5, "second");
    assert_int_equal(snap_writer_flush(w), STATUS_OK);
    snap_writer_destroy(w);
    free(text);
    {
        struct snap_source *source;
        struct snap_event event;
        struct diag diag;

        assert_int_equal(snap_source_open(story.fd, "story", &source, &diag), STATUS_OK);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(snap_source_next(source, &event, &diag), STATUS_OK);
        assert_int_equal(event.type, SNAP_NAMES);
        assert_int_equal(event.names.off, 5);
        snap_source_close(source);
    }
    close(story.fd);
}

TEST(symbol_files_come_ahead_as_well)
{
    struct story story;
    struct snap_writer *w = stream_begin(&story.fd);
    struct snap_source *source;
    struct snap_event event;
    struct diag diag;

    put_process(w, PID);
    put_map(w, SNAP_MAP_ANON, 0, "");
    put_thread(w, PID, PID, "name");
    snap_writer_begin(w, SNAP_SYMBOL_FILE, false);
    snap_writer_u32(w, PID);
    for (unsigned i = 0; i < 4; i++)
        snap_writer_u64(w, 100 + i);
    snap_writer_bytes(w, "part", 4);
    put_end(w);
    assert_int_equal(snap_writer_flush(w), STATUS_OK);
    snap_writer_destroy(w);
    assert_int_equal(snap_source_open(story.fd, "story", &source, &diag), STATUS_OK);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(snap_source_next(source, &event, &diag), STATUS_OK);
    assert_int_equal(event.type, SNAP_SYMBOL_FILE);
    assert_true(event.symbol_file.is_ahead);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(snap_source_next(source, &event, &diag), STATUS_OK);
    assert_int_equal(event.type, SNAP_SYMBOL_FILE);
    assert_false(event.symbol_file.is_ahead);
    assert_true(event.symbol_file.time_ns == 100 && event.symbol_file.addr == 101 &&
                event.symbol_file.file_size == 102 && event.symbol_file.off == 103);
    assert_int_equal(event.symbol_file.size, 4);
    snap_source_close(source);
    close(story.fd);
}

/* Each program's come behind its PROCESS, and no other's before it. */
TEST(names_of_another_program_come_behind_its_process)
{
    struct story story;
    struct snap_writer *w = stream_begin(&story.fd);

    put_process(w, PID);
    put_map(w, SNAP_MAP_ANON, 0, "");
    put_names(w, 0, "first");
    put_process(w, PID + 1);
    put_process(w, PID);
    put_thread(w, PID, PID, "name");
    put_process(w, PID);
    put_names(w, 5, "second");
    assert_int_equal(snap_writer_flush(w), STATUS_OK);
    snap_writer_destroy(w);
    expect_story(story, "PMANPPTPAN");
}

/* Many names are no reason to find no symbol files. */
TEST(symbol_files_come_ahead_of_any_number_of_names)
{
    struct story story;
    struct snap_writer *w = stream_begin(&story.fd);
    struct snap_source *source;
    struct snap_event event;
    struct diag diag;
    unsigned names = 0, files = 0;

    put_process(w, PID);
    put_map(w, SNAP_MAP_ANON, 0, "");
    for (unsigned i = 0; i <= NAMES_AHEAD_MAX; i++)
        put_names(w, i, "x");
    snap_writer_begin(w, SNAP_SYMBOL_FILE, false);
    snap_writer_u32(w, PID);
    for (unsigned i = 0; i < 4; i++)
        snap_writer_u64(w, 100 + i);
    snap_writer_bytes(w, "part", 4);
    put_end(w);
    assert_int_equal(snap_writer_flush(w), STATUS_OK);
    snap_writer_destroy(w);
    assert_int_equal(snap_source_open(story.fd, "story", &source, &diag), STATUS_OK);
    while (snap_source_next(source, &event, &diag) == STATUS_OK) {
        names += event.type == SNAP_NAMES && event.names.is_ahead;
        files += event.type == SNAP_SYMBOL_FILE && event.symbol_file.is_ahead;
    }
    assert_int_equal(names, NAMES_AHEAD_MAX);
    assert_int_equal(files, 1);
    snap_source_close(source);
    close(story.fd);
}
