/* SPDX-License-Identifier: MIT */
#include "insn_arm_fixture.h"

static const struct insn_set *set(void)
{
    return insn_set_for(arch_get(ARCH_ARM), CODE_DEFAULT);
}

/* Bytes as GNU as assembles them; at 0x1000. */
static const struct effect_case EFFECTS[] = {
    {"push {r4, r5, lr}", "\x30\x40\x2d\xe9", 4,
     "sp = sp-12; [sp+0] = r4; [sp+4] = r5; [sp+8] = lr"},
    {"push {fp, ip, lr, pc}", "\x00\xd8\x2d\xe9", 4,
     "sp = sp-16; [sp+0] = r11; [sp+4] = r12; [sp+8] = lr; [sp+12] = ?"},
    {"push {r3}", "\x04\x30\x2d\xe5", 4, "sp = sp-4; [sp+0] = r3"},
    {"str lr, [sp, #-8]!", "\x08\xe0\x2d\xe5", 4, "sp = sp-8; [sp+0] = lr"},
    {"strd r4, r5, [sp, #-16]!", "\xf0\x41\x6d\xe1", 4, "sp = sp-16; [sp+0] = r4; [sp+4] = r5"},
    {"strh r1, [r2, #-2]!", "\xb2\x10\x62\xe1", 4, "r2 = r2-2; [r2+0] = ? (2)"},
    {"strb r1, [sp, #-4]", "\x04\x10\x4d\xe5", 4, "[sp-4] = ? (1)"},
    {"str sp, [sp, #-4]!", "\x04\xd0\x2d\xe5", 4, "sp = sp-4; [sp+0] = ?"},
    {"stm r0!, {r1, r2}", "\x06\x00\xa0\xe8", 4, "[r0+0] = r1; [r0+4] = r2; r0 = r0+8"},
    {"stmda r0!, {r1, r2}", "\x06\x00\x20\xe8", 4, "r0 = r0-8; [r0+4] = r1; [r0+8] = r2"},
    {"stmib r0, {r1, r2}", "\x06\x00\x80\xe9", 4, "[r0+4] = r1; [r0+8] = r2"},
    {"vpush {d8-d15}", "\x10\x8b\x2d\xed", 4, "sp = sp-64; [sp+0] = ? (64)"},
    {"vpush {s16}", "\x01\x8a\x2d\xed", 4, "sp = sp-4; [sp+0] = ?"},
    {"vstmdb r0!, {s0, s1}", "\x02\x0a\x20\xed", 4, "r0 = r0-8; [r0+0] = ? (8)"},
    {"vstr d8, [sp, #-8]", "\x02\x8b\x0d\xed", 4, "[sp-8] = ? (8)"},
    {"vst1.64 {d8, d9}, [sp:64], r1", "\xd1\x8a\x0d\xf4", 4, "[sp+0] = ? (16); unknown sp"},
    {"pop {r4, r5}", "\x30\x00\xbd\xe8", 4, "r4 = [sp+0]; r5 = [sp+4]; sp = sp+8"},
    {"pop {r3}", "\x04\x30\x9d\xe4", 4, "r3 = [sp+0]; sp = sp+4"},
    {"pop {pc}", "\x04\xf0\x9d\xe4", 4, "return; sp = sp+4"},
    {"pop {r4, pc}", "\x10\x80\xbd\xe8", 4, "return; r4 = [sp+0]; sp = sp+8"},
    {"popne {r4, pc}", "\x10\x80\xbd\x18", 4, "return if 1; r4 = [sp+0]; sp = sp+8"},
    {"ldr pc, [sp], #8", "\x08\xf0\x9d\xe4", 4, "return; sp = sp+8"},
    {"ldrd r4, r5, [sp], #16", "\xd0\x41\xcd\xe0", 4, "r4 = [sp+0]; r5 = [sp+4]; sp = sp+16"},
    {"ldm fp, {fp, sp, pc}", "\x00\xa8\x9b\xe8", 4, "return; sp = [r11+4]; r11 = [r11+0]"},
    {"ldmdb fp, {r4, fp, sp, pc}", "\x10\xa8\x1b\xe9", 4,
     "return; r4 = [r11-16]; sp = [r11-8]; r11 = [r11-12]"},
    {"ldmib sp!, {r4, pc}", "\x10\x80\xbd\xe9", 4, "return; r4 = [sp+4]; sp = sp+8"},
    {"ldmda r0, {r1, r2}", "\x06\x00\x10\xe8", 4, "r1 = [r0-4]; r2 = [r0+0]"},
    {"ldm r0, {r0, r2}", "\x05\x00\x90\xe8", 4, "r2 = [r0+4]; r0 = [r0+0]"},
    {"ldm r0!, {r1, pc}", "\x02\x80\xb0\xe8", 4, "indirect ?; r1 = [r0+0]; r0 = r0+8"},
    {"ldm r0, {r1, r2}^", "\x06\x00\xd0\xe8", 4, "unknown r1 r2"},
    {"vpop {d8-d15}", "\x10\x8b\xbd\xec", 4, "sp = sp+64"},
    {"vldmia r0!, {d0-d3}", "\x08\x0b\xb0\xec", 4, "r0 = r0+32"},
    {"vld1.8 {d0}, [r0]!", "\x0d\x07\x20\xf4", 4, "r0 = r0+8"},
    {"mov ip, sp", "\x0d\xc0\xa0\xe1", 4, "r12 = sp+0"},
    {"sub fp, ip, #4", "\x04\xb0\x4c\xe2", 4, "r11 = r12-4"},
    {"sub sp, fp, #12", "\x0c\xd0\x4b\xe2", 4, "sp = r11-12"},
    {"add sp, sp, #16", "\x10\xd0\x8d\xe2", 4, "sp = sp+16"},
    {"subne sp, sp, #16", "\x10\xd0\x4d\x12", 4, "if 1; sp = sp-16"},
    {"add sp, sp, r3", "\x03\xd0\x8d\xe0", 4, "sp = sp + r3"},
    {"sub sp, sp, r3", "\x03\xd0\x4d\xe0", 4, "sp = sp - r3"},
    {"sub sp, sp, r3, lsl #2", "\x03\xd1\x4d\xe0", 4, "unknown sp"},
    {"rsb sp, r3, sp", "\x0d\xd0\x63\xe0", 4, "unknown sp"},
    {"orrs r0, r3, #1", "\x01\x00\x93\xe3", 4, "r0 = r3 | 1"},
    {"add r0, r1, r2, lsl #2", "\x02\x01\x81\xe0", 4, "r0 = r1 + r2 << 2"},
    {"add r0, r1, r2, lsl r3", "\x12\x03\x81\xe0", 4, "unknown r0"},
    {"add r0, r1, r2, asr #2", "\x42\x01\x81\xe0", 4, "unknown r0"},
    {"add r3, pc, r3", "\x03\x30\x8f\xe0", 4, "r3 = r3+4104"},
    {"add r3, r3, pc", "\x0f\x30\x83\xe0", 4, "r3 = r3+4104"},
    {"add r3, pc, #8", "\x08\x30\x8f\xe2", 4, "r3 = 4112"},
    {"sub r3, pc, #8", "\x08\x30\x4f\xe2", 4, "r3 = 4096"},
    {"add ip, pc, #0, 12", "\x00\xc6\x8f\xe2", 4, "r12 = 4104"},
    {"add ip, ip, #12, 20", "\x0c\xca\x8c\xe2", 4, "r12 = r12+49152"},
    {"ldr pc, [ip, #8]!", "\x08\xf0\xbc\xe5", 4, "indirect ?; r12 = r12+8"},
    {"movw r3, #0x1234", "\x34\x32\x01\xe3", 4, "r3 = 4660"},
    {"movt r3, #0x1234", "\x34\x32\x41\xe3", 4, "r3 insert 4660 << 16"},
    {"mov r3, #0xff000000", "\xff\x34\xa0\xe3", 4, "r3 = 4278190080"},
    {"mvn r3, #0", "\x00\x30\xe0\xe3", 4, "r3 = 4294967295"},
    {"mov r3, pc", "\x0f\x30\xa0\xe1", 4, "r3 = 4104"},
    {"mov r3, r4, lsl #2", "\x04\x31\xa0\xe1", 4, "unknown r3"},
    {"lsl r3, r4, r5", "\x14\x35\xa0\xe1", 4, "unknown r3"},
    {"bic sp, sp, #7", "\x07\xd0\xcd\xe3", 4, "align sp"},
    {"and sp, sp, #0xfffffff0", "\x0f\xd0\xcd\xe3", 4, "align sp"},
    {"and r3, r3, #7", "\x07\x30\x03\xe2", 4, "unknown r3; compare r3 7"},
    {"bfc r4, #0, #4", "\x1f\x40\xc3\xe7", 4, "align r4"},
    {"bfi r4, r3, #0, #4", "\x13\x40\xc3\xe7", 4, "unknown r4"},
    {"ldr r3, [pc, #8]", "\x08\x30\x9f\xe5", 4, "r3 = literal 0x1010"},
    {"ldr r3, [pc, #-16]", "\x10\x30\x1f\xe5", 4, "r3 = literal 0xff8"},
    {"ldrd r0, r1, [pc, #8]", "\xd8\x00\xcf\xe1", 4, "r0 = literal 0x1010; r1 = literal 0x1014"},
    {"ldr r1, [r2], #-4", "\x04\x10\x12\xe4", 4, "r1 = [r2+0]; r2 = r2-4"},
    {"ldr r1, [r2, #-4]!", "\x04\x10\x32\xe5", 4, "r2 = r2-4; r1 = [r2+0]"},
    {"ldr r1, [r2], r3", "\x03\x10\x92\xe6", 4, "r1 = [r2+0]; r2 = r2 + r3"},
    {"ldr r1, [r2], -r3", "\x03\x10\x12\xe6", 4, "r1 = [r2+0]; unknown r2"},
    {"ldr r1, [r2, r3, lsl #2]!", "\x03\x11\xb2\xe7", 4, "r2 = r2 + r3 << 2; r1 = [r2+0]"},
    {"ldr r1, [r2, r3, asr #2]!", "\x43\x11\xb2\xe7", 4, "unknown r2; r1 = [r2+0]"},
    {"ldr pc, [sp], fp: Go returns so from a large frame", "\x0b\xf0\x9d\xe6", 4,
     "return; sp = sp + r11"},
    {"ldr r1, [r2, -r3]", "\x03\x10\x12\xe7", 4, "unknown r1"},
    {"ldr r1, [r2, r3, lsl #2]", "\x03\x11\x92\xe7", 4, "r1 = u32 of table r2+0"},
    {"ldr r1, [r2, -r3, lsl #2]", "\x03\x11\x12\xe7", 4, "unknown r1"},
    {"ldrb r1, [r2, r3]", "\x03\x10\xd2\xe7", 4, "r1 = u8 of table r2+0"},
    {"ldrsb r1, [r2, r3]", "\xd3\x10\x92\xe1", 4, "r1 = s8 of table r2+0"},
    {"ldrsh r1, [r2, r3]", "\xf3\x10\x92\xe1", 4, "unknown r1"},
    {"ldrh r1, [r2], #2", "\xb2\x10\xd2\xe0", 4, "unknown r1; r2 = r2+2"},
    {"ldrht r1, [r2], r3", "\xb3\x10\xb2\xe0", 4, "unknown r1 r2"},
    {"ldrt r1, [r2], #4", "\x04\x10\xb2\xe4", 4, "unknown r1 r2"},
    {"str r1, [r2], #-4", "\x04\x10\x02\xe4", 4, "[r2+0] = r1; r2 = r2-4"},
    {"str r1, [r2, -r3]!", "\x03\x10\x22\xe7", 4, "unknown r2; [r2+0] = r1"},
    {"str lr, [sp, fp]!: Go makes one so", "\x0b\xe0\xad\xe7", 4, "sp = sp + r11; [sp+0] = lr"},
    {"str r1, [r2], -r3", "\x03\x10\x02\xe6", 4, "[r2+0] = r1; unknown r2"},
    {"addls pc, pc, r3, lsl #2", "\x03\xf1\x8f\x90", 4, "indirect pc if 9; pc = 0x1008 + n * 4"},
    {"ldrls pc, [pc, r3, lsl #2]", "\x03\xf1\x9f\x97", 4,
     "indirect pc if 9; pc = u32 of table ?+4104"},
    {"ldr pc, [r1, r2, lsl #2]", "\x02\xf1\x91\xe7", 4, "indirect pc; pc = u32 of table r1+0"},
    {"ldr pc, [pc, #8]", "\x08\xf0\x9f\xe5", 4, "indirect ?"},
    {"ldr pc, [r1]", "\x00\xf0\x91\xe5", 4, "indirect ?"},
    {"add pc, r1, r2, lsl #2", "\x02\xf1\x81\xe0", 4, "indirect pc; pc = r1 + r2 << 2"},
    {"add pc, pc, r3", "\x03\xf0\x8f\xe0", 4, "indirect pc; t2 = 4104; pc = t2 + r3"},
    {"add pc, r1, r2", "\x02\xf0\x81\xe0", 4, "indirect pc; pc = r1 + r2"},
    {"umull r1, r2, r3, r4", "\x93\x14\x82\xe0", 4, "unknown r1 r2"},
    {"smlal r1, r2, r3, r4", "\x93\x14\xe2\xe0", 4, "unknown r1 r2"},
    {"sdiv r0, r1, r2", "\x11\xf2\x10\xe7", 4, "unknown r0"},
    {"uxtb r0, r4", "\x74\x00\xef\xe6", 4, "unknown r0"},
    {"ssat r0, #4, r4", "\x14\x00\xa3\xe6", 4, "unknown r0"},
    {"qadd r0, r1, r2", "\x51\x00\x02\xe1", 4, "unknown r0"},
    {"vmov r1, r2, d0", "\x10\x1b\x52\xec", 4, "unknown r1 r2"},
    {"vmov d0, r1, r2", "\x10\x1b\x42\xec", 4, ""},
    {"vmov r0, s0", "\x10\x0a\x10\xee", 4, "unknown r0"},
    {"vmrs r0, fpscr", "\x10\x0a\xf1\xee", 4, "unknown r0"},
    {"vmrs APSR_nzcv, fpscr", "\x10\xfa\xf1\xee", 4, ""},
    {"mrc p15, 0, r1, c13, c0, 3", "\x70\x1f\x1d\xee", 4, "unknown r1"},
    {"mcr p15, 0, r1, c7, c10, 5", "\xba\x1f\x07\xee", 4, ""},
    {"mrrc p15, 0, r1, r2, c14", "\x0e\x1f\x52\xec", 4, "unknown r1 r2"},
    /* stcl p1; coprocessors that Capstone 5 does not know */
    {"wstrd wr10, [r12], #8", "\x02\xa1\xec\xec", 4, "[r12+0] = ? (8); r12 = r12+8"},
    {"wldrd wr10, [r12], #8", "\x02\xa1\xfc\xec", 4, "r12 = r12+8"},
    {"mrc p6, 0, r1, c2, c3, 0", "\x13\x16\x12\xee", 4, "unknown r1"},
    {"mcrr p4, 1, r1, r2, c3", "\x13\x14\x42\xec", 4, ""},
    {"mrrc p4, 1, r1, r2, c3", "\x13\x14\x52\xec", 4, "unknown r1 r2"},
    {"mrs r1, lr_irq", "\x00\x13\x00\xe1", 4, "unknown r1"},
    {"msr lr_irq, r1", "\x01\xf3\x20\xe1", 4, ""},
    {"ldr r3, [sp], #-4: for Capstone 5 it is pop", "\x04\x30\x1d\xe4", 4,
     "r3 = [sp+0]; sp = sp-4"},
    {"setpan #1", "\x00\x02\x10\xf1", 4, ""},
    {"vadd.i32 q0, q1, q2", "\x44\x08\x22\xf2", 4, ""},
    {"vmaxnm.f32 d0, d1, d2", "\x12\x0f\x01\xf3", 4, ""},
    {"aese.8 q0, q1", "\x02\x03\xb0\xf3", 4, ""},
    {"ldrex r1, [r2]", "\x9f\x1f\x92\xe1", 4, "unknown r1"},
    {"ldrexd r0, r1, [r2]", "\x9f\x0f\xb2\xe1", 4, "unknown r0 r1"},
    {"strexd r3, r0, r1, [sp]", "\x90\x3f\xad\xe1", 4, "[sp+0] = ? (8); unknown r3"},
    {"swp r0, r1, [r2]", "\x91\x00\x02\xe1", 4, "[r2+0] = ?; unknown r0"},
    {"lda r0, [r1]", "\x9f\x0c\x91\xe1", 4, "unknown r0"},
    {"stl r0, [r1]", "\x90\xfc\x81\xe1", 4, "[r1+0] = ? (8)"},
    {"crc32w r0, r1, r2", "\x42\x00\x41\xe1", 4, "unknown r0"},
    {"mrs r0, apsr", "\x00\x00\x0f\xe1", 4, "unknown r0"},
    {"pld [r0, #4]", "\x04\xf0\xd0\xf5", 4, ""},
    {"dmb ish", "\x5b\xf0\x7f\xf5", 4, ""},
    {"cmp r0, #5", "\x05\x00\x50\xe3", 4, "compare r0 5"},
    {"cmpeq r0, r1", "\x01\x00\x50\x01", 4, "if 0; compare r0 r1"},
    {"cmp r0, r1, lsl #2", "\x01\x01\x50\xe1", 4, ""},
    {"tst r0, r1", "\x01\x00\x10\xe1", 4, ""},
    {"cmn r0, #1", "\x01\x00\x70\xe3", 4, ""},
    {"bx lr", "\x1e\xff\x2f\xe1", 4, "return"},
    {"bxeq lr", "\x1e\xff\x2f\x01", 4, "return if 0"},
    {"bx r3", "\x13\xff\x2f\xe1", 4, "indirect r3"},
    {"bx pc", "\x1f\xff\x2f\xe1", 4, "jump 0x1008"},
    {"blx r3", "\x33\xff\x2f\xe1", 4, "call; unknown r0 r1 r2 r3 r12 lr"},
    {"blxne r3", "\x33\xff\x2f\x11", 4, "call if 1; unknown r0 r1 r2 r3 r12 lr"},
    {"mov pc, lr", "\x0e\xf0\xa0\xe1", 4, "return"},
    {"moveq pc, lr", "\x0e\xf0\xa0\x01", 4, "return if 0"},
    {"movs pc, lr", "\x0e\xf0\xb0\xe1", 4, "return"},
    {"mov pc, r3", "\x03\xf0\xa0\xe1", 4, "indirect r3"},
    {"b .+0x1000", "\xfe\x03\x00\xea", 4, "jump 0x2000"},
    {"beq .-0x100", "\xbe\xff\xff\x0a", 4, "branch 0xf00 equal-if-taken"},
    {"bne .+0x100", "\x3e\x00\x00\x1a", 4, "branch 0x1100 equal-if-not"},
    {"bhi .+0x100", "\x3e\x00\x00\x8a", 4, "branch 0x1100"},
    {"bl .+0x1000", "\xfe\x03\x00\xeb", 4, "call 0x2000; unknown r0 r1 r2 r3 r12 lr"},
    {"blne .+0x1000", "\xfe\x03\x00\x1b", 4, "call 0x2000 if 1; unknown r0 r1 r2 r3 r12 lr"},
    {"blx .+0x1000", "\xfe\x03\x00\xfa", 4, "call 0x2000 T32; unknown r0 r1 r2 r3 r12 lr"},
    {"blx .+0x1002", "\xfe\x03\x00\xfb", 4, "call 0x2002 T32; unknown r0 r1 r2 r3 r12 lr"},
    {"svc 0", "\x00\x00\x00\xef", 4, "unknown r0"},
    {"udf #0", "\xf0\x00\xf0\xe7", 4, "stop"},
    {"bkpt #1", "\x71\x00\x20\xe1", 4, "stop"},
    {"nop", "\x00\xf0\x20\xe3", 4, "padding"},
    {"mov r0, r0", "\x00\x00\xa0\xe1", 4, "padding"},
    {"andeq r0, r0, r0", "\x00\x00\x00\x00", 4, "padding"},
    {"yield", "\x01\xf0\x20\xe3", 4, ""},
    {"subs pc, lr, #4", "\x04\xf0\x5e\xe2", 4, "indirect ?"},
    {"rfeia sp!", "\x00\x0a\xbd\xf8", 4, "indirect ?; unknown sp"},
};

