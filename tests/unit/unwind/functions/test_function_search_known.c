/* SPDX-License-Identifier: MIT */
/* The search for functions in AArch64 files whose symbols tell some: what lies between these. */
#include "function_search_fixture.h"

static void nops(struct text *text, size_t off)
{
    while (text->size < off)
        ADD(text, "\x1f\x20\x03\xd5");
}

/* Finds the functions where symbols tell two, from 0 on and from `second` to the end. */
static void check_known(const struct text *text, uint64_t first_size, uint64_t second,
                        const char *expected)
{
    struct elf_fixture *elf = fixture_create(EM_AARCH64);
    struct symbol_fixture symbols;
    struct search s;

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text->bytes, text->size);
    symbols_init(&symbols);
    symbols_add(&symbols, "first", STB_GLOBAL, STT_FUNC, FIXTURE_FIRST, first_size);
    symbols_add(&symbols, "second", STB_GLOBAL, STT_FUNC, FIXTURE_FIRST + second,
                text->size - second);
    fixture_symbols(elf, &symbols, false);
    open_fixture(&s, elf, false, false);
    assert_found(&s, expected);
    close_file(&s);
}

/*
 * As linkers' veneers for errata, which go back into the function that they are of. So little is
 * not known that the functions are not walked.
 */
TEST_OF(search_code_that_jumps_amid_a_known_function_is_none, text, text)
{
    ADD(text, "\xfd\x7b\xbf\xa9"); /* 00 stp x29, x30, [sp, #-16]! */
    ADD(text, "\x0f\x00\x00\x94"); /* 04 bl 40 */
    ADD(text, "\xfd\x7b\xc1\xa8"); /* 08 ldp x29, x30, [sp], #16 */
    ADD(text, "\xc0\x03\x5f\xd6"); /* 0c ret */
    ADD(text, "\x00\x04\x40\xf9"); /* 10 ldr x0, [x0, #8] */
    ADD(text, "\x0d\x00\x00\x14"); /* 14 b 48 */
    nops(text, 0x20);
    ADD(text, "\x00\x04\x40\xf9"); /* 20 ldr x0, [x0, #8] */
    ADD(text, "\x07\x00\x00\x14"); /* 24 b 40 */
    nops(text, 0x40);
    ADD(text, "\xfd\x7b\xbf\xa9"); /* 40 stp x29, x30, [sp, #-16]! */
    ADD(text, "\xfd\x03\x00\x91"); /* 44 mov x29, sp */
    ADD(text, "\xfd\x7b\xc1\xa8"); /* 48 ldp x29, x30, [sp], #16 */
    ADD(text, "\xc0\x03\x5f\xd6"); /* 4c ret */
    nops(text, 0x400);
    check_known(text, 0x10, 0x40, "0 symtab, 20 gap, 40 symtab");
}

/* All but the helper at 100, which goes on to the function behind it, is known. */
static void check_helper(const char *bl, const char *expected)
{
    struct text text = {.size = 0};

    ADD(&text, "\xfd\x7b\xbf\xa9"); /* 00 stp x29, x30, [sp, #-16]! */
    add(&text, bl, 4);              /* 04 */
    ADD(&text, "\xfd\x7b\xc1\xa8"); /* 08 ldp x29, x30, [sp], #16 */
    ADD(&text, "\xc0\x03\x5f\xd6"); /* 0c ret */
    nops(&text, 0x100);
    ADD(&text, "\x00\x04\x00\x91"); /* 100 add x0, x0, #1 */
    ADD(&text, "\x21\x04\x00\x91"); /* 104 add x1, x1, #1 */
    ADD(&text, "\x00\x00\x01\x8b"); /* 108 add x0, x0, x1 */
    ADD(&text, "\xc0\x03\x5f\xd6"); /* 10c ret */
    nops(&text, 0x200);
    check_known(&text, 0x100, 0x108, expected);
}

TEST(search_rest_that_a_known_function_calls_is_a_function)
{
    check_helper("\x3f\x00\x00\x94", "0 symtab, 100 call, 108 symtab"); /* bl 100 */
    check_helper("\x41\x00\x00\x94", "0 symtab, 108 symtab");           /* bl 108 */
}
