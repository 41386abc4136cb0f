/* SPDX-License-Identifier: MIT */
/* What of a module's code has no row, by the analysis and by any method. */
#include "audit_fixture.h"

#include "unwind/audit/rowless.h"

static struct rowless count(struct scene *scene, enum rowless_source source)
{
    struct rowless rowless;

    assert_int_equal(rowless_count(scene->rows, scene->set, scene->module, source, &rowless),
                     STATUS_OK);
    return rowless;
}

/* One FDE over all, whose rows are SP+8. */
static void open_function(struct scene *scene, const void *code, size_t size)
{
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);

    asm_fde(&cfi, cie, TEXT, size, NO_PROGRAM);
    open_with_cfi(scene, with_code(code, size), &cfi);
}

TEST_OF(rowless_function_with_rows_everywhere_has_none_without, scene, scene)
{
    struct rowless rowless;

    open_function(scene, plain, sizeof(plain));
    rowless = count(scene, ROWLESS_ANALYSIS);
    assert_int_equal(rowless.code_bytes, sizeof(plain));
    assert_int_equal(rowless.bytes, 0);
    assert_int_equal(rowless.largest_count, 0);
}

static const uint8_t switches[] = {
    0x31, 0xc0,       /* +0 xor eax, eax    rsp+8 */
    0x48, 0x8b, 0x27, /* +2 mov rsp, [rdi]  rsp+8 */
    0x31, 0xc9,       /* +5 xor ecx, ecx    no row */
    0xc3,             /* +7 ret             no row */
    0x90, 0x90,       /* +8 padding */
};

TEST_OF(rowless_code_on_an_unknown_stack_is_counted_and_told, scene, scene)
{
    struct rowless rowless;

    open_function(scene, switches, sizeof(switches));
    rowless = count(scene, ROWLESS_ANALYSIS);
    assert_int_equal(rowless.code_bytes, 8);
    assert_int_equal(rowless.bytes, 3);
    assert_int_equal(rowless.outside_bytes, 0);
    assert_int_equal(rowless.largest_count, 1);
    assert_int_equal(rowless.largest[0].start_vaddr, TEXT);
    assert_int_equal(rowless.largest[0].bytes, 3);
    assert_true(rowless.largest[0].is_function);
}

TEST_OF(rowless_code_that_a_table_covers_is_not_counted_by_any_method, scene, scene)
{
    struct rowless rowless;

    open_function(scene, switches, sizeof(switches));
    rowless = count(scene, ROWLESS_ANY);
    assert_int_equal(rowless.code_bytes, sizeof(switches));
    assert_int_equal(rowless.bytes, 0);
}

/* Between two functions is what no function can be. */
TEST_OF(rowless_code_in_no_function_is_told_apart, scene, scene)
{
    enum { OTHER = 16, SECOND = 32 };
    uint8_t code[SECOND + sizeof(plain)];
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    struct rowless rowless;

    memset(code, 0x90, sizeof(code));
    memcpy(code, plain, sizeof(plain));
    memcpy(code + OTHER, "\x5b\x5b\x06", 3); /* pop rbx; pop rbx; what is no instruction */
    memcpy(code + SECOND, plain, sizeof(plain));
    asm_fde(&cfi, cie, TEXT, sizeof(plain), NO_PROGRAM);
    asm_fde(&cfi, cie, TEXT + SECOND, sizeof(plain), NO_PROGRAM);
    open_with_cfi(scene, with_code(code, sizeof(code)), &cfi);
    rowless = count(scene, ROWLESS_ANALYSIS);
    assert_int_equal(rowless.code_bytes, 2 + 2 * sizeof(plain));
    assert_int_equal(rowless.bytes, 2);
    assert_int_equal(rowless.outside_bytes, 2);
    assert_int_equal(rowless.largest_count, 1);
    assert_int_equal(rowless.largest[0].start_vaddr, TEXT + sizeof(plain));
    assert_false(rowless.largest[0].is_function);
}