TEST(insn_effects_are_those_of_the_manual)
{
    check_effects(ARCH_ARM, CODE_DEFAULT, EFFECTS, COUNT(EFFECTS));
}

TEST(insn_that_is_cut_is_not_found)
{
    check_cut(EFFECTS, COUNT(EFFECTS));
}

TEST(insn_any_bytes_are_survived)
{
    check_any_bytes();
}

TEST(insn_no_instruction_is_not_found)
{
    static const struct bytes_case codes[] = {
        {"\xff\xff\xff\xff", 4}, {"\x00\x00\x2d\xe9", 4}, /* push {} */
        {"\x10\xff\x9f\xe7", 4},                          /* media, unallocated */
        {"\x43\xb3\xf3\xe1", 4},                          /* mvns with a second operand */
        {"\x00\xa7\x1b\xf1", 4},                          /* setpan with bits that are zero */
        {"\x00\xf3\x00\xe1", 4},                          /* mrs pc, lr_irq */
        {"\x01\x01\x00\xee", 4},                          /* cdp p1 */
    };

    check_undecodable(codes, COUNT(codes));
}

TEST(insn_that_compares_or_calls_writes_flags)
{
    struct decoder *d = decoder();

    assert_true(decode_one(d, "\x05\x00\x50\xe3", 4, VADDR, 0).writes_flags);  /* cmp r0, #5 */
    assert_true(decode_one(d, "\x05\x00\x50\x03", 4, VADDR, 0).writes_flags);  /* cmpeq r0, #5 */
    assert_true(decode_one(d, "\x03\x00\x91\xe2", 4, VADDR, 0).writes_flags);  /* adds r0, r1, #3 */
    assert_false(decode_one(d, "\x03\x00\x81\xe2", 4, VADDR, 0).writes_flags); /* add r0, r1, #3 */
    assert_true(decode_one(d, "\x00\xf0\x28\xe1", 4, VADDR, 0).writes_flags);  /* msr APSR, r0 */
    assert_true(decode_one(d, "\x33\xff\x2f\xe1", 4, VADDR, 0).writes_flags);  /* blx r3 */
    decoder_destroy(d);
}

