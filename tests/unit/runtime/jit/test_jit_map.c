/* SPDX-License-Identifier: MIT */
#include "runtime/jit/jit_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

struct fixture {
    struct pool names;
    struct jit_map *map;
    uint64_t size; /* of the file so far */
};

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){.size = 0};
    pool_init(&f->names);
    assert_int_equal(jit_map_create(&f->names, &f->map), STATUS_OK);
}

static void fixture_deinit(struct fixture *f)
{
    jit_map_destroy(f->map);
    pool_deinit(&f->names);
}

static void put(struct fixture *f, uint64_t off, const char *text)
{
    bool changed = false;

    assert_int_equal(jit_map_add(f->map, off, (const uint8_t *)text, strlen(text), &changed),
                     STATUS_OK);
    f->size = off + strlen(text);
}

static void go_on(struct fixture *f, const char *text)
{
    put(f, f->size, text);
}

/* NULL: none is there. */
static void expect(struct fixture *f, uint64_t addr, const char *name)
{
    struct jit_function function;
    enum status status = jit_map_find(f->map, addr, &function);

    assert_int_equal(status, name ? STATUS_OK : STATUS_NOT_FOUND);
    if (name)
        assert_string_equal(jit_map_name(f->map, function.name), name);
}

TEST_OF(jit_map_function_is_found_in_its_range, fixture, f)
{
    expect(f, 0, NULL);
    put(f, 0, "1000 10 first\n2000 8 JS:*fib /a b.js:1:2\r\n 3000 1 indented\n4000\t1\ttabs\n");
    expect(f, 0xfff, NULL);
    expect(f, 0x1000, "first");
    expect(f, 0x100f, "first");
    expect(f, 0x1010, NULL);
    expect(f, 0x2007, "JS:*fib /a b.js:1:2");
    expect(f, 0x2008, NULL);
    expect(f, 0x3000, NULL);
    expect(f, 0x4000, "tabs");
    expect(f, UINT64_MAX, NULL);
}

TEST_OF(jit_map_last_line_holds_where_lines_overlap, fixture, f)
{
    put(f, 0, "1000 100 old\n1040 20 inner\n");
    expect(f, 0x103f, "old");
    expect(f, 0x1040, "inner");
    expect(f, 0x1060, "old");
    go_on(f, "f00 180 over both\n");
    expect(f, 0x1050, "over both");
    expect(f, 0x107f, "over both");
    expect(f, 0x1080, "old");
    expect(f, 0x10ff, "old");
    go_on(f, "1000 100 same range\n");
    expect(f, 0xfff, "over both");
    expect(f, 0x1000, "same range");
    expect(f, 0x10ff, "same range");
}

/* By brute force: which line is the last that holds an address. `often`: asked between lines. */
static void check_overlaps(struct fixture *f, bool often)
{
    uint64_t starts[200], sizes[200];

    srand(1);
    for (unsigned i = 0; i < 200; i++) {
        char line[64];

        starts[i] = (uint64_t)rand() % 1000;
        sizes[i] = 1 + (uint64_t)rand() % (i % 7 ? 20 : 300);
        snprintf(line, sizeof(line), "%llx %llx f%u\n", (unsigned long long)starts[i],
                 (unsigned long long)sizes[i], i);
        go_on(f, line);
        snprintf(line, sizeof(line), "f%u", i);
        if (often)
            expect(f, starts[i], line);
    }
    for (uint64_t addr = 0; addr < 1400; addr++) {
        char name[16] = "";

        for (unsigned i = 0; i < 200; i++)
            if (addr >= starts[i] && addr - starts[i] < sizes[i])
                snprintf(name, sizeof(name), "f%u", i);
        expect(f, addr, name[0] ? name : NULL);
    }
}

TEST_OF(jit_map_any_overlaps_are_told_right, fixture, f)
{
    check_overlaps(f, false);
}

TEST_OF(jit_map_that_grows_is_told_right, fixture, f)
{
    check_overlaps(f, true);
}