/*
 * Between two functions lie pop rbx; pop rbx, `pops` times, and so many bytes that are no
 * instructions. What of all code is counted?
 */
static struct rowless count_numbers(size_t pops, size_t numbers)
{
    uint8_t code[2048];
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi), size = sizeof(plain);
    struct scene scene;
    struct rowless rowless;

    memcpy(code, plain, sizeof(plain));
    asm_fde(&cfi, cie, TEXT, sizeof(plain), NO_PROGRAM);
    memset(code + size, 0x5b, pops);
    size += pops;
    memset(code + size, 0x06, numbers);
    size += numbers;
    assert_true(size + sizeof(plain) <= sizeof(code));
    memcpy(code + size, plain, sizeof(plain));
    asm_fde(&cfi, cie, TEXT + size, sizeof(plain), NO_PROGRAM);
    open_with_cfi(&scene, with_code(code, size + sizeof(plain)), &cfi);
    rowless = count(&scene, ROWLESS_ANALYSIS);
    scene_deinit(&scene);
    return rowless;
}

/* Tables of constants among the code, some of which happen to be instructions. */
TEST(rowless_data_in_no_function_is_not_counted)
{
    struct rowless data = count_numbers(32, 64), few = count_numbers(32, 63),
                   eighth = count_numbers(7 * 72, 72), less = count_numbers(7 * 72 + 8, 72);

    assert_int_equal(data.code_bytes, 2 * sizeof(plain));
    assert_int_equal(data.bytes, 0);
    assert_int_equal(data.outside_bytes, 0);
    assert_int_equal(data.largest_count, 0);
    assert_int_equal(few.code_bytes, 32 + 2 * sizeof(plain));
    assert_int_equal(few.outside_bytes, 32);
    assert_int_equal(eighth.bytes, 0);
    assert_int_equal(less.outside_bytes, 7 * 72 + 8);
}

/* A table that tells of far more code than the file has counts for what there is. */
TEST_OF(rowless_code_that_is_not_in_the_file_is_not_counted, scene, scene)
{
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);

    asm_fde(&cfi, cie, TEXT, UINT64_C(1) << 60, NO_PROGRAM);
    open_with_cfi(scene, with_code(plain, sizeof(plain)), &cfi);
    assert_in_range(count(scene, ROWLESS_ANY).code_bytes, sizeof(plain), 4096);
    assert_in_range(count(scene, ROWLESS_ANALYSIS).code_bytes, sizeof(plain), 4096);
}

/* Twelve functions of the kind, the n-th with n more instructions without a row: ten are told. */
TEST_OF(rowless_functions_with_the_most_come_first, scene, scene)
{
    enum { FUNCTIONS = 12, ROOM = 64 };
    uint8_t code[FUNCTIONS * ROOM];
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    struct rowless rowless;
    uint64_t sum = 0;

    memset(code, 0x90, sizeof(code));
    for (size_t i = 0; i < FUNCTIONS; i++) {
        uint8_t *at = code + i * ROOM;

        memcpy(at, switches, 5);
        for (size_t k = 0; k < i; k++)
            memcpy(at + 5 + 2 * k, switches + 5, 2);
        at[5 + 2 * i] = 0xc3;
        sum += 2 * i + 1;
        asm_fde(&cfi, cie, TEXT + i * ROOM, 6 + 2 * i, NO_PROGRAM);
    }
    open_with_cfi(scene, with_code(code, sizeof(code)), &cfi);
    rowless = count(scene, ROWLESS_ANALYSIS);
    assert_int_equal(rowless.bytes, sum);
    assert_int_equal(rowless.largest_count, ROWLESS_LARGEST);
    for (size_t i = 0; i < ROWLESS_LARGEST; i++) {
        assert_int_equal(rowless.largest[i].start_vaddr, TEXT + (FUNCTIONS - 1 - i) * ROOM);
        assert_int_equal(rowless.largest[i].bytes, 2 * (FUNCTIONS - 1 - i) + 1);
    }
}
