/* SPDX-License-Identifier: MIT */
/*
 * What pprof.c encodes is decoded here by a reader of its own, which knows the wire format alone.
 */
#include "graph_fixture.h"

#include <zlib.h>

#include "output/pprof.h"

static const struct fixture_function FUNCTIONS[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"foo", .start = 0x3000, .file = "src/foo.c", .line = 100},
    {"inl", .start = 0x9000, .name = "outer", .file = "o.c", .line = 5, .inlined = "inner"},
    {"read", .module = 1, .start = 0x1000},
    {"bad", .module = 1, .start = 0x2000, .name = "b\xff\n"},
    {0},
};

/* A message: the bytes that are left of it. */
struct bytes {
    const uint8_t *at, *end;
};

struct field {
    uint64_t number, value;
    struct bytes bytes; /* of a length-delimited one */
};

static uint64_t take_varint(struct bytes *in)
{
    uint64_t value = 0;

    for (unsigned shift = 0;; shift += 7) {
        assert_true(in->at < in->end && shift < 70);
        value |= (uint64_t)(*in->at & 0x7f) << shift;
        if (!(*in->at++ & 0x80))
            return value;
    }
}

static bool take(struct bytes *in, struct field *field)
{
    uint64_t tag;

    if (in->at == in->end)
        return false;
    tag = take_varint(in);
    *field = (struct field){.number = tag >> 3, .value = take_varint(in)};
    if ((tag & 7) == 0)
        return true;
    assert_int_equal(tag & 7, 2);
    assert_true(field->value <= (size_t)(in->end - in->at));
    field->bytes = (struct bytes){in->at, in->at + field->value};
    in->at += field->value;
    return true;
}

/* The n-th field of that number; false: there are fewer. */
static bool find(struct bytes in, uint64_t number, size_t n, struct field *field)
{
    while (take(&in, field))
        if (field->number == number && n-- == 0)
            return true;
    *field = (struct field){0};
    return false;
}

static struct bytes message(struct bytes in, uint64_t number, size_t n)
{
    struct field field;

    assert_true(find(in, number, n, &field));
    return field.bytes;
}

static uint64_t number(struct bytes in, uint64_t field_number)
{
    struct field field;

    find(in, field_number, 0, &field);
    return field.value;
}

static size_t count(struct bytes in, uint64_t number)
{
    struct field field;
    size_t n = 0;

    while (find(in, number, n, &field))
        n++;
    return n;
}

/* The text that a number of `in` stands for, in a buffer used again after 4 calls. */
static const char *text(struct bytes profile, struct bytes in, uint64_t field_number)
{
    static char buffers[4][256];
    static unsigned turn;
    struct bytes bytes = message(profile, 6, number(in, field_number));
    char *buffer = buffers[turn++ % 4];

    snprintf(buffer, sizeof(buffers[0]), "%.*s", (int)(bytes.end - bytes.at),
             (const char *)bytes.at);
    return buffer;
}

/* The message of that number whose id (field 1) is `id`. */
static struct bytes by_id(struct bytes profile, uint64_t kind, uint64_t id)
{
    struct field field;

    for (size_t n = 0; find(profile, kind, n, &field); n++)
        if (number(field.bytes, 1) == id)
            return field.bytes;
    fail_msg("no id %d among messages %d", (int)id, (int)kind);
    return field.bytes;
}

struct written {
    struct capture file;
    uint8_t profile[1 << 18];
    size_t size;
};

static struct bytes write_facts(struct fixture *f, const struct graph_filter *filter,
                                const struct pprof_facts *facts, struct written *written)
{
    struct view *view = fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_WALL, filter);
    z_stream stream = {.next_out = written->profile, .avail_out = sizeof(written->profile)};

    assert_int_equal(pprof_write(view, f->names, facts, capture_begin(&written->file)), STATUS_OK);
    capture_end(&written->file);
    stream.next_in = (uint8_t *)written->file.text;
    stream.avail_in = (uInt)written->file.size;
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    written->size = stream.total_out;
    inflateEnd(&stream);
    return (struct bytes){written->profile, written->profile + written->size};
}

