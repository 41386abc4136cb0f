/* SPDX-License-Identifier: MIT */
/* The index of what is called, and functions that are told by it. */
#include "cfi_fixture.h"
#include "elf32_fixture.h"
#include "module_fixture.h"

#include "unwind/code/calls.h"
#include "unwind/module_rows.h"

static struct elf_fixture *with_code(uint16_t machine, const void *code, size_t size)
{
    struct elf_fixture *elf = fixture_create(machine);

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, size);
    return elf;
}

/* The offsets at which the index says that a call may lead there, of the first 64. */
static void assert_called(uint16_t machine, const void *code, size_t size, uint64_t expected)
{
    struct elf_fixture *elf = with_code(machine, code, size);
    struct elf_image *image;
    struct calls calls;
    uint64_t called = 0;

    fixture_finish_any(elf);
    image = fixture_open(elf);
    assert_int_equal(calls_init(&calls, NULL, image, elf_image_arch(image)), STATUS_OK);
    for (unsigned off = 0; off < 64; off++)
        called |= (uint64_t)calls_lead_to(&calls, FIXTURE_FIRST + off) << off;
    assert_int_equal(called, expected);
    assert_false(calls_lead_to(&calls, FIXTURE_FIRST - 1));
    assert_false(calls_lead_to(&calls, UINT64_MAX));
    calls_deinit(&calls);
    elf_image_close(image);
}

TEST(calls_of_each_instruction_set_are_indexed_by_target)
{
    static const uint8_t x86[] = {0xe8, 4,    0,    0,    0,     /* 00 call 09 */
                                  0xe9, 0,    0,    0,    0,     /* 05 jmp 0a */
                                  0xe8, 0xf1, 0xff, 0xff, 0xff}; /* 0a call 00 */
    static const uint8_t a64[] = {2, 0, 0, 0x94,                 /* 00 bl 08 */
                                  1, 0, 0, 0x14,                 /* 04 b 08 */
                                  1, 0, 0, 0x94};                /* 08 bl 0c: behind the code */
    static const uint8_t arm[] = {0,    0xf0, 2,    0xf8,        /* 00 T32 bl 08 */
                                  0xfe, 0xff, 0xff, 0xeb,        /* 04 A32 bl 04 */
                                  0,    0xbf, 0,    0xbf};       /* 08 nop; nop */

    assert_called(EM_X86_64, x86, sizeof(x86), 1 << 9 | 1 << 0);
    assert_called(EM_386, x86, sizeof(x86), 1 << 9 | 1 << 0);
    assert_called(EM_AARCH64, a64, sizeof(a64), 1 << 8);
    assert_called(EM_ARM, arm, sizeof(arm), 1 << 8 | 1 << 4);
}

enum { LONG_CODE = 200000 };

static void put_branch(uint8_t *code, uint32_t off, uint8_t opcode, uint32_t target)
{
    const uint32_t distance = target - off - 5;

    code[off] = opcode;
    for (unsigned i = 0; i < 4; i++)
        code[off + 1 + i] = (uint8_t)(distance >> 8 * i);
}

