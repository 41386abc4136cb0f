/* SPDX-License-Identifier: MIT */
/* What T32 code looks like where functions begin, call, jump and where signals return. */
#include "insn_arm_fixture.h"

static const struct insn_set *set(void)
{
    return insn_set_for(arch_get(ARCH_ARM), CODE_T32);
}

TEST(insn_far_jumps_tell_their_target)
{
    /* b.w .+0x1004, beq.w .+0x104; b and bl are none. */
    assert_int_equal(jump_target("\x01\xf0\x00\xb8", 4), 0x2004);
    assert_int_equal(jump_target("\x00\xf0\x80\x80", 4), 0x1104);
    assert_int_equal(jump_target("\x01\xf0\x00\xb8", 3), 0);
    assert_int_equal(jump_target("\x80\xe0\x00\xb8", 4), 0);
    assert_int_equal(jump_target("\x01\xf0\x00\xf8", 4), 0);
    assert_int_equal(jump_target("\xaf\xf3\x00\x80", 4), 0);
}

TEST(insn_calls_are_recognized_from_behind)
{
    static const struct told_case codes[] = {
        {"\x01\xf0\x00\xf8", 4, true},                 /* bl */
        {"\xff\xf7\x00\xff", 4, true},                 /* bl backwards */
        {"\x01\xf0\x00\xe8", 4, true},                 /* blx */
        {"\x98\x47", 2, true},                         /* blx r3 */
        {"\x00\xbf\x00\xbf\x00\xbf\x98\x47", 8, true}, /* nops; blx r3 */
        {"\x18\x47", 2, false},                        /* bx r3 */
        {"\x01\xf0\x00\xb8", 4, false},                /* b.w */
        {"\x01\xf0\x00\xf8\x00\xbf", 6, false},        /* bl; nop */
        {"\x47", 1, false},
        {"", 0, false},
    };

    check_told(set()->ends_with_call, codes, COUNT(codes));
}

TEST(insn_strong_start_saves_the_link_register)
{
    static const struct told_case codes[] = {
        {"\x10\xb5", 2, true},          /* push {r4, lr} */
        {"\x2d\xe9\xf0\x4f", 4, true},  /* push.w {r4-r11, lr} */
        {"\x4d\xf8\x04\xed", 4, true},  /* str lr, [sp, #-4]! */
        {"\x10\xb4", 2, false},         /* push {r4} */
        {"\x2d\xe9\xf0\x0f", 4, false}, /* push.w {r4-r11} */
        {"\x4d\xf8\x04\x8d", 4, false}, /* str r8, [sp, #-4]! */
        {"\x2d\xe9\xf0", 3, false},     /* cut */
        {"", 0, false},
    };

    check_told(set()->strong_start, codes, COUNT(codes));
}

TEST(insn_sigreturn_restores_every_register)
{
    struct row row;

    sigreturn_reads("\x77\x27\x00\xdf", 4, 32);          /* movs r7, #119; svc 0 */
    sigreturn_reads("\xad\x27\x00\xdf", 4, 160);         /* movs r7, #173; svc 0 */
    sigreturn_reads("\x4f\xf0\x77\x07\x00\xdf", 6, 32);  /* mov.w r7, #119; svc 0 */
    sigreturn_reads("\x4f\xf0\xad\x07\x00\xdf", 6, 160); /* mov.w r7, #173; svc 0 */
    assert_int_equal(set()->sigreturn_row((const uint8_t *)"\x01\x27\x00\xdf", 4, VADDR, &row),
                     STATUS_NOT_FOUND); /* exit */
    assert_int_equal(set()->sigreturn_row((const uint8_t *)"\x77\x27\x00\xbf", 4, VADDR, &row),
                     STATUS_NOT_FOUND);
}
