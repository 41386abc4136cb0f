/* SPDX-License-Identifier: MIT */
/* Prologue analysis of hostile x86-64 code: constants that wrap, sizes without end. */
#include "prologue_fixture.h"

TEST_OF(prologue_extreme_constants_give_no_row, function, f, ARCH_X86_64, CODE_DEFAULT)
{
    add(f, "\x48\xb8\xff\xff\xff\xff\xff\xff\xff\x7f", 10); /* movabs rax, INT64_MAX */
    add(f, "\x48\x01\xc4", 3);                              /* add rsp, rax */
    add(f, "\x53", 1);                                      /* push rbx */
    add(f, "\x48\x89\x84\x24\x00\x00\x00\x80", 8);          /* mov [rsp - 2^31], rax */
    add(f, "\x48\x83\xe4\xf0", 4);                          /* and rsp, -16 */
    add(f, "\x48\x01\xc4", 3);                              /* add rsp, rax */
    add(f, "\xe8\x00\x00\x00\x00\xc3", 6);                  /* call; ret */
    /* The sum does not fit an offset. */
    EXPECT_ROWS(f, {START + 10, "rsp+8"}, {START + 13, "u"});
}

/* Analyses `size` bytes of a repeated pattern. */
static enum status analyse_pattern(const char *pattern, size_t pattern_size, size_t size)
{
    uint8_t *bytes = test_malloc(size);
    struct function f;
    struct row_table table;
    enum status status;

    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)pattern[i % pattern_size];
    function_init(&f, ARCH_X86_64, CODE_DEFAULT);
    f.bytes = bytes;
    f.input.end_vaddr = START + size;
    status = analyse_rows(&f.input, &table);
    if (status == STATUS_OK)
        row_table_deinit(&table);
    function_deinit(&f);
    test_free(bytes);
    return status;
}

/* Each of these would take minutes or gigabytes without the caps. */
TEST(prologue_hostile_functions_are_bounded)
{
    assert_int_equal(analyse_pattern("\x90", 1, PROLOGUE_FUNCTION_MAX + 1), STATUS_UNSUPPORTED);
    assert_int_equal(analyse_pattern("\x66", 1, PROLOGUE_FUNCTION_MAX), STATUS_OK); /* prefixes */
    assert_int_equal(analyse_pattern("\x06", 1, PROLOGUE_FUNCTION_MAX), STATUS_OK); /* no code */
    assert_int_equal(analyse_pattern("\x75\x00", 2, PROLOGUE_FUNCTION_MAX), STATUS_UNSUPPORTED);
    assert_int_equal(analyse_pattern("\x75\x00", 2, 40000), STATUS_OK);
    assert_int_equal(analyse_pattern("\x53\x5b", 2, 200000), STATUS_OK);    /* a row each */
    assert_int_equal(analyse_pattern("\xff\xe0\x53", 3, 30000), STATUS_OK); /* gaps */
    assert_int_equal(analyse_pattern("\xe8\x00\x00\x00\x00\x0f\x85\x01\x80\xff\xff\x53", 12, 60000),
                     STATUS_OK);
}

TEST_OF(prologue_empty_or_reversed_function_is_unsupported, function, f, ARCH_X86_64, CODE_DEFAULT)
{
    struct row_table table;

    assert_int_equal(analyse_rows(&f->input, &table), STATUS_UNSUPPORTED);
    f->input.end_vaddr = START - 1;
    assert_int_equal(analyse_rows(&f->input, &table), STATUS_UNSUPPORTED);
    assert_null(row_table_find(&table, START, &(struct row){0}));
}