TEST(insn_addresses_wrap_at_32_bits)
{
    struct decoder *d = decoder();

    assert_int_equal(decode_one(d, "\x00\x00\x00\xea", 4, 0xfffffffc, 0).target_vaddr, 4);
    assert_int_equal(decode_one(d, "\x00\x00\x80\xea", 4, 0, 0).target_vaddr, 0xfe000008);
    decoder_destroy(d);
}

TEST(insn_reads_what_it_uses)
{
    struct decoder *d = decoder();

    assert_reads(d, "\x30\x40\x2d\xe9", 4, 1u << SP);           /* push {r4, r5, lr} */
    assert_reads(d, "\x0c\x30\x8d\xe5", 4, 1u << SP);           /* str r3, [sp, #12] */
    assert_reads(d, "\x04\x30\x87\xe5", 4, 1u << 7 | 1u << R3); /* str r3, [r7, #4] */
    assert_reads(d, "\x01\x31\x92\xe7", 4, 1u << 1 | 1u << 2);  /* ldr r3, [r2, r1, lsl #2] */
    assert_reads(d, "\x04\x30\xa0\xe1", 4, 1u << R4);           /* mov r3, r4 */
    assert_reads(d, "\x12\x03\x81\xe0", 4,
                 1u << 1 | 1u << 2 | 1u << R3); /* add r0, r1, r2, lsl r3 */
    assert_reads(d, "\x04\x00\x50\xe1", 4, 0);  /* cmp r0, r4 */
    assert_reads(d, "\x04\x40\x24\xe0", 4, 0);  /* eor r4, r4, r4 */
    decoder_destroy(d);
}

