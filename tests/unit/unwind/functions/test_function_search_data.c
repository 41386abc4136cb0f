/* SPDX-License-Identifier: MIT */
/* The search for functions in files that have data among their code: what of it is no code. */
#include "function_search_fixture.h"

static void nops_of_t32(struct text *text, size_t off)
{
    while (text->size < off)
        ADD(text, "\x00\xbf");
}

/* push {r4, lr}; bl `target`; pop {r4, pc}; nop; then code that has no right to r4. */
static void begin_with_rejected(struct text *text, size_t target, const char *load)
{
    const char bl[] = {0x00, (char)0xf0, (char)((target - 6) / 2), (char)0xf8};

    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    add(text, bl, sizeof(bl));     /* 02 bl */
    ADD(text, "\x10\xbd\x00\xbf"); /* 06 pop {r4, pc}; nop */
    add(text, load, 2);            /* 0a ldr r0, [pc, #n] */
    ADD(text, "\x20\x44\x70\x47"); /* 0c add r0, r4; bx lr */
    ADD(text, "\x00\xbf");         /* 10 nop */
}

/* What code in no function loads, which may be none, may be code. */
TEST_OF(search_literal_of_code_in_no_function_hides_none_that_begins_like_one, text, text)
{
    begin_with_rejected(text, 0x30, "\x02\x48"); /* 0a ldr r0, 14 */
    ADD(text, "\x10\xb5\x04\x46");               /* 12 push {r4, lr}; mov r4, r0 */
    ADD(text, "\x01\x20\x20\x44");               /* 16 movs r0, #1; add r0, r4 */
    ADD(text, "\x10\xbd");                       /* 1a pop {r4, pc} */
    nops_of_t32(text, 0x30);
    ADD(text, "\x70\x47"); /* 30 bx lr */
    check(text, EM_ARM, true, "0 entry, 12 gap, 30 call");
}

/* But what does not begin like one goes on to data. */
TEST_OF(search_literal_of_code_in_no_function_ends_what_does_not, text, text)
{
    begin_with_rejected(text, 0x30, "\x02\x48"); /* 0a ldr r0, 14 */
    ADD(text, "\x00\x20\x04\x30");               /* 12 movs r0, #0; adds r0, #4 */
    ADD(text, "\x70\x47");                       /* 16 bx lr */
    nops_of_t32(text, 0x30);
    ADD(text, "\x70\x47"); /* 30 bx lr */
    check(text, EM_ARM, true, "0 entry, 30 call");
}

TEST_OF(search_call_of_such_a_literal_starts_a_function, text, text)
{
    begin_with_rejected(text, 0x30, "\x07\x48"); /* 0a ldr r0, 28 */
    ADD(text, "\x10\xb5");                       /* 12 push {r4, lr} */
    ADD(text, "\x00\xf0\x08\xf8");               /* 14 bl 28 */
    ADD(text, "\x10\xbd");                       /* 18 pop {r4, pc} */
    nops_of_t32(text, 0x28);
    ADD(text, "\x01\x30\x70\x47"); /* 28 adds r0, #1; bx lr */
    nops_of_t32(text, 0x30);
    ADD(text, "\x70\x47"); /* 30 bx lr */
    check(text, EM_ARM, true, "0 entry, 12 gap, 28 call, 30 call");
}

/* A second entry, where the first function's code was taken for a literal before. */
TEST_OF(search_code_of_a_function_is_no_literal_of_such_code_any_more, text, text)
{
    begin_with_rejected(text, 0x30, "\x02\x48"); /* 0a ldr r0, 14 */
    ADD(text, "\x10\xb5\x00\xbf");               /* 12 push {r4, lr}; nop */
    ADD(text, "\x01\x20\x10\xbd");               /* 16 movs r0, #1; pop {r4, pc} */
    nops_of_t32(text, 0x20);
    ADD(text, "\x10\xb5");         /* 20 push {r4, lr} */
    ADD(text, "\xff\xf7\xf8\xff"); /* 22 bl 16 */
    ADD(text, "\x10\xbd");         /* 26 pop {r4, pc} */
    nops_of_t32(text, 0x30);
    ADD(text, "\x70\x47"); /* 30 bx lr */
    check(text, EM_ARM, true, "0 entry, 12 gap, 16 call, 20 gap, 30 call");
}

