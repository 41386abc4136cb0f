/* SPDX-License-Identifier: MIT */
/* The search for functions in Arm and AArch64 files that have nothing but code. */
#include "function_search_fixture.h"

/* The literal looks like a push, the branches of the table like jumps to other functions. */
TEST_OF(search_a32_literals_and_tables_of_branches_are_no_functions, text, text)
{
    ADD(text, "\x10\x40\x2d\xe9"); /* 00 push {r4, lr} */
    ADD(text, "\x00\x00\x00\xeb"); /* 04 bl 0c */
    ADD(text, "\x10\x80\xbd\xe8"); /* 08 pop {r4, pc} */
    ADD(text, "\x10\x40\x2d\xe9"); /* 0c push {r4, lr} */
    ADD(text, "\x02\x00\x50\xe3"); /* 10 cmp r0, #2 */
    ADD(text, "\x00\xf1\x8f\x90"); /* 14 addls pc, pc, r0, lsl #2 */
    ADD(text, "\x03\x00\x00\xea"); /* 18 b 2c */
    ADD(text, "\x01\x00\x00\xea"); /* 1c b 28 */
    ADD(text, "\x00\x00\x00\xea"); /* 20 b 28 */
    ADD(text, "\x01\x00\x00\xea"); /* 24 b 30 */
    ADD(text, "\x08\x00\x9f\xe5"); /* 28 ldr r0, 38 */
    ADD(text, "\x10\x80\xbd\xe8"); /* 2c pop {r4, pc} */
    ADD(text, "\x10\x40\xbd\xe8"); /* 30 pop {r4, lr} */
    ADD(text, "\x02\x00\x00\xea"); /* 34 b 44 */
    ADD(text, "\x10\x40\x2d\xe9"); /* 38 a literal */
    ADD(text, "\x70\x40\x2d\xe9"); /* 3c push {r4, r5, r6, lr} */
    ADD(text, "\x70\x80\xbd\xe8"); /* 40 pop {r4, r5, r6, pc} */
    ADD(text, "\x02\x00\xa0\xe3"); /* 44 mov r0, #2 */
    ADD(text, "\x1e\xff\x2f\xe1"); /* 48 bx lr */
    check(text, EM_ARM, false, "0 entry, c call, 3c gap, 44 jump");
}

/*
 * Between and behind the functions are literals that look like push {r4, lr}, and bytes of a table.
 */
TEST_OF(search_t32_literals_and_tables_are_no_functions, text, text)
{
    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x02\x4b");         /* 02 ldr r3, 0c */
    ADD(text, "\x00\xf0\x04\xf8"); /* 04 bl 10 */
    ADD(text, "\x10\xbd");         /* 08 pop {r4, pc} */
    ADD(text, "\x00\xbf");         /* 0a nop */
    ADD(text, "\x10\xb5\x10\xb5"); /* 0c a literal */
    ADD(text, "\x03\x28");         /* 10 cmp r0, #3 */
    ADD(text, "\x04\xd8");         /* 12 bhi 1e */
    ADD(text, "\xdf\xe8\x00\xf0"); /* 14 tbb [pc, r0] */
    ADD(text, "\x02\x04\x02\x04"); /* 18 1c, 20, 1c, 20 */
    ADD(text, "\x01\x20");         /* 1c movs r0, #1 */
    ADD(text, "\x70\x47");         /* 1e bx lr */
    ADD(text, "\x02\x20");         /* 20 movs r0, #2 */
    ADD(text, "\x70\x47");         /* 22 bx lr */
    ADD(text, "\x00\xbf");         /* 24 nop */
    ADD(text, "\x70\xb5");         /* 26 push {r4, r5, r6, lr} */
    ADD(text, "\x00\x48");         /* 28 ldr r0, 2c */
    ADD(text, "\x70\xbd");         /* 2a pop {r4, r5, r6, pc} */
    ADD(text, "\x00\xb5\x70\x47"); /* 2c a literal */
    check(text, EM_ARM, true, "0 entry, 10 call, 26 gap");
}

