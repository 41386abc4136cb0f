/* SPDX-License-Identifier: MIT */
/* The search for functions: what speaks for and against ARM code that nothing leads to. */
#include "function_search_fixture.h"

static void nops_of_a64(struct text *text, size_t off)
{
    while (text->size < off)
        ADD(text, "\x1f\x20\x03\xd5");
}

/* 28 add w0, w0, #1; ret */
#define A64_LEAF "\x00\x04\x00\x11\xc0\x03\x5f\xd6"
/* 28 bl 40; brk #0x3e8 */
#define A64_BLOCK "\x06\x00\x00\x94\x00\x7d\x20\xd4"

/* The code at 10; nothing leads to it, nor to what it leads to, `target` at 28. */
static void check_a64(const char *code, size_t size, const char *target, const char *expected)
{
    struct text text = {.size = 0};

    ADD(&text, "\xfd\x7b\xbf\xa9"); /* 00 stp x29, x30, [sp, #-16]! */
    ADD(&text, "\x0f\x00\x00\x94"); /* 04 bl 40 */
    ADD(&text, "\xfd\x7b\xc1\xa8"); /* 08 ldp x29, x30, [sp], #16 */
    ADD(&text, "\xc0\x03\x5f\xd6"); /* 0c ret */
    add(&text, code, size);
    nops_of_a64(&text, 0x28);
    add(&text, target, 8);
    nops_of_a64(&text, 0x40);
    ADD(&text, "\xc0\x03\x5f\xd6"); /* 40 ret */
    check(&text, EM_AARCH64, false, expected);
}

#define CHECK_A64(code, target, expected) check_a64(code, sizeof(code) - 1, target, expected)

/* As Rust's landing pads, which jump to one another. */
TEST(search_a64_jump_to_what_is_no_function_is_none)
{
    CHECK_A64("\x06\x00\x00\x14", A64_BLOCK, "0 entry, 40 call"); /* 10 b 28 */
    CHECK_A64("\x06\x00\x00\x14", A64_LEAF, "0 entry, 10 gap, 28 jump, 40 call");
    CHECK_A64("\x0c\x00\x00\x14", A64_BLOCK, "0 entry, 10 gap, 40 call"); /* 10 b 40 */
}

TEST(search_a64_jump_with_a_callers_register_lost_is_no_function)
{
    /* 10 mov x19, x0; b 28 */
    CHECK_A64("\xf3\x03\x00\xaa\x05\x00\x00\x14", A64_LEAF, "0 entry, 28 gap, 40 call");
    /* 10 mov x0, x1; b 28 */
    CHECK_A64("\xe0\x03\x01\xaa\x05\x00\x00\x14", A64_LEAF, "0 entry, 10 gap, 28 jump, 40 call");
}

static void nops_of_t32(struct text *text, size_t off)
{
    while (text->size < off)
        ADD(text, "\x00\xbf");
}

/* 20 adds r0, #1; bx lr; nop */
#define T32_LEAF "\x01\x30\x70\x47\x00\xbf"
/* 20 bl 30; udf */
#define T32_BLOCK "\x00\xf0\x06\xf8\x00\xde"

/* The same at 08, with what it leads to at 20; `name` is imported. */
static void check_t32(const char *code, size_t size, const char *target, const char *name,
                      const char *expected)
{
    struct elf_fixture *elf = fixture_create(EM_ARM);
    struct symbol_fixture symbols;
    struct text text = {.size = 0};
    struct search s;

    ADD(&text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(&text, "\x00\xf0\x15\xf8"); /* 02 bl 30 */
    ADD(&text, "\x10\xbd");         /* 06 pop {r4, pc} */
    add(&text, code, size);
    nops_of_t32(&text, 0x20);
    add(&text, target, 6);
    nops_of_t32(&text, 0x30);
    ADD(&text, "\x70\x47"); /* 30 bx lr */
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text.bytes, text.size);
    symbols_init(&symbols);
    symbols_add(&symbols, name, STB_GLOBAL, STT_FUNC, 0, 0);
    symbols.symbols[1].st_shndx = SHN_UNDEF;
    fixture_symbols(elf, &symbols, true);
    open_fixture(&s, elf, true, true);
    assert_found(&s, expected);
    close_file(&s);
}