/* What a function loads is data, whoever else does. */
TEST_OF(search_literal_of_a_function_is_data_after_such_code_loaded_it, text, text)
{
    begin_with_rejected(text, 0x34, "\x08\x48"); /* 0a ldr r0, 2c */
    ADD(text, "\x10\xb5\x05\x48");               /* 12 push {r4, lr}; ldr r0, 2c */
    ADD(text, "\x10\xbd");                       /* 16 pop {r4, pc} */
    nops_of_t32(text, 0x28);
    ADD(text, "\x10\xb5\x04\x46"); /* 28 push {r4, lr}; mov r4, r0 */
    ADD(text, "\x01\x20\x20\x44"); /* 2c the literal; also movs r0, #1; add r0, r4 */
    ADD(text, "\x10\xbd\x00\xbf"); /* 30 pop {r4, pc}; nop */
    ADD(text, "\x70\x47");         /* 34 bx lr */
    check(text, EM_ARM, true, "0 entry, 12 gap, 34 call");
}

/* A number of 64 bits among T32 code. */
static void check_number(const char *number)
{
    struct text text = {.size = 0};

    ADD(&text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(&text, "\x00\xf0\x0d\xf8"); /* 02 bl 20 */
    ADD(&text, "\x10\xbd");         /* 06 pop {r4, pc} */
    add(&text, number, 8);          /* 08 */
    nops_of_t32(&text, 0x20);
    ADD(&text, "\x70\x47"); /* 20 bx lr */
    check(&text, EM_ARM, true, "0 entry, 20 call");
}

/* Doubles: FLT_MAX, and a little more. Of the halves the last two are no instructions. */
TEST(search_number_that_jumps_to_what_is_no_instruction_is_no_function)
{
    check_number("\x00\x00\x00\xe0\xff\xff\xef\x47"); /* movs r0, r0; b 0e */
    check_number("\x01\x20\x00\xe0\xff\xff\xef\x47"); /* movs r0, #1; b 0e */
}

/* stp x29, x30, [sp, #-16]!; bl 40; ldp x29, x30, [sp], #16; ret */
static void begin_a64(struct text *text)
{
    ADD(text, "\xfd\x7b\xbf\xa9"); /* 00 stp x29, x30, [sp, #-16]! */
    ADD(text, "\x0f\x00\x00\x94"); /* 04 bl 40 */
    ADD(text, "\xfd\x7b\xc1\xa8"); /* 08 ldp x29, x30, [sp], #16 */
    ADD(text, "\xc0\x03\x5f\xd6"); /* 0c ret */
}

static void end_a64(struct text *text)
{
    while (text->size < 0x40)
        ADD(text, "\x1f\x20\x03\xd5"); /* nop */
    ADD(text, "\xc0\x03\x5f\xd6");     /* 40 ret */
}

/* A call of what is no code of the file, nor of a PLT, is none. */
TEST(search_code_that_calls_out_of_all_code_is_no_function)
{
    struct text out = {.size = 0}, inside = {.size = 0};

    begin_a64(&out);
    ADD(&out, "\xfd\x7b\xbf\xa9"); /* 10 stp x29, x30, [sp, #-16]! */
    ADD(&out, "\x00\x00\x04\x94"); /* 14 bl 100014 */
    ADD(&out, "\xfd\x7b\xc1\xa8"); /* 18 ldp x29, x30, [sp], #16 */
    ADD(&out, "\xc0\x03\x5f\xd6"); /* 1c ret */
    end_a64(&out);
    check(&out, EM_AARCH64, false, "0 entry, 40 call");
    begin_a64(&inside);
    ADD(&inside, "\xfd\x7b\xbf\xa9"); /* 10 stp x29, x30, [sp, #-16]! */
    ADD(&inside, "\x0b\x00\x00\x94"); /* 14 bl 40 */
    ADD(&inside, "\xfd\x7b\xc1\xa8"); /* 18 ldp x29, x30, [sp], #16 */
    ADD(&inside, "\xc0\x03\x5f\xd6"); /* 1c ret */
    end_a64(&inside);
    check(&inside, EM_AARCH64, false, "0 entry, 10 gap, 40 call");
}

/* A weak symbol that nobody defines has the address 0, and calls of it are linked so. */
TEST_OF(search_code_that_calls_address_0_may_be_a_function, text, text)
{
    uint32_t bl;

    begin_a64(text);
    ADD(text, "\xfd\x7b\xbf\xa9"); /* 10 stp x29, x30, [sp, #-16]! */
    bl = 0x94000000 | (-(uint32_t)(FIXTURE_FIRST + text->size) >> 2 & 0x3ffffff);
    add(text, (const char *)&bl, sizeof(bl)); /* 14 bl to address 0 */
    ADD(text, "\xfd\x7b\xc1\xa8");            /* 18 ldp x29, x30, [sp], #16 */
    ADD(text, "\xc0\x03\x5f\xd6");            /* 1c ret */
    end_a64(text);
    check(text, EM_AARCH64, false, "0 entry, 10 gap, 40 call");
}

/* `adr` as at 2, with a double word behind what it leads to, whose second half looks like code. */
static void check_double_word(const char *adr, const char *before, const char *expected)
{
    struct text text = {.size = 0};

    ADD(&text, "\x10\xb5"); /* 00 push {r4, lr} */
    add(&text, adr, 2);
    ADD(&text, "\xd1\xe9\x00\x01"); /* 04 ldrd r0, r1, [r1] */
    ADD(&text, "\x10\xbd");         /* 08 pop {r4, pc} */
    nops_of_t32(&text, 0xc);
    add(&text, before, 4);
    ADD(&text, "\x10\xb5\x10\xbd"); /* 10 push {r4, lr}; pop {r4, pc} */
    check(&text, EM_ARM, true, expected);
}

/* At a multiple of 4 gcc has double words, too; ldrd tells that it is one. */
TEST(search_double_word_that_is_read_through_a_register_is_data)
{
    check_double_word("\x02\xa1", "\x00\x00\x00\x40", "0 entry");         /* adr r1, c */
    check_double_word("\x69\x46", "\x00\xbf\x00\xbf", "0 entry, 10 gap"); /* mov r1, sp */
}

/* A word, `count` times add w0, w0, #1, ret, and a word. */
static void check_amid(const char *before, unsigned count, const char *after, const char *expected)
{
    struct text text = {.size = 0};

    begin_a64(&text);
    add(&text, before, 4); /* 10 */
    while (count-- > 0)
        ADD(&text, "\x00\x04\x00\x11"); /* 14 add w0, w0, #1 */
    ADD(&text, "\xc0\x03\x5f\xd6");     /* ret */
    add(&text, after, 4);
    end_a64(&text);
    check(&text, EM_AARCH64, false, expected);
}

/* A word that is no instruction, so many nops, mov w0, #1, ret, and such a word. */
static void check_near(unsigned nops, const char *expected)
{
    struct text text = {.size = 0};

    begin_a64(&text);
    ADD(&text, "\xff\xff\xff\xff"); /* 10 */
    while (nops-- > 0)
        ADD(&text, "\x1f\x20\x03\xd5"); /* 14 nop */
    ADD(&text, "\x20\x00\x80\x52");     /* mov w0, #1 */
    ADD(&text, "\xc0\x03\x5f\xd6");     /* ret */
    ADD(&text, "\xff\xff\xff\xff");
    end_a64(&text);
    check(&text, EM_AARCH64, false, expected);
}

/* A few numbers of a table may look like a function; hardly so many in a row do. */
TEST(search_few_instructions_amid_numbers_are_no_function)
{
    static const char number[] = "\xff\xff\xff\xff", nop[] = "\x1f\x20\x03\xd5";

    check_amid(number, 2, number, "0 entry, 40 call");
    check_amid(number, 7, number, "0 entry, 40 call");
    check_amid(number, 8, number, "0 entry, 14 gap, 40 call");
    check_amid(number, 2, nop, "0 entry, 14 gap, 40 call");
    check_amid(nop, 2, number, "0 entry, 14 gap, 40 call");
    check_near(5, "0 entry, 40 call");
    check_near(6, "0 entry, 2c gap, 40 call");
}
