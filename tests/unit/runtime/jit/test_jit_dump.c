/* SPDX-License-Identifier: MIT */
#include "runtime/jit/jit_dump.h"

#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

#define FILE_NAME "jit-7.dump"

enum { LOAD = 0, MOVE = 1, DEBUG_INFO = 2, CLOSE = 3 };

static uint8_t file[4096];
static size_t size;

static void put(const void *bytes, size_t n)
{
    assert_true(size + n <= sizeof(file));
    memcpy(file + size, bytes, n);
    size += n;
}

static void put32(uint32_t value)
{
    put(&value, sizeof(value));
}

static void put64(uint64_t value)
{
    put(&value, sizeof(value));
}

static int set_up(void **state)
{
    (void)state;
    size = 0;
    put("DTiJ", 4);
    put32(1);
    put32(40);
    put32(62); /* EM_X86_64 */
    put32(0);
    put32(7);
    put64(0);
    put64(0);
    return 0;
}

static void put_prefix(uint32_t id, size_t payload)
{
    put32(id);
    put32((uint32_t)(16 + payload));
    put64(1000);
}

/* The code's bytes are as many as `code_size` says. */
static void put_load(uint64_t addr, uint64_t code_size, uint64_t index, const char *name)
{
    static const uint8_t code[256];

    put_prefix(LOAD, 40 + strlen(name) + 1 + code_size);
    put32(7);
    put32(7);
    put64(addr);
    put64(addr);
    put64(code_size);
    put64(index);
    put(name, strlen(name) + 1);
    put(code, code_size);
}

static void put_move(uint64_t old_addr, uint64_t addr, uint64_t code_size, uint64_t index)
{
    put_prefix(MOVE, 48);
    put32(7);
    put32(7);
    put64(addr);
    put64(old_addr);
    put64(addr);
    put64(code_size);
    put64(index);
}

static void begin(struct jit_dump *dump)
{
    assert_true(jit_dump_is(file, 4));
    assert_int_equal(jit_dump_init(dump, file, size, FILE_NAME, NULL), STATUS_OK);
}

static void expect(struct jit_dump *dump, uint64_t addr, uint64_t code_size, const char *name)
{
    struct jit_dump_function function;

    assert_int_equal(jit_dump_next(dump, FILE_NAME, &function, NULL), STATUS_OK);
    assert_int_equal(function.start_addr, addr);
    assert_int_equal(function.size, code_size);
    assert_int_equal(function.name_len, strlen(name));
    assert_memory_equal(function.name, name, function.name_len);
}

static void expect_end(struct jit_dump *dump)
{
    struct jit_dump_function function;

    assert_int_equal(jit_dump_next(dump, FILE_NAME, &function, NULL), STATUS_END);
    jit_dump_deinit(dump);
}

static void expect_refused(const char *what, uint64_t off)
{
    struct jit_dump dump;
    struct diag diag;

    assert_int_equal(jit_dump_init(&dump, file, size, FILE_NAME, &diag), STATUS_BAD_DATA);
    assert_non_null(strstr(diag.what, what));
    assert_string_equal(diag.file, FILE_NAME);
    assert_int_equal(diag.has_off ? diag.off : 0, off);
}

TEST_WITH(jit_dump_tells_functions_in_their_order, set_up, NULL)
{
    struct jit_dump dump;

    put_load(0x1000, 100, 1, "first");
    put_prefix(DEBUG_INFO, 16);
    put64(0x2000);
    put64(0);
    put_load(0x2000, 8, 2, "JS:*fib /a b.js:1:2");
    put_load(0x1000, 50, 3, "in its place");
    put_prefix(CLOSE, 0);
    begin(&dump);
    expect(&dump, 0x1000, 100, "first");
    expect(&dump, 0x2000, 8, "JS:*fib /a b.js:1:2");
    expect(&dump, 0x1000, 50, "in its place");
    expect_end(&dump);
}