static struct bytes write_profile(struct fixture *f, struct written *written)
{
    struct title_program program = {.name = {.exe = "/usr/bin/prog"}, .pid = 7};
    const struct title title = {.programs = &program, .count = 1};
    const struct pprof_facts facts = {.programs = &title};

    return write_facts(f, NULL, &facts, written);
}

/* "inner@o.c:900 outer@o.c:2309" of the i-th location of a sample, innermost first. */
static const char *location(struct bytes profile, struct bytes sample, size_t i, char line[256])
{
    struct bytes ids = message(sample, 1, 0);
    struct field field;
    uint64_t id = take_varint(&ids);
    struct bytes place;

    while (i-- > 0)
        id = take_varint(&ids);
    place = by_id(profile, 4, id);
    line[0] = '\0';
    for (size_t n = 0; find(place, 4, n, &field); n++) {
        struct bytes function = by_id(profile, 5, number(field.bytes, 1));
        size_t len = strlen(line);

        snprintf(line + len, 256 - len, "%s%s@%s:%d", n ? " " : "", text(profile, function, 2),
                 text(profile, function, 4), (int)number(field.bytes, 2));
    }
    return line;
}

TEST_OF(pprof_values_types_and_labels_of_a_sample_are_there, fixture, f, FUNCTIONS)
{
    struct weights asleep = {.value = {2, 50, 0}};
    struct written written;
    struct bytes profile, sample, values;

    fixture_add(f, "worker", 8, "start main foo", 3);
    assert_int_equal(profile_weigh(f->profile, 0, 0, 'S', &asleep), STATUS_OK);
    profile = write_profile(f, &written);
    assert_int_equal(count(profile, 1), 3);
    assert_string_equal(text(profile, message(profile, 1, 0), 1), "samples");
    assert_string_equal(text(profile, message(profile, 1, 0), 2), "count");
    assert_string_equal(text(profile, message(profile, 1, 1), 1), "cpu");
    assert_string_equal(text(profile, message(profile, 1, 2), 1), "wall");
    assert_string_equal(text(profile, message(profile, 1, 2), 2), "nanoseconds");
    assert_string_equal(text(profile, profile, 14), "wall");
    assert_string_equal(text(profile, profile, 13), "/usr/bin/prog (pid 7)");
    assert_int_equal(message(profile, 6, 0).at - message(profile, 6, 0).end, 0);

    assert_int_equal(count(profile, 2), 2);
    sample = message(profile, 2, 0);
    values = message(sample, 2, 0);
    assert_int_equal(take_varint(&values), 3);
    assert_int_equal(take_varint(&values), 30);
    assert_int_equal(take_varint(&values), 3000);
    assert_true(values.at == values.end);
    assert_string_equal(text(profile, message(sample, 3, 0), 1), "thread");
    assert_string_equal(text(profile, message(sample, 3, 0), 2), "worker");
    assert_string_equal(text(profile, message(sample, 3, 1), 1), "thread_id");
    assert_int_equal(number(message(sample, 3, 1), 3), 8);
    assert_string_equal(text(profile, message(sample, 3, 2), 1), "state");
    assert_string_equal(text(profile, message(sample, 3, 2), 2), "running");

    sample = message(profile, 2, 1);
    values = message(sample, 2, 0);
    assert_int_equal(take_varint(&values), 2);
    assert_int_equal(take_varint(&values), 0); /* packed zeros are kept */
    assert_int_equal(take_varint(&values), 50);
    assert_string_equal(text(profile, message(sample, 3, 2), 2), "sleeping");
    free(written.file.text);
}