#define CHECK_T32(code, target, name, expected)                                                    \
    check_t32(code, sizeof(code) - 1, target, name, expected)

TEST(search_t32_jump_to_what_is_no_function_is_none)
{
    static const char to_target[] = "\x00\xf0\x0a\xb8";   /* 08 b.w 20 */
    static const char to_function[] = "\x00\xf0\x12\xb8"; /* 08 b.w 30 */

    CHECK_T32(to_target, T32_BLOCK, "_Unwind_Resume", "0 entry, 30 call");
    CHECK_T32(to_target, T32_LEAF, "_Unwind_Resume", "0 entry, 8 gap, 20 jump, 30 call");
    CHECK_T32(to_function, T32_BLOCK, "_Unwind_Resume", "0 entry, 8 gap, 30 call");
}

/* Nor is it an endless loop, which needs no return address. */
TEST(search_t32_block_that_calls_and_jumps_ahead_is_no_function)
{
    static const char code[] = "\x00\xf0\x12\xf8" /* 08 bl 30 */
                               "\x08\xe0";        /* 0c b 20 */

    CHECK_T32(code, T32_LEAF, "_Unwind_Resume", "0 entry, 20 gap, 30 call");
    CHECK_T32(code, T32_LEAF, "puts", "0 entry, 8 gap, 20 jump, 30 call");
}

TEST(search_t32_jump_with_a_callers_register_lost_is_no_function)
{
    /* 08 mov r5, r0; b.w 20 */
    CHECK_T32("\x05\x46\x00\xf0\x09\xb8", T32_LEAF, "puts", "0 entry, 20 gap, 30 call");
    /* 08 mov r0, r1; b.w 20 */
    CHECK_T32("\x08\x46\x00\xf0\x09\xb8", T32_LEAF, "puts", "0 entry, 8 gap, 20 jump, 30 call");
}

/* A function that saves and pops the registers, and has a variable in r11. */
static void check_variable(const char *push, const char *pop, const char *expected)
{
    struct text text = {.size = 0};

    ADD(&text, "\x10\x40\x2d\xe9"); /* 00 push {r4, lr} */
    ADD(&text, "\x07\x00\x00\xeb"); /* 04 bl 28 */
    ADD(&text, "\x10\x80\xbd\xe8"); /* 08 pop {r4, pc} */
    add(&text, push, 4);            /* 0c */
    ADD(&text, "\x0b\x00\x80\xe0"); /* 10 add r0, r0, r11 */
    ADD(&text, "\x01\xb0\x80\xe2"); /* 14 add r11, r0, #1 */
    ADD(&text, "\x0b\x00\x80\xe0"); /* 18 add r0, r0, r11 */
    ADD(&text, "\x00\xf0\x20\xe3"); /* 1c nop */
    add(&text, pop, 4);             /* 20 */
    ADD(&text, "\x00\xf0\x20\xe3"); /* 24 nop */
    ADD(&text, "\x1e\xff\x2f\xe1"); /* 28 bx lr */
    check(&text, EM_ARM, false, expected);
}

/* As zsh's: a variable that is not set on all ways is in a register that was saved. */
TEST(search_a32_code_may_read_what_it_has_saved)
{
    /* 0c push {r11, lr}; 20 pop {r11, pc} */
    check_variable("\x00\x48\x2d\xe9", "\x00\x88\xbd\xe8", "0 entry, c gap, 28 call");
    /* 0c push {r4, lr}; 20 pop {r4, pc} */
    check_variable("\x10\x40\x2d\xe9", "\x10\x80\xbd\xe8", "0 entry, 28 call");
}
