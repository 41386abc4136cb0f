/* SPDX-License-Identifier: MIT */
/* The snapshot reader on streams cut, damaged or of another version: nothing wrong is delivered. */
#include "reader_fixture.h"

#include <errno.h>

#include "base/crc32.h"
#include "base/vec.h"

static uint32_t sample_print(uint32_t crc, const struct snap_sample *s)
{
    crc = crc32_update(crc, &s->time_ns, sizeof(s->time_ns));
    crc = crc32_update(crc, &s->wall_ns, sizeof(s->wall_ns));
    crc = crc32_update(crc, s->regs.value, 17 * sizeof(s->regs.value[0]));
    for (uint32_t i = 0; i < s->region_count; i++)
        crc = crc32_update(crc, s->regions[i].bytes,
                           s->regions[i].end_addr - s->regions[i].start_addr);
    for (uint32_t i = 0; i < s->wait_count; i++)
        crc = crc32_update(crc, s->waits[i].bytes, s->waits[i].size);
    return crc;
}

/* What an event says, as one number. */
static uint32_t fingerprint(const struct snap_event *e)
{
    uint32_t crc = crc32_update(0, &e->type, sizeof(e->type));

    if (e->type == SNAP_PROCESS)
        return crc32_update(crc, e->process.command_line, e->process.command_line_size);
    if (e->type == SNAP_MAP)
        return crc32_update(crc, e->map.path, strlen(e->map.path));
    if (e->type == SNAP_SAMPLE || e->type == SNAP_TICK)
        return sample_print(crc, &e->sample);
    if (e->type == SNAP_CREATION)
        return sample_print(crc, &e->creation.maker);
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

TEST(reader_flipped_byte_never_delivers_anything_wrong)
{
    struct stream stream = every_type();
    struct prints whole = read_prints(stream.bytes, stream.size);

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

TEST(reader_stream_cut_anywhere_gives_all_whole_records)
{
    struct stream stream = every_type();
    struct prints whole = read_prints(stream.bytes, stream.size);
    size_t records = 0, last = SNAP_HEADER_SIZE;

    for (size_t size = 0; size < stream.size; size++) {
        struct prints part = read_prints(stream.bytes, size);

        if (size < SNAP_HEADER_SIZE) {
            assert_int_equal(part.status, STATUS_BAD_DATA);
            continue;
        }
        while (last + record_size(stream.bytes + last) <= size) {
            /* What comes with its sample. */
            records += stream.bytes[last] != SNAP_WAIT && stream.bytes[last] != SNAP_UNCHANGED;
            last += record_size(stream.bytes + last);
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

TEST(reader_bytes_behind_the_summary_are_a_cut_record)
{
    struct stream stream = every_type();
    uint8_t *longer = realloc(stream.bytes, stream.size + 5);
    struct prints p;

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

TEST_OF(reader_unknown_record_is_skipped_or_refused_as_it_says, reading, r)
{
    struct snap_writer *w = write_stream(r);

    put_unknown(w, false);
    put_process(w, PID);
    put_unknown(w, false);
    put_thread(w, PID, 7, "main");
    put_unknown(w, true);
    put_thread(w, PID, 8, "not reached");
    read_stream(r);
    next(r, SNAP_PROCESS);
    next(r, SNAP_THREAD);
    expect_bad_data(r, "unknown required type");
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

TEST(reader_longer_records_come_from_a_later_minor_version)
{
    struct stream plain = every_type();
    struct prints whole = read_prints(plain.bytes, plain.size);

    for (int type = SNAP_PROCESS; type <= SNAP_TICK; type++) {
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

TEST(reader_shorter_records_are_refused)
{
    for (int type = SNAP_PROCESS; type <= SNAP_TICK; type++) {
        struct stream stream = every_type();
        struct prints p;

        assert_true(resize_record(&stream, (enum snap_type)type, -1));
        p = read_prints(stream.bytes, stream.size);
        assert_int_equal(p.status, STATUS_BAD_DATA);
        free(p.items);
        free(stream.bytes);
    }
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

TEST(reader_header_of_another_kind_is_refused)
{
    expect_header_refused(0, 'x', STATUS_BAD_DATA, "not a snapshot");
    expect_header_refused(8, 2, STATUS_UNSUPPORTED, "format 2.9");
    expect_header_refused(12, 2, STATUS_UNSUPPORTED, "byte order");
    expect_header_refused(13, 4, STATUS_UNSUPPORTED, "unsupported target");
    expect_header_refused(14, 99, STATUS_UNSUPPORTED, "machine 99");
}

TEST(reader_file_that_ends_in_its_header_says_so)
{
    static const struct {
        size_t size;
        const char *what;
    } cases[] = {{0, "is empty"}, {5, "not a snapshot"}, {8, "cut short"}, {31, "cut short"}};

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

TEST(reader_failed_read_is_an_error_of_its_own)
{
    struct stream stream = every_type();
    struct reading r;
    enum status status;

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