TEST_OF(jit_map_function_is_added_as_a_line, fixture, f)
{
    struct jit_function function;

    assert_int_equal(jit_map_add_function(f->map, 0x1000, 16, "one\ntwo", 7), STATUS_OK);
    assert_int_equal(jit_map_add_function(f->map, 0x2000, 16, "", 0), STATUS_OK);
    assert_int_equal(jit_map_find(f->map, 0x100f, &function), STATUS_OK);
    assert_string_equal(jit_map_name(f->map, function.name), "one");
    assert_int_equal(jit_map_find(f->map, 0x2000, &function), STATUS_OK);
    assert_string_equal(jit_map_name(f->map, function.name), "?");
    assert_int_equal(jit_map_size(f->map), strlen("1000 10 one\n2000 10 ?\n"));
}

/* What another map has holds where this one has nothing. */
TEST_OF(jit_map_may_have_another_behind_it, fixture, f)
{
    struct jit_map *first;
    struct jit_function function;
    bool changed = false;

    put(f, 0, "1000 100 later\n2000 10 only later\n");
    assert_int_equal(jit_map_create(&f->names, &first), STATUS_OK);
    jit_map_set_otherwise(first, f->map);
    assert_int_equal(jit_map_find(first, 0x1008, &function), STATUS_OK);
    assert_string_equal(jit_map_name(first, function.name), "later");
    assert_int_equal(jit_map_add(first, 0, (const uint8_t *)"1000 10 now\n", 12, &changed),
                     STATUS_OK);
    assert_true(changed);
    assert_int_equal(jit_map_find(first, 0x1008, &function), STATUS_OK);
    assert_string_equal(jit_map_name(first, function.name), "now");
    assert_int_equal(jit_map_find(first, 0x1010, &function), STATUS_OK);
    assert_string_equal(jit_map_name(first, function.name), "later");
    assert_int_equal(jit_map_find(first, 0x2000, &function), STATUS_OK);
    assert_int_equal(jit_map_find(first, 0x3000, &function), STATUS_NOT_FOUND);
    changed = false;
    assert_int_equal(jit_map_add(first, 12, (const uint8_t *)"no line\n", 8, &changed), STATUS_OK);
    assert_false(changed);
    jit_map_destroy(first);
}

TEST_OF(jit_map_line_may_come_in_parts, fixture, f)
{
    const char text[] = "1000 10 first\n2000 10 second one\n";

    for (size_t i = 0; text[i]; i++) {
        const char one[] = {text[i], '\0'};

        put(f, i, one);
    }
    expect(f, 0x1000, "first");
    expect(f, 0x2000, "second one");
    go_on(f, "3000 10 not whole");
    expect(f, 0x3000, NULL);
    go_on(f, " yet\n");
    expect(f, 0x3000, "not whole yet");
}

TEST_OF(jit_map_offset_0_begins_anew, fixture, f)
{
    put(f, 0, "1000 10 first\n2000 10 rest of a li");
    put(f, 0, "3000 10 third\n");
    expect(f, 0x1000, NULL);
    expect(f, 0x3000, "third");
}

TEST_OF(jit_map_part_behind_a_gap_is_ignored, fixture, f)
{
    put(f, 0, "1000 10 first\n");
    put(f, 100, "2000 10 lost\n");
    put(f, 113, "2000 10 lost, too\n");
    expect(f, 0x2000, NULL);
    expect(f, 0x1000, "first");
    put(f, 0, "2000 10 found\n");
    expect(f, 0x2000, "found");
}

TEST_OF(jit_map_lines_that_are_none_are_left_out, fixture, f)
{
    static const char *const lines[] = {
        "",
        "\n",
        "1000\n",
        "1000 10\n",
        "1000 10 \n",
        "1000 0 empty\n",
        "g000 10 digit\n",
        "1000 1g digit\n",
        "10000000000000000 1 too large\n",
        "1000 100000000 4 GiB\n",
        "fffffffffffffff8 10 wraps\n",
        "0x 10 no digits\n",
        "-1000 10 minus\n",
    };
    char *line = malloc(2 * JIT_LINE_MAX);

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        go_on(f, lines[i]);
    assert_non_null(line);
    memset(line, 'x', 2 * JIT_LINE_MAX);
    memcpy(line, "5000 10 ", 8);
    strcpy(line + 2 * JIT_LINE_MAX - 2, "\n");
    go_on(f, line);
    free(line);
    go_on(f, "0x6000 0x10 good\nfffffffffffffff0 f last\n");
    expect(f, 0x1000, NULL);
    expect(f, 0x5000, NULL);
    expect(f, 0x6000, "good");
    expect(f, UINT64_C(0xfffffffffffffffe), "last");
    assert_int_equal(f->names.len, 2);
}