static void assert_literal(struct decoder *d, const char *bytes, uint64_t vaddr, uint8_t size)
{
    struct insn insn = decode_one(d, bytes, 4, VADDR, 0);

    assert_int_equal(insn.literal_vaddr, vaddr);
    assert_int_equal(insn.literal_size, size);
}

TEST(insn_literals_of_every_size_are_data)
{
    struct decoder *d = decoder();

    assert_literal(d, "\x08\x30\x9f\xe5", 0x1010, 4); /* ldr r3, [pc, #8] */
    assert_literal(d, "\x08\x30\xdf\xe5", 0x1010, 1); /* ldrb r3, [pc, #8] */
    assert_literal(d, "\xb8\x30\xdf\xe1", 0x1010, 2); /* ldrh r3, [pc, #8] */
    assert_literal(d, "\xd8\x20\xcf\xe1", 0x1010, 8); /* ldrd r2, r3, [pc, #8] */
    assert_literal(d, "\x02\x0b\x9f\xed", 0x1010, 8); /* vldr d0, [pc, #8] */
    assert_literal(d, "\x02\x0a\x9f\xed", 0x1010, 4); /* vldr s0, [pc, #8] */
    assert_literal(d, "\x08\x30\x91\xe5", 0, 0);      /* ldr r3, [r1, #8] */
    decoder_destroy(d);
}