TEST_WITH(jit_dump_function_that_moves_keeps_its_name, set_up, NULL)
{
    struct jit_dump dump;

    put_load(0x1000, 100, 1, "first");
    put_load(0x2000, 100, 2, "second");
    put_move(0x1000, 0x3000, 100, 1);
    put_move(0x9000, 0x4000, 100, 9); /* nobody's */
    put_move(0x2000, 0x5000, 100, 2);
    begin(&dump);
    expect(&dump, 0x1000, 100, "first");
    expect(&dump, 0x2000, 100, "second");
    expect(&dump, 0x3000, 100, "first");
    expect(&dump, 0x5000, 100, "second");
    expect_end(&dump);
}

TEST_WITH(jit_dump_function_without_code_is_left_out, set_up, NULL)
{
    struct jit_dump dump;

    put_load(0x1000, 0, 1, "empty");
    put_load(0x2000, 1, 2, "one");
    begin(&dump);
    expect(&dump, 0x2000, 1, "one");
    expect_end(&dump);
}

/* A name that is told again and again is not searched for its end in all of the file. */
TEST_WITH(jit_dump_name_that_is_long_is_cut, set_up, NULL)
{
    char name[JIT_DUMP_NAME_MAX + 100];
    struct jit_dump dump;

    memset(name, 'n', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    put_load(0x1000, 8, 1, name);
    put_move(0x1000, 0x2000, 8, 1);
    put_load(0x3000, 8, 2, "");
    begin(&dump);
    name[JIT_DUMP_NAME_MAX] = '\0';
    expect(&dump, 0x1000, 8, name);
    expect(&dump, 0x2000, 8, name);
    expect(&dump, 0x3000, 8, "");
    expect_end(&dump);
}

TEST_WITH(jit_dump_ends_where_a_record_was_being_written, set_up, NULL)
{
    struct jit_dump dump;
    size_t whole;

    put_load(0x1000, 100, 1, "first");
    whole = size;
    put_load(0x2000, 100, 2, "second");
    for (size_t last = size - 1; last >= whole; last--) {
        size = last;
        begin(&dump);
        expect(&dump, 0x1000, 100, "first");
        expect_end(&dump);
    }
}

TEST_WITH(jit_dump_that_is_damaged_says_where, set_up, NULL)
{
    struct jit_dump dump;
    struct jit_dump_function function;
    struct diag diag;
    const size_t off = size;

    put_prefix(LOAD, 8);
    put64(0);
    begin(&dump);
    assert_int_equal(jit_dump_next(&dump, FILE_NAME, &function, &diag), STATUS_BAD_DATA);
    assert_int_equal(diag.off, off);
    jit_dump_deinit(&dump);
    size = off;
    put32(CLOSE);
    put32(15);
    put64(0);
    begin(&dump);
    assert_int_equal(jit_dump_next(&dump, FILE_NAME, &function, &diag), STATUS_BAD_DATA);
    assert_int_equal(diag.off, off + 4);
    jit_dump_deinit(&dump);
    /* Its name has no end in it, though the record behind has one. */
    size = off;
    put_load(0x1000, 0, 1, "name");
    file[size - 1] = 'x';
    put_load(0x2000, 1, 2, "");
    begin(&dump);
    assert_int_equal(jit_dump_next(&dump, FILE_NAME, &function, &diag), STATUS_BAD_DATA);
    assert_int_equal(diag.off, off);
    jit_dump_deinit(&dump);
}

TEST_WITH(jit_dump_header_is_checked, set_up, NULL)
{
    assert_false(jit_dump_is((const uint8_t *)"1000 10 f\n", 10));
    assert_false(jit_dump_is(file, 3));
    file[8] = 39;
    expect_refused("header has 39 bytes", 8);
    file[8] = 41;
    expect_refused("header has 41 bytes", 8);
    file[4] = 2;
    expect_refused("version 2", 4);
    size = 11;
    expect_refused("cut short", 0);
    memcpy(file, "JiTD", 4);
    size = 40;
    assert_true(jit_dump_is(file, size));
    expect_refused("byte order", 0);
}