TEST_OF(pprof_inlined_functions_are_lines_of_one_location, fixture, f, FUNCTIONS)
{
    struct written written;
    struct bytes profile, sample, function;
    char line[256];

    fixture_add(f, "t", 1, "start main inl/900 foo", 1);
    profile = write_profile(f, &written);
    sample = message(profile, 2, 0);
    assert_string_equal(location(profile, sample, 0, line), "foo@src/foo.c:116");
    assert_string_equal(location(profile, sample, 1, line), "inner@o.c:900 outer@o.c:2309");
    assert_string_equal(location(profile, sample, 2, line), "main@src/main.c:26");
    assert_string_equal(location(profile, sample, 3, line), "_start@:0");
    assert_int_equal(count(profile, 4), 4);
    assert_int_equal(count(profile, 5), 5);
    for (uint64_t id = 1; id <= 5; id++) {
        function = by_id(profile, 5, id);
        if (strcmp(text(profile, function, 2), "outer") == 0)
            assert_int_equal(number(function, 5), 5);
        if (strcmp(text(profile, function, 2), "inner") == 0)
            assert_int_equal(number(function, 5), 0);
    }
    free(written.file.text);
}

TEST_OF(pprof_frames_that_differ_in_trust_are_one_location, fixture, f, FUNCTIONS)
{
    struct written written;
    struct bytes profile;

    fixture_add(f, "t", 1, "main!fp foo", 1);
    fixture_add(f, "t", 1, "main foo", 1);
    profile = write_profile(f, &written);
    assert_int_equal(count(profile, 2), 2);
    assert_int_equal(count(profile, 4), 2);
    free(written.file.text);
}

TEST_OF(pprof_modules_are_mappings_with_their_build_ids, fixture, f, FUNCTIONS)
{
    struct written written;
    struct bytes profile, mapping;

    f->modules[1].file.build_id = (const uint8_t *)"\xab\x01";
    f->modules[1].file.build_id_size = 2;
    fixture_add(f, "t", 1, "start inl/900 read", 1);
    fixture_add(f, "t", 1, "start lib@77 anon@5000 @dead", 1);
    profile = write_profile(f, &written);
    assert_int_equal(count(profile, 3), 4);
    mapping = by_id(profile, 3, 1);
    assert_string_equal(text(profile, mapping, 5), "/usr/bin/prog");
    assert_string_equal(text(profile, mapping, 6), "");
    assert_int_equal(number(mapping, 3), 0x9901); /* there is no ELF file to tell its end */
    for (uint64_t flag = 7; flag <= 10; flag++)
        assert_int_equal(number(mapping, flag), 1);
    mapping = by_id(profile, 3, 2);
    assert_string_equal(text(profile, mapping, 5), "/usr/lib/libc.so.6");
    assert_string_equal(text(profile, mapping, 6), "ab01");
    assert_int_equal(number(mapping, 7), 1);
    assert_int_equal(number(mapping, 8), 0);
    mapping = by_id(profile, 3, 3);
    assert_string_equal(text(profile, mapping, 5), "/opt/libx.so");
    assert_int_equal(number(mapping, 2), 0);
    mapping = by_id(profile, 3, 4);
    assert_string_equal(text(profile, mapping, 5), "[anon]");
    assert_int_equal(number(mapping, 2), 0x4fff);
    free(written.file.text);
}

TEST_OF(pprof_of_a_missing_file_has_addresses_without_made_up_names, fixture, f, FUNCTIONS)
{
    struct written written;
    struct bytes profile, sample;
    char line[256];

    fixture_add(f, "t", 1, "main lib@77 @dead", 1);
    profile = write_profile(f, &written);
    sample = message(profile, 2, 0);
    assert_string_equal(location(profile, sample, 0, line), "[unknown]+0xdead@:0");
    assert_string_equal(location(profile, sample, 1, line), "");
    assert_int_equal(number(by_id(profile, 4, 3), 3), 0x76); /* of the call, not behind it */
    free(written.file.text);
}