TEST(insn_jumps_tell_their_target)
{
    assert_int_equal(jump_target("\xfe\x03\x00\xea", 4), 0x2000);
    assert_int_equal(jump_target("\xbe\xff\xff\x0a", 4), 0xf00);
    assert_int_equal(jump_target("\xfe\x03\x00\xea", 3), 0);
    assert_int_equal(jump_target("\xfe\x03\x00\xeb", 4), 0);
    assert_int_equal(jump_target("\xfe\x03\x00\xfa", 4), 0);
}

TEST(insn_calls_are_recognized_from_behind)
{
    static const struct told_case codes[] = {
        {"\xfe\x03\x00\xeb", 4, true},                  /* bl */
        {"\xfe\x03\x00\x1b", 4, true},                  /* blne */
        {"\xfe\x03\x00\xfa", 4, true},                  /* blx */
        {"\xfe\x03\x00\xfb", 4, true},                  /* blx, to a second halfword */
        {"\x33\xff\x2f\xe1", 4, true},                  /* blx r3 */
        {"\x33\xff\x2f\x11", 4, true},                  /* blxne r3 */
        {"\x0f\xe0\xa0\xe1\x13\xff\x2f\xe1", 8, true},  /* mov lr, pc; bx r3 */
        {"\x0f\xe0\xa0\xe1\x04\xf0\x93\xe5", 8, true},  /* mov lr, pc; ldr pc, [r3, #4] */
        {"\x13\xff\x2f\xe1", 4, false},                 /* bx r3 */
        {"\xfe\x03\x00\xea", 4, false},                 /* b */
        {"\xfe\x03\x00\xeb\x00\xf0\x20\xe3", 8, false}, /* bl; nop */
        {"\x03\x00\xeb", 3, false},
        {"", 0, false},
    };

    check_told(set()->ends_with_call, codes, COUNT(codes));
}