TEST_OF(search_t32_functions_know_their_mode, text, text)
{
    struct search s;

    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x00\xf0\x02\xe8"); /* 02 blx 08: to A32 */
    ADD(text, "\x10\xbd");         /* 06 pop {r4, pc} */
    ADD(text, "\x1e\xff\x2f\xe1"); /* 08 bx lr */
    open_file(&s, text, EM_ARM, true);
    assert_found(&s, "0 entry, 8 call");
    assert_int_equal(s.list->items[0].mode, CODE_T32);
    assert_int_equal(s.list->items[1].mode, CODE_DEFAULT);
    close_file(&s);
}

/*
 * As a landing pad behind a call that does not return: whatever it calls has taken its return
 * address.
 */
TEST_OF(search_t32_code_that_calls_without_saving_lr_is_no_function, text, text)
{
    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x00\xf0\x09\xf8"); /* 02 bl 18 */
    ADD(text, "\x10\xbd");         /* 06 pop {r4, pc} */
    ADD(text, "\x02\x98");         /* 08 ldr r0, [sp, #8] */
    ADD(text, "\x00\xf0\x05\xf8"); /* 0a bl 18 */
    ADD(text, "\x00\xf0\x07\xf8"); /* 0e bl 20, which does not return */
    ADD(text, "\x00\xbf");         /* 12 nop */
    ADD(text, "\x00\xbf\x00\xbf"); /* 14 nop; nop */
    ADD(text, "\x70\x47");         /* 18 bx lr */
    ADD(text, "\x00\xbf\x00\xbf"); /* 1a nop; nop */
    ADD(text, "\x00\xbf");         /* 1e nop */
    ADD(text, "\x00\xde");         /* 20 udf */
    check(text, EM_ARM, true, "0 entry, 18 call, 20 gap");
}

/* .ARM.exidx and .ARM.extab behind the code, at 0x20 and 0x30. */
TEST_OF(search_exidx_entry_with_a_table_holds_one_function, text, text)
{
    static const uint32_t index[] = {0x7fffffe0, 0x0000000c, /* 00: its table at 0x30 */
                                     0x7fffffe8, 0x80a8b0b0 /* 10: pop {r4, lr} */};
    static const uint32_t table[] = {0x7fffffd0, 0x00a8b0b0}; /* a routine, no matter which */
    struct elf_fixture *elf = fixture_create(EM_ARM);
    struct search s;

    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x00\xf0\x05\xf8"); /* 02 bl 10 */
    ADD(text, "\x10\xbd");         /* 06 pop {r4, pc} */
    ADD(text, "\x00\x20\x70\x47"); /* 08 movs r0, #0; bx lr: what nothing leads to */
    ADD(text, "\x00\xbf\x00\xbf"); /* 0c nop; nop */
    ADD(text, "\x10\xb5\x10\xbd"); /* 10 push {r4, lr}; pop {r4, pc} */
    ADD(text, "\x00\x20\x70\x47"); /* 14 movs r0, #0; bx lr: another function */
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text->bytes, text->size);
    fixture_section(elf, ".ARM.exidx", SHT_ARM_EXIDX, SHF_ALLOC, index, sizeof(index));
    fixture_section(elf, ".ARM.extab", SHT_PROGBITS, SHF_ALLOC, table, sizeof(table));
    open_fixture(&s, elf, true, false);
    assert_found(&s, "0 exidx, 10 exidx, 14 gap");
    for (size_t i = 0; i < s.list->count; i++)
        assert_int_equal(s.list->items[i].mode, CODE_T32);
    close_file(&s);
}