TEST_OF(pprof_filter_leaves_out_samples_and_what_they_alone_use, fixture, f, FUNCTIONS)
{
    const struct pprof_facts facts = {.programs = NULL};
    struct graph_filter filter = {0};
    struct written written;
    struct bytes profile;

    fixture_add(f, "t", 1, "main foo", 1);
    fixture_add(f, "t", 1, "main read", 1);
    assert_int_equal(graph_filter_set(&filter, FILTER_FOCUS, "read", NULL), STATUS_OK);
    profile = write_facts(f, &filter, &facts, &written);
    assert_int_equal(count(profile, 2), 1);
    assert_int_equal(count(profile, 4), 2);
    assert_int_equal(count(profile, 5), 2);
    assert_int_equal(count(profile, 13), 0);
    graph_filter_deinit(&filter);
    free(written.file.text);
}

TEST_OF(pprof_times_are_of_the_capture, fixture, f, FUNCTIONS)
{
    const struct pprof_facts facts = {.start_ns = 1700000000000000000,
                                      .duration_ns = 2000000000,
                                      .period_ns = 10101010};
    struct written written;
    struct bytes profile;

    fixture_add(f, "t", 1, "main", 1);
    profile = write_facts(f, NULL, &facts, &written);
    assert_true(number(profile, 9) == facts.start_ns);
    assert_int_equal(number(profile, 10), facts.duration_ns);
    assert_int_equal(number(profile, 12), facts.period_ns);
    assert_string_equal(text(profile, message(profile, 11, 0), 1), "wall");
    free(written.file.text);
}

TEST_OF(pprof_names_are_utf8_and_weights_fit_63_bits, fixture, f, FUNCTIONS)
{
    struct weights most = {.value = {UINT64_MAX, 1, 1}};
    struct written written;
    struct bytes profile, sample, values;
    char line[256];

    fixture_add(f, "t\n", 1, "main bad", 0);
    assert_int_equal(profile_weigh(f->profile, 0, 0, 'R', &most), STATUS_OK);
    profile = write_profile(f, &written);
    sample = message(profile, 2, 0);
    values = message(sample, 2, 0);
    assert_true(take_varint(&values) == INT64_MAX);
    assert_string_equal(location(profile, sample, 0, line), "b\xef\xbf\xbd?@:0");
    assert_string_equal(text(profile, message(sample, 3, 0), 2), "t?");
    free(written.file.text);
}

TEST(pprof_same_profile_gives_the_same_bytes)
{
    struct written written[2];

    for (int i = 0; i < 2; i++) {
        struct fixture f;

        fixture_init(&f, FUNCTIONS);
        fixture_add(&f, "t", 1, "start main foo read", 1);
        fixture_add(&f, "u", 2, "start main inl/900", 1);
        write_profile(&f, &written[i]);
        fixture_deinit(&f);
    }
    assert_int_equal(written[0].file.size, written[1].file.size);
    assert_memory_equal(written[0].file.text, written[1].file.text, written[0].file.size);
    assert_memory_equal(written[0].file.text + 4, "\0\0\0\0", 4); /* gzip's time */
    free(written[0].file.text);
    free(written[1].file.text);
}

TEST_OF(pprof_deepest_chain_is_one_sample_of_two_locations, fixture, f, FUNCTIONS)
{
    static struct written written;
    struct bytes profile, ids;

    fixture_add_deepest(f, "main", "foo");
    profile = write_profile(f, &written);
    assert_int_equal(count(profile, 2), 1);
    assert_int_equal(count(profile, 4), 2);
    ids = message(message(profile, 2, 0), 1, 0);
    assert_int_equal(ids.end - ids.at, CHAIN_DEPTH_MAX); /* ids of one byte */
    free(written.file.text);
}

TEST_OF(pprof_full_disk_is_an_error, fixture, f, FUNCTIONS)
{
    const struct pprof_facts facts = {.programs = NULL};
    FILE *full = fopen("/dev/full", "w");

    assert_non_null(full);
    fixture_add(f, "t", 1, "main", 1);
    fixture_view(f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL);
    assert_int_equal(pprof_write(f->view, f->names, &facts, full), STATUS_IO);
    fclose(full);
}