TEST(insn_strong_start_saves_the_link_register)
{
    static const struct told_case codes[] = {
        {"\x10\x40\x2d\xe9", 4, true},                  /* push {r4, lr} */
        {"\x04\xe0\x2d\xe5", 4, true},                  /* str lr, [sp, #-4]! */
        {"\x0d\xc0\xa0\xe1\x10\xd8\x2d\xe9", 8, true},  /* mov ip, sp; push {r4, fp, ip, lr, pc} */
        {"\x0d\xc0\xa0\xe1\x10\x08\x2d\xe9", 8, false}, /* mov ip, sp; push {r4, fp} */
        {"\x0d\xc0\xa0\xe1", 4, false},                 /* mov ip, sp */
        {"\x10\x00\x2d\xe9", 4, false},                 /* stmfd sp!, {r4} */
        {"\x04\x40\x2d\xe5", 4, false},                 /* push {r4} */
        {"\x10\x40\x2d\x19", 4, false},                 /* pushne {r4, lr} */
        {"\xb2\x4a\x2d\xe9\xf0\x4f", 6, true},          /* push {..}, and what is cut */
        {"\xb2\x4a\x2d\xe9\x04\xb0\x8d\xe2", 8, true},  /* push {..}; add fp, sp, #4 */
        {"\xb2\x4a\x2d\xe9\x00\x40\xa0\xe1", 8, true},  /* push {..}; mov r4, r0 */
        {"\xb2\x4a\x2d\xe9\xfe\x03\x00\xeb", 8, true},  /* push {..}; bl */
        {"\xb2\x4a\x2d\xe9\xf0\x4f\x04\x46", 8, false}, /* T32 ldr r2, [pc]; push.w {r4-r11, lr} */
        {"\x03\x4b\x2d\xe9\xf0\x41\x04\x46", 8, false}, /* T32 ldr r3, [pc]; push.w {r4-r8, lr} */
        {"\x40\x2d\xe9", 3, false},
        {"", 0, false},
    };

    check_told(set()->strong_start, codes, COUNT(codes));
}