TEST_OF(search_a64_functions_are_found, text, text)
{
    ADD(text, "\xfd\x7b\xbf\xa9"); /* 00 stp x29, x30, [sp, #-16]! */
    ADD(text, "\x03\x00\x00\x94"); /* 04 bl 10 */
    ADD(text, "\xfd\x7b\xc1\xa8"); /* 08 ldp x29, x30, [sp], #16 */
    ADD(text, "\x08\x00\x00\x14"); /* 0c b 2c */
    ADD(text, "\xff\x43\x00\xd1"); /* 10 sub sp, sp, #16 */
    ADD(text, "\xff\x43\x00\x91"); /* 14 add sp, sp, #16 */
    ADD(text, "\xc0\x03\x5f\xd6"); /* 18 ret */
    ADD(text, "\xfd\x7b\xbe\xa9"); /* 1c stp x29, x30, [sp, #-32]! */
    ADD(text, "\xfd\x03\x00\x91"); /* 20 mov x29, sp */
    ADD(text, "\xfd\x7b\xc2\xa8"); /* 24 ldp x29, x30, [sp], #32 */
    ADD(text, "\xc0\x03\x5f\xd6"); /* 28 ret */
    ADD(text, "\x20\x00\x80\x52"); /* 2c mov w0, #1 */
    ADD(text, "\xc0\x03\x5f\xd6"); /* 30 ret */
    check(text, EM_AARCH64, false, "0 entry, 10 call, 1c gap, 2c jump");
}

/* Two words of data, 0x40 and 0x44, that lead to code at 0x0c and, in T32, at 0x18. */
static void check_pointers(const struct text *text, bool thumb, bool relocated,
                           const char *expected)
{
    static const Elf32_Rel relocs[] = {{.r_offset = (Elf32_Addr)FIXTURE_FIRST + 0x40,
                                        .r_info = R_ARM_RELATIVE},
                                       {.r_offset = (Elf32_Addr)FIXTURE_FIRST + 0x44,
                                        .r_info = R_ARM_RELATIVE}};
    struct elf_fixture *elf = fixture_create(EM_ARM);
    const uint32_t words[] = {(uint32_t)FIXTURE_FIRST + 0x0c, (uint32_t)FIXTURE_FIRST + 0x19};
    struct search s;

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text->bytes, text->size);
    assert_int_equal(elf->sections[fixture_section(elf, ".data.rel.ro", SHT_PROGBITS,
                                                   SHF_ALLOC | SHF_WRITE, words, sizeof(words))]
                         .sh_addr,
                     FIXTURE_FIRST + 0x40);
    if (relocated)
        fixture_section(elf, ".rel.dyn", SHT_REL, SHF_ALLOC, relocs, sizeof(relocs));
    open_fixture(&s, elf, thumb, true);
    assert_found(&s, expected);
    close_file(&s);
}

/* Among Go's data are many numbers that look like pointers. */
TEST_OF(search_numbers_that_lead_amid_a32_code_are_no_functions, text, text)
{
    ADD(text, "\x1e\xff\x2f\xe1"); /* 00 bx lr */
    for (unsigned i = 0; i < 8; i++)
        ADD(text, "\x01\x00\x80\xe2"); /* 04 add r0, r0, #1: 0c, too, and 18 */
    ADD(text, "\x1e\xff\x2f\xe1");     /* 24 bx lr */
    while (text->size < 0x40)
        ADD(text, "\x00\xf0\x20\xe3"); /* nop */
    check_pointers(text, false, false, "0 entry, 4 gap");
    memcpy(text->bytes + 8, "\x1e\xff\x2f\xe1", 4); /* 08 bx lr */
    check_pointers(text, false, false, "0 entry, 4 gap, c gap");
}

/* clang leaves T32's bit out of the table of a computed goto. */
/* What jumps through the table behind the call of it is a function, as what is called is. */
TEST_OF(search_t32_helper_of_a_jump_through_a_table_is_called, text, text)
{
    ADD(text, "\x10\xb5\x03\x28\x06\xd8"); /* 00 push {r4, lr}; cmp r0, #3; bhi 14 */
    ADD(text, "\x00\xf0\x09\xf8");         /* 06 bl 1c */
    ADD(text, "\x02\x03\x05\x06");         /* 0a table */
    ADD(text, "\x10\xbd");                 /* 0e pop {r4, pc} */
    ADD(text, "\x82\xb0\x02\xb0\x10\xbd"); /* 10 sub sp, #8; add sp, #8; pop {r4, pc} */
    ADD(text, "\x60\xb4\x60\xbc\x10\xbd"); /* 16 push {r5, r6}; pop {r5, r6}; pop {r4, pc} */
    /* 1c push {r1}; … add lr, r1; pop {r1}; bx lr: __gnu_thumb1_case_uqi */
    ADD(text, "\x02\xb4\x71\x46\x49\x08\x49\x00\x09\x5c\x49\x00\x8e\x44\x02\xbc\x70\x47");
    check(text, EM_ARM, true, "0 entry, 1c call");
}

