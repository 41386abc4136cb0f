/* SPDX-License-Identifier: MIT */
/* The search for functions: does a jump ahead over padding stay in its function? */
#include "function_search_fixture.h"

/* As OpenSSL's KeccakF1600: LR is where the caller made room for it, so that SP stays in place. */
TEST_OF(search_jump_over_padding_with_lr_in_the_callers_frame_stays, text, text)
{
    struct search s;
    const struct row *row;

    ADD(text, "\x10\xb5\x90\xb0"); /* 00 push {r4, lr}; sub sp, #64 */
    ADD(text, "\x00\xf0\x04\xf8"); /* 04 bl 10 */
    ADD(text, "\x10\xb0\x10\xbd"); /* 08 add sp, #64; pop {r4, pc} */
    ADD(text, "\xaf\xf3\x00\x80"); /* 0c nop.w */
    ADD(text, "\xcd\xf8\x10\xe0"); /* 10 str.w lr, [sp, #16] */
    ADD(text, "\x08\x21\x03\xe0"); /* 14 movs r1, #8; b 20 */
    ADD(text, "\xaf\xf3\x00\x80"); /* 18 nop.w */
    ADD(text, "\xaf\xf3\x00\x80"); /* 1c nop.w */
    ADD(text, "\x01\x30\x01\x39"); /* 20 adds r0, #1; subs r1, #1 */
    ADD(text, "\xfc\xd1");         /* 24 bne 20 */
    ADD(text, "\xdd\xf8\x10\xf0"); /* 26 ldr.w pc, [sp, #16] */
    open_file(&s, text, EM_ARM, true);
    assert_found(&s, "0 entry, 10 call");
    assert_int_equal(module_rows_find(s.rows, TRUST_PROLOGUE, FIXTURE_FIRST + 0x20, &row),
                     STATUS_OK);
    assert_int_equal(row->cfa.off, 0);
    assert_int_equal(row->ra.kind, RULE_AT_CFA);
    assert_int_equal(row->ra.off, 16);
    close_file(&s);
}

TEST_OF(search_jump_over_padding_with_nothing_of_a_frame_leads_to_another, text, text)
{
    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x00\xf0\x05\xf8"); /* 02 bl 10 */
    ADD(text, "\x10\xbd");         /* 06 pop {r4, pc} */
    ADD(text, "\xaf\xf3\x00\x80"); /* 08 nop.w */
    ADD(text, "\xaf\xf3\x00\x80"); /* 0c nop.w */
    ADD(text, "\x00\x68");         /* 10 ldr r0, [r0] */
    ADD(text, "\x00\xf0\x05\xb8"); /* 12 b.w 20 */
    ADD(text, "\x00\xbf");         /* 16 nop */
    ADD(text, "\xaf\xf3\x00\x80"); /* 18 nop.w */
    ADD(text, "\xaf\xf3\x00\x80"); /* 1c nop.w */
    ADD(text, "\x01\x30\x70\x47"); /* 20 adds r0, #1; bx lr */
    check(text, EM_ARM, true, "0 entry, 10 call, 20 jump");
}

/* LR was saved, and is back: so ends a function that calls another in the end. */
TEST_OF(search_jump_over_padding_behind_an_epilogue_leads_to_another, text, text)
{
    ADD(text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(text, "\x00\xf0\x0d\xf8"); /* 02 bl 20 */
    ADD(text, "\xbd\xe8\x10\x40"); /* 06 pop.w {r4, lr} */
    ADD(text, "\x00\xf0\x01\xb8"); /* 0a b.w 10 */
    ADD(text, "\x00\xbf");         /* 0e nop */
    ADD(text, "\x01\x30\x70\x47"); /* 10 adds r0, #1; bx lr */
    while (text->size < 0x20)
        ADD(text, "\x00\xbf"); /* nop */
    ADD(text, "\x70\x47");     /* 20 bx lr */
    check(text, EM_ARM, true, "0 entry, 10 jump, 20 call");
}