/* In another block of 64 KiB, the last byte and the first of one, and blocks without any. */
TEST(targets_far_away_are_found_in_their_order)
{
    static const uint32_t targets[] = {0x20, 0xffff, 0x10000, 0x30000};
    uint8_t *code = calloc(1, LONG_CODE);
    struct elf_fixture *elf;
    struct elf_image *image;
    struct calls calls, jumps;
    uint64_t at = 0;

    for (uint32_t i = 0; i < 4; i++)
        put_branch(code, 16 * (i + 1), 0xe8, targets[i]);
    put_branch(code, 0x100, 0xe9, 0x8101);
    put_branch(code, 0x110, 0xe9, 0x9000);
    elf = with_code(EM_X86_64, code, LONG_CODE);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(calls_init(&calls, &jumps, image, elf_image_arch(image)), STATUS_OK);
    for (unsigned i = 0; i < 4; i++, at++) {
        at = calls_next(&calls, at);
        assert_int_equal(at, FIXTURE_FIRST + targets[i]);
        assert_true(calls_lead_to(&calls, at));
    }
    assert_int_equal(calls_next(&calls, at), UINT64_MAX);
    assert_int_equal(calls_next(&calls, UINT64_MAX), UINT64_MAX);
    /* The first jump spans 32 KiB and a byte, both of its ends counted. */
    assert_int_equal(calls_next(&jumps, 0), FIXTURE_FIRST + 0x8101);
    assert_int_equal(calls_next(&jumps, FIXTURE_FIRST + 0x8102), FIXTURE_FIRST + 0x9000);
    assert_int_equal(calls_next(&jumps, FIXTURE_FIRST + 0x9001), UINT64_MAX);
    calls_deinit(&calls);
    calls_deinit(&jumps);
    elf_image_close(image);
    free(code);
}

TEST(calls_cut_by_the_end_of_the_code_are_none)
{
    static const uint8_t code[] = {0x90, 0xe8, 0xfa, 0xff, 0xff};

    assert_called(EM_X86_64, code, sizeof(code), 0);
}

TEST(calls_of_a_section_longer_than_the_file_end_with_the_file)
{
    static const uint8_t code[] = {0xe8, 0, 0, 0, 0, 0xc3};
    struct elf_fixture *elf = with_code(EM_X86_64, code, sizeof(code));
    struct elf_image *image;
    struct calls calls;

    elf->sections[1].sh_size = UINT64_C(1) << 40;
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(calls_init(&calls, NULL, image, elf_image_arch(image)), STATUS_OK);
    assert_true(calls_lead_to(&calls, FIXTURE_FIRST + 5));
    assert_false(calls_lead_to(&calls, FIXTURE_FIRST + (UINT64_C(1) << 39)));
    calls_deinit(&calls);
    elf_image_close(image);
}

/*
 * Is there a row at offset 8 of `code`, where an FDE begins? It is then that of a function's start.
 */
static bool has_row(const uint8_t *code, size_t size)
{
    static const struct module_options options = {0};
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    struct elf_fixture *elf = with_code(EM_X86_64, code, size);
    struct module_set *set;
    struct module *module;
    struct module_rows *rows;
    const struct row *row;
    enum status status;

    asm_fde(&cfi, cie, FIXTURE_FIRST, 8, PROGRAM(0x00));
    asm_fde(&cfi, cie, FIXTURE_FIRST + 8, size - 8, PROGRAM(0x00));
    fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, cfi.bytes, cfi.size);
    fixture_finish(elf);
    assert_int_equal(module_set_create(&options, &set), STATUS_OK);
    module = fixture_module(set, elf);
    assert_int_equal(module_open(set, module), STATUS_OK);
    assert_int_equal(module_rows_create(set, module, &rows), STATUS_OK);
    status = module_rows_find(rows, TRUST_PROLOGUE, FIXTURE_FIRST + 8, &row);
    if (status == STATUS_OK)
        assert_int_equal(row->cfa.off, 8);
    module_rows_destroy(rows);
    module_set_destroy(set);
    return status == STATUS_OK;
}

TEST(calls_tell_a_function_that_begins_with_its_callers_registers)
{
    uint8_t code[] = {0xe8, 3,    0,    0, 0, 0xc3, 0x90, 0x90, /* 00 call 08; ret; nop; nop */
                      0x8b, 0x45, 0x08,                         /* 08 mov eax, [rbp + 8] */
                      0x01, 0xd8, 0xc3};                        /* 0b add eax, ebx; ret */

    assert_true(has_row(code, sizeof(code)));
    code[0] = 0xb8; /* mov eax, 3: a fragment that nobody knows the way to */
    assert_false(has_row(code, sizeof(code)));
}