TEST_OF(search_t32_label_without_its_bit_is_no_a32_function, text, text)
{
    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x00\xf0\x13\xf8"); /* 02 bl 2c */
    ADD(text, "\x44\x58");         /* 06 ldr r4, [r0, r1] */
    ADD(text, "\xa7\x46");         /* 08 mov pc, r4 */
    ADD(text, "\x00\xbf");         /* 0a nop */
    ADD(text, "\x01\x30\x01\xe0"); /* 0c adds r0, #1; b 14: the label; in A32 and r3, r1, r1 */
    ADD(text, "\x1e\xff\x2f\xe1"); /* 10 data; in A32 bx lr */
    ADD(text, "\x10\xbd\x00\xbf"); /* 14 pop {r4, pc}; nop */
    ADD(text, "\x00\x20\x70\x47"); /* 18 movs r0, #0; bx lr: a function */
    while (text->size < 0x2c)
        ADD(text, "\x00\xbf"); /* nop */
    ADD(text, "\x70\x47");     /* 2c bx lr */
    while (text->size < 0x40)
        ADD(text, "\x00\xbf");
    check_pointers(text, true, true, "0 entry, 18 pointer, 2c call");
}

/*
 * .ARM.exidx does not tell the instruction set. Behind a narrow instruction A32's push could be
 * T32's push.w.
 */
TEST_OF(search_exidx_entry_in_a32_is_known_by_its_code, text, text)
{
    static const uint32_t index[] = {0x7fffffe0, 0x80a8b0b0 /* 00: pop {r4, lr} */, 0x7fffffe8,
                                     0x80a8b0b0 /* 10 */};
    struct elf_fixture *elf = fixture_create(EM_ARM);
    struct search s;

    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x00\xf0\x05\xe8"); /* 02 blx 10 */
    ADD(text, "\x10\xbd");         /* 06 pop {r4, pc} */
    ADD(text, "\x00\xbf\x00\xbf"); /* 08 nop; nop */
    ADD(text, "\x00\xbf\x00\xbf"); /* 0c nop; nop */
    ADD(text, "\x10\x40\x2d\xe9"); /* 10 push {r4, lr}; in T32 ands r0, r2; push.w {..} */
    ADD(text, "\x00\x40\xa0\xe1"); /* 14 mov r4, r0 */
    ADD(text, "\x04\x00\x80\xe0"); /* 18 add r0, r0, r4 */
    ADD(text, "\x10\x80\xbd\xe8"); /* 1c pop {r4, pc} */
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text->bytes, text->size);
    fixture_section(elf, ".ARM.exidx", SHT_ARM_EXIDX, SHF_ALLOC, index, sizeof(index));
    open_fixture(&s, elf, true, false);
    assert_found(&s, "0 entry, 10 exidx");
    assert_int_equal(s.list->items[0].mode, CODE_T32);
    assert_int_equal(s.list->items[1].mode, CODE_DEFAULT);
    close_file(&s);
}

/*
 * What comes behind T32 code is tried as T32 first: there it loads the start of the function behind
 * as a literal.
 */
TEST_OF(search_literal_of_code_in_the_wrong_set_hides_no_function, text, text)
{
    ADD(text, "\x10\xb5\x10\xbd"); /* 00 push {r4, lr}; pop {r4, pc} */
    ADD(text, "\x00\xbf\x00\xbf"); /* 04 nop; nop */
    ADD(text, "\x01\x48\xa0\xe1"); /* 08 mov r4, r1, lsl #16; in T32 ldr r0, [10]; b.n 34e */
    ADD(text, "\x04\x00\x70\x47"); /* 0c ldrbmi r0, [r0, #-4]!; in T32 lsls r4, r0, #0; bx lr */
    ADD(text, "\x10\x40\x2d\xe9"); /* 10 push {r4, lr} */
    ADD(text, "\x00\xf0\xd0\xf5"); /* 14 pld [r0] */
    ADD(text, "\x10\x80\xbd\xe8"); /* 18 pop {r4, pc} */
    check(text, EM_ARM, true, "0 entry, 10 gap");
}

