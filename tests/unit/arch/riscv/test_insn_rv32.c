/* SPDX-License-Identifier: MIT */
/*
 * Effects of RV32's instructions that RV64 does not have, or has with another size. The bytes are
 * GNU as's, and the specification's of Zcmp, at 0x1000.
 */
#include "insn_fixture.h"

static const struct insn_set *set(void)
{
    return insn_set_for(arch_get(ARCH_RISCV32), CODE_DEFAULT);
}

static const struct effect_case EFFECTS[] = {
    {"addi sp, sp, -2032", "\x13\x01\x01\x81", 4, "sp = sp-2032"},
    {"c.swsp ra, 12(sp)", "\x06\xc6", 2, "[sp+12] = ra"},
    {"sw s0, 8(sp)", "\x22\xc4", 2, "[sp+8] = s0"},
    {"c.lwsp ra, 12(sp)", "\xb2\x40", 2, "ra = [sp+12]"},
    {"lw s1, 4(sp)", "\x92\x44", 2, "s1 = [sp+4]"},
    {"lw a5, 0(a5)", "\x9c\x43", 2, "a5 = [a5+0]"},
    {"lh a5, 0(a5)", "\x83\x97\x07\x00", 4, "a5 = [a5+0] s16"},
    {"sb a0, 3(sp)", "\xa3\x01\xa1\x00", 4, "[sp+3] = ? (1)"},
    {"lui a5, 0x80000", "\xb7\x07\x00\x80", 4, "a5 = 0; a5 = a5-2147483648"},
    {"auipc a5, 0xfffff", "\x97\xf7\xff\xff", 4, "a5 = 0; a5 = a5+0"},
    {"slli a5, a0, 2", "\x93\x17\x25\x00", 4, "a5 = a0 << 2"},
    {"srli a5, a5, 24", "\xe1\x83", 2, "a5 = a5 >> 24"},
    {"c.jal .+0x100", "\x01\x22", 2,
     "call 0x1100; unknown ra t0 t1 t2 a0 a1 a2 a3 a4 a5 a6 a7 t3 t4 t5 t6"},
    {"jal ra, .-0x2000", "\xef\xe0\x0f\x80", 4,
     "call 0xfffff000; unknown ra t0 t1 t2 a0 a1 a2 a3 a4 a5 a6 a7 t3 t4 t5 t6"},
    {"cm.push {ra,s0-s1},-16", "\x62\xb8", 2, "[sp-4] = s1; [sp-8] = s0; [sp-12] = ra; sp = sp-16"},
    {"cm.push {ra,s0-s11},-64", "\xf2\xb8", 2,
     "[sp-4] = s11; [sp-8] = s10; [sp-12] = s9; [sp-16] = s8; [sp-20] = s7; [sp-24] = s6; [sp-28] "
     "= s5; [sp-32] = s4; [sp-36] = s3; [sp-40] = s2; [sp-44] = s1; [sp-48] = s0; [sp-52] = ra; sp "
     "= sp-64"},
    {"cm.pop {ra},16", "\x42\xba", 2, "ra = [sp+12]; sp = sp+16"},
    {"cm.popret {ra},32", "\x46\xbe", 2, "return; ra = [sp+28]; sp = sp+32"},
    {"cm.popretz {ra,s0},16", "\x52\xbc", 2,
     "return; s0 = [sp+12]; ra = [sp+8]; sp = sp+16; a0 = 0"},
    {"cm.mvsa01 s0,s7", "\x3e\xac", 2, "s0 = a0+0; s7 = a1+0"},
    {"cm.mva01s s0,s7", "\x7e\xac", 2, "a0 = s0+0; a1 = s7+0"},
    {"cm.jt 2", "\x0a\xa0", 2, "indirect ?"},
    {"cm.jalt 63", "\xfe\xa0", 2, "call; unknown ra t0 t1 t2 a0 a1 a2 a3 a4 a5 a6 a7 t3 t4 t5 t6"},
    {"mret", "\x73\x00\x20\x30", 4, "return"},
    {"amoswap.w a0, a1, (sp)", "\x2f\x25\xb1\x08", 4, "[sp+0] = ?; unknown a0"},
};

TEST(insn_effects_are_those_of_the_manual)
{
    check_effects(ARCH_RISCV32, CODE_DEFAULT, EFFECTS, COUNT(EFFECTS));
}

/* c.jal ends what is looked at: behind it another function may begin. */
TEST(insn_short_call_is_no_part_of_a_prologue)
{
    /* c.jal .+256; addi sp, sp, -16; sw ra, 12(sp) */
    static const uint8_t code[] = "\x01\x22\x41\x11\x06\xc6";

    assert_false(set()->strong_start(code, 6));
    assert_true(set()->strong_start(code + 2, 4));
}

/* A handler's end, before the next function. */
TEST(insn_trap_return_is_no_part_of_a_prologue)
{
    /* mret; addi sp, sp, -16; sw ra, 12(sp) */
    static const uint8_t code[] = "\x73\x00\x20\x30\x41\x11\x06\xc6";

    assert_false(set()->strong_start(code, 8));
    assert_true(set()->strong_start(code + 4, 4));
}

/* c.jal: its target is found by a search, too. */
TEST(insn_short_call_has_a_target)
{
    const uint8_t bytes[] = {0x01, 0x22}; /* c.jal .+256 */

    assert_int_equal(set()->call_target(bytes, 2, VADDR), VADDR + 256);
    assert_true(set()->ends_with_call(bytes, 2));
}