TEST_OF(jit_map_names_beyond_so_many_bytes_are_left_out, fixture, f)
{
    put(f, 0, "1000 10 first\n2000 10 first\n3000 10 second\n");
    assert_int_equal(f->names.bytes, sizeof("first") + sizeof("second"));
    f->names.bytes = JIT_NAMES_BYTES_MAX - 1; /* as if there were others */
    go_on(f, "4000 10 third\n5000 10 fourth\n");
    expect(f, 0x4000, "third");
    expect(f, 0x5000, NULL);
    expect(f, 0x1000, "first");
}

/* It is one function, wherever it is. */
TEST_OF(jit_map_function_that_moves_keeps_its_number, fixture, f)
{
    struct jit_function here, there;
    uint64_t start_vaddr;

    put(f, 0, "1000 10 f\n2000 10 g\n3000 10 f\n");
    assert_int_equal(jit_map_find(f->map, 0x1008, &here), STATUS_OK);
    assert_int_equal(jit_map_find(f->map, 0x3008, &there), STATUS_OK);
    assert_true(jit_vaddr(&here, 0x1008) == jit_vaddr(&there, 0x3008));
    assert_string_equal(jit_name(&f->names, jit_vaddr(&here, 0x1008), &start_vaddr), "f");
    assert_int_equal(jit_vaddr(&here, 0x1008) - start_vaddr, 8);
    assert_null(jit_name(&f->names, 8, &start_vaddr));
    assert_null(jit_name(&f->names, UINT64_C(3) << JIT_NAME_SHIFT, &start_vaddr));
}

struct seen {
    char text[64];
    unsigned left; /* fails then */
};

static enum status see(void *context, const struct jit_function *function)
{
    struct seen *seen = context;

    if (!seen->left--)
        return STATUS_NO_MEMORY;
    snprintf(seen->text + strlen(seen->text), sizeof(seen->text) - strlen(seen->text), "%llx-%llx ",
             (unsigned long long)function->start_addr, (unsigned long long)function->end_addr);
    return STATUS_OK;
}

TEST_OF(jit_map_gives_the_functions_that_begin_in_a_range, fixture, f)
{
    struct seen seen = {.left = 9};

    put(f, 0, "1000 10 f\n1010 10 g\n1020 10 h\n1018 10 over two\n1030 10 i\n");
    assert_int_equal(jit_map_each(f->map, 0x1001, 0x1030, see, &seen), STATUS_OK);
    assert_string_equal(seen.text, "1010-1020 1018-1028 ");
    seen = (struct seen){.left = 1};
    assert_int_equal(jit_map_each(f->map, 0, UINT64_MAX, see, &seen), STATUS_NO_MEMORY);
    assert_string_equal(seen.text, "1000-1010 ");
}

TEST_OF(jit_map_gives_what_no_map_before_has, fixture, f)
{
    struct jit_map *maps[2];
    struct seen seen = {.left = 9};

    put(f, 0, "1000 10 third\n3000 10 third\n5008 10 third\n");
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(jit_map_create(&f->names, &maps[i]), STATUS_OK);
    jit_map_set_otherwise(maps[0], maps[1]);
    jit_map_set_otherwise(maps[1], f->map);
    assert_int_equal(jit_map_add_function(maps[0], 0x1000, 8, "first", 5), STATUS_OK);
    assert_int_equal(jit_map_add_function(maps[1], 0x2000, 8, "second", 6), STATUS_OK);
    assert_int_equal(jit_map_add_function(maps[1], 0x5010, 8, "second", 6), STATUS_OK);
    assert_int_equal(jit_map_each(maps[0], 0, UINT64_MAX, see, &seen), STATUS_OK);
    assert_string_equal(seen.text, "1000-1008 2000-2008 5010-5018 3000-3010 ");
    jit_map_destroy(maps[0]);
    jit_map_destroy(maps[1]);
}