/* Of ldr and push.w the middle looks like A32's push, and the end like its pop. */
TEST_OF(search_wide_push_behind_a_load_is_no_a32_function, text, text)
{
    struct search s;

    ADD(text, "\x10\xb5\x10\xbd"); /* 00 push {r4, lr}; pop {r4, pc} */
    ADD(text, "\x03\x4a");         /* 04 ldr r2, 14; in A32 push {r0, r1, r9, r11, lr} */
    ADD(text, "\x2d\xe9\xf0\x4f"); /* 06 push.w {r4-r11, lr}; in A32 ssub8mi r4, r0, r0 */
    ADD(text, "\x10\x46");         /* 0a mov r0, r2 */
    ADD(text, "\x10\x80");         /* 0c strh r0, [r2]; in A32 pop {r4, pc} */
    ADD(text, "\xbd\xe8\xf0\x8f"); /* 0e pop.w {r4-r11, pc} */
    ADD(text, "\x00\xbf");         /* 12 nop */
    ADD(text, "\x78\x56\x34\x12"); /* 14 a literal */
    open_file(&s, text, EM_ARM, true);
    assert_found(&s, "0 entry, 4 gap");
    assert_int_equal(s.list->items[1].mode, CODE_T32);
    close_file(&s);
}

/* Not where it looks like A32 code: nearly all of that is executed always. */
TEST_OF(search_what_looks_like_a32_behind_t32_is_tried_as_that, text, text)
{
    ADD(text, "\x10\xb5\x10\xbd"); /* 00 push {r4, lr}; pop {r4, pc} */
    ADD(text, "\x00\xbf\x00\xbf"); /* 04 nop; nop */
    ADD(text, "\x01\x08\xa0\xe1"); /* 08 mov r0, r1, lsl #16 */
    ADD(text, "\x02\x00\x80\xe0"); /* 0c add r0, r0, r2 */
    ADD(text, "\x01\x00\x80\xe0"); /* 10 add r0, r0, r1 */
    ADD(text, "\x1e\xff\x2f\xe1"); /* 14 bx lr */
    check(text, EM_ARM, true, "0 entry, 8 gap");
}

/*
 * Nor A32 where hardly anything is: a program's T32 code comes behind an A32 PLT, its own A32 then.
 */
TEST_OF(search_what_is_no_a32_behind_a32_is_tried_as_t32, text, text)
{
    ADD(text, "\x10\x40\x2d\xe9"); /* 00 push {r4, lr} */
    ADD(text, "\x10\x80\xbd\xe8"); /* 04 pop {r4, pc} */
    for (unsigned i = 0; i < 7; i++)
        ADD(text, "\x01\x20\x01\x21"); /* 08 movs r0, #1; movs r1, #1; in A32 tstcs */
    ADD(text, "\x01\x22\x70\x47");     /* 24 movs r2, #1; bx lr; in A32 ldrbmi */
    ADD(text, "\x10\x40\x2d\xe9");     /* 28 push {r4, lr} */
    ADD(text, "\x01\x00\xa0\xe3");     /* 2c mov r0, #1 */
    ADD(text, "\x10\x80\xbd\xe8");     /* 30 pop {r4, pc} */
    check(text, EM_ARM, false, "0 entry, 8 gap, 28 gap");
}