TEST(insn_sigreturn_restores_every_register)
{
    struct row row;

    sigreturn_reads("\x77\x70\xa0\xe3\x00\x00\x00\xef", 8, 32);  /* mov r7, #119; svc 0 */
    sigreturn_reads("\xad\x70\xa0\xe3\x00\x00\x00\xef", 8, 160); /* mov r7, #173; svc 0 */
    sigreturn_reads("\x77\x70\xa0\xe3\x77\x00\x90\xef", 8, 32); /* svc 0x900077: the kernel's own */
    assert_int_equal(set()->sigreturn_row((const uint8_t *)"\x01\x70\xa0\xe3\x00\x00\x00\xef", 8,
                                          VADDR, &row),
                     STATUS_NOT_FOUND); /* exit */
}

TEST(insn_end_of_a_thread_is_behind_the_call_that_makes_one)
{
    /* mov r7, #120; svc 0; blx ip; mov r7, #1; svc 0 */
    uint8_t code[] = "\x78\x70\xa0\xe3\x00\x00\x00\xef\x3c\xff\x2f\xe1"
                     "\x01\x70\xa0\xe3\x00\x00\x00\xef";
    const struct arch *arch = arch_get(ARCH_ARM);

    assert_true(insn_ends_thread(arch, code, 12, 20));
    assert_false(insn_ends_thread(arch, code, 12, 19));
    assert_false(insn_ends_thread(arch, code, 8, 20));
    assert_false(insn_ends_thread(arch, code + 4, 8, 16)); /* the program's own exit */
    code[12] = 248;                                        /* exit_group */
    assert_false(insn_ends_thread(arch, code, 12, 20));
}