/* A load of A32 has in its lower half what T32's push begins with. */
TEST_OF(search_a32_load_that_looks_like_a_push_is_no_t32_function, text, text)
{
    struct search s;

    ADD(text, "\x10\x40\x2d\xe9"); /* 00 push {r4, lr} */
    ADD(text, "\x10\x80\xbd\xe8"); /* 04 pop {r4, pc}; in T32 strh r0, [r2]; pop.w {..} */
    while (text->size < 0x4c0)
        ADD(text, "\x00\xf0\x20\xe3"); /* nop */
    ADD(text, "\x1c\xb5\x9f\xe5");     /* 4c0 ldr r11, 9e4; in T32 push {r2-r4, lr}; b 04 */
    ADD(text, "\x00\x00\x9b\xe5");     /* 4c4 ldr r0, [r11] */
    ADD(text, "\x01\x00\x80\xe2");     /* 4c8 add r0, r0, #1 */
    ADD(text, "\x00\x00\x8b\xe5");     /* 4cc str r0, [r11] */
    ADD(text, "\xfb\xff\xff\xea");     /* 4d0 b 4c4 */
    while (text->size < 0x9e4)
        ADD(text, "\x00\xf0\x20\xe3");
    ADD(text, "\x78\x56\x34\x12"); /* 9e4 a literal */
    open_file(&s, text, EM_ARM, false);
    assert_found(&s, "0 entry, 4c0 gap");
    assert_int_equal(s.list->items[1].mode, CODE_DEFAULT);
    close_file(&s);
}

TEST_OF(search_endless_loop_that_calls_without_saving_lr_is_a_function, text, text)
{
    ADD(text, "\x10\xb5\x10\xbd"); /* 00 push {r4, lr}; pop {r4, pc} */
    ADD(text, "\x00\xbf\x00\xbf"); /* 04 nop; nop */
    ADD(text, "\x00\xf0\x02\xf8"); /* 08 bl 10 */
    ADD(text, "\xfc\xe7");         /* 0c b 08 */
    ADD(text, "\x00\xbf");         /* 0e nop */
    ADD(text, "\x70\x47");         /* 10 bx lr */
    check(text, EM_ARM, true, "0 entry, 8 gap, 10 call");
}

/*
 * Finds the functions of a file that imports `name`, and has code that takes no care of its return
 * address.
 */
static void check_careless(const char *name, const char *expected)
{
    struct elf_fixture *elf = fixture_create(EM_ARM);
    struct symbol_fixture symbols;
    struct text text = {.size = 0};
    struct search s;

    ADD(&text, "\x10\xb5\x10\xbd"); /* 00 push {r4, lr}; pop {r4, pc} */
    ADD(&text, "\x00\xbf\x00\xbf"); /* 04 nop; nop */
    ADD(&text, "\x00\xf0\x02\xf8"); /* 08 bl 10 */
    ADD(&text, "\x00\xde");         /* 0c udf */
    ADD(&text, "\x00\xbf");         /* 0e nop */
    ADD(&text, "\x70\x47");         /* 10 bx lr */
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text.bytes, text.size);
    symbols_init(&symbols);
    symbols_add(&symbols, name, STB_GLOBAL, STT_FUNC, 0, 0);
    symbols.symbols[1].st_shndx = SHN_UNDEF;
    fixture_symbols(elf, &symbols, true);
    open_fixture(&s, elf, true, true);
    assert_found(&s, expected);
    close_file(&s);
}

TEST_OF(search_zeros_between_functions_belong_to_none, text, text)
{
    ADD(text, "\x10\xb5\x10\xbd"); /* 00 push {r4, lr}; pop {r4, pc} */
    ADD(text, "\x00\x00\x00\x00"); /* 04 */
    ADD(text, "\x01\x08\xa0\xe1"); /* 08 mov r0, r1, lsl #16 */
    ADD(text, "\x02\x00\x80\xe0"); /* 0c add r0, r0, r2 */
    ADD(text, "\x01\x00\x80\xe0"); /* 10 add r0, r0, r1 */
    ADD(text, "\x1e\xff\x2f\xe1"); /* 14 bx lr */
    check(text, EM_ARM, true, "0 entry, 8 gap");
}

/* Where calls do not push, none is made to read the PC: a function that does not return is next. */
TEST_OF(search_call_of_the_very_next_address_leads_to_a_function, text, text)
{
    ADD(text, "\xfd\x7b\xbf\xa9"); /* 00 stp x29, x30, [sp, #-16]! */
    ADD(text, "\x01\x00\x00\x94"); /* 04 bl 8 */
    ADD(text, "\xfe\x0f\x1e\xf8"); /* 08 str x30, [sp, #-32]! */
    ADD(text, "\x00\x00\x00\x14"); /* 0c b 0c */
    check(text, EM_AARCH64, false, "0 entry, 8 call");
}

/* So lld resolves a call of a weak function that is not there. */
TEST_OF(search_call_of_the_very_next_instruction_that_begins_nothing_is_none, text, text)
{
    ADD(text, "\xfd\x7b\xbf\xa9"); /* 00 stp x29, x30, [sp, #-16]! */
    ADD(text, "\x01\x00\x00\x94"); /* 04 bl 8 */
    ADD(text, "\xfd\x7b\xc1\xa8"); /* 08 ldp x29, x30, [sp], #16 */
    ADD(text, "\xc0\x03\x5f\xd6"); /* 0c ret */
    check(text, EM_AARCH64, false, "0 entry");
}

TEST(search_code_that_loses_lr_may_be_a_landing_pad_where_exceptions_are_thrown)
{
    check_careless("_Unwind_Resume", "0 entry, 10 gap");
    check_careless("puts", "0 entry, 8 gap, 10 call");
}

/* Of a block that only a jump through a register leads to; it uses its function's frame. */
TEST_OF(search_what_a_block_of_no_function_branches_to_is_none, text, text)
{
    ADD(text, "\xfd\x7b\xbf\xa9"); /* 00 stp x29, x30, [sp, #-16]! */
    ADD(text, "\x09\x00\x00\x94"); /* 04 bl 28 */
    ADD(text, "\x00\x00\x1f\xd6"); /* 08 br x0 */
    ADD(text, "\xe1\x0f\x40\xf9"); /* 0c ldr x1, [sp, #24] */
    ADD(text, "\x81\x00\x00\x35"); /* 10 cbnz w1, 20 */
    ADD(text, "\xfd\x7b\xc1\xa8"); /* 14 ldp x29, x30, [sp], #16 */
    ADD(text, "\xc0\x03\x5f\xd6"); /* 18 ret */
    ADD(text, "\x1f\x20\x03\xd5"); /* 1c nop */
    ADD(text, "\x02\x00\x00\x94"); /* 20 bl 28 */
    ADD(text, "\xff\xff\xff\x17"); /* 24 b 20 */
    ADD(text, "\xc0\x03\x5f\xd6"); /* 28 ret */
    check(text, EM_AARCH64, false, "0 entry, 28 call");
}

/* A function makes room before it passes an argument on the stack. */
TEST_OF(search_block_that_passes_arguments_in_a_frame_is_no_function, text, text)
{
    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x00\xf0\x06\xf8"); /* 02 bl 12 */
    ADD(text, "\x87\x46");         /* 06 mov pc, r0 */
    ADD(text, "\x00\x90");         /* 08 str r0, [sp] */
    ADD(text, "\x00\xf0\x02\xf8"); /* 0a bl 12 */
    ADD(text, "\xfc\xe7");         /* 0e b 0a */
    ADD(text, "\x00\xbf");         /* 10 nop */
    ADD(text, "\x70\x47");         /* 12 bx lr */
    check(text, EM_ARM, true, "0 entry, 12 call");
}

/* A distance in a table that is ldr.w pc, [r1, #255]!, too. */
TEST_OF(search_distance_that_looks_like_a_jump_is_no_function, text, text)
{
    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x00\xf0\x04\xf8"); /* 02 bl 0e */
    ADD(text, "\x10\xbd");         /* 06 pop {r4, pc} */
    ADD(text, "\x51\xf8\xff\xff"); /* 08 -1967 */
    ADD(text, "\x00\xbf");         /* 0c nop */
    ADD(text, "\x70\x47");         /* 0e bx lr */
    check(text, EM_ARM, true, "0 entry, e call");
}
