/* SPDX-License-Identifier: MIT */
#include "insn_arm_fixture.h"

static const struct insn_set *set(void)
{
    return insn_set_for(arch_get(ARCH_ARM), CODE_T32);
}

/* Bytes as GNU as assembles them; at 0x1000. */
static const struct effect_case EFFECTS[] = {
    {"push {r4, r5, lr}", "\x30\xb5", 2, "sp = sp-12; [sp+0] = r4; [sp+4] = r5; [sp+8] = lr"},
    {"push.w {r4, r8, lr}", "\x2d\xe9\x10\x41", 4,
     "sp = sp-12; [sp+0] = r4; [sp+4] = r8; [sp+8] = lr"},
    {"push.w {r4, r5, r6, r7, r8, r9, r10, r11, lr}", "\x2d\xe9\xf0\x4f", 4,
     "sp = sp-36; [sp+0] = r4; [sp+4] = r5; [sp+8] = r6; [sp+12] = r7; [sp+16] = r8; [sp+20] = r9; "
     "[sp+24] = r10; [sp+28] = r11; [sp+32] = lr"},
    {"push {r0, r1, r2, r3}", "\x0f\xb4", 2,
     "sp = sp-16; [sp+0] = r0; [sp+4] = r1; [sp+8] = r2; [sp+12] = r3"},
    {"str lr, [sp, #-4]!", "\x4d\xf8\x04\xed", 4, "sp = sp-4; [sp+0] = lr"},
    {"str r8, [sp, #-8]!", "\x4d\xf8\x08\x8d", 4, "sp = sp-8; [sp+0] = r8"},
    {"strd r4, r5, [sp, #-16]!", "\x6d\xe9\x04\x45", 4, "sp = sp-16; [sp+0] = r4; [sp+4] = r5"},
    {"strd r6, lr, [sp, #8]", "\xcd\xe9\x02\x6e", 4, "[sp+8] = r6; [sp+12] = lr"},
    {"stmia r0!, {r1, r2}", "\x06\xc0", 2, "[r0+0] = r1; [r0+4] = r2; r0 = r0+8"},
    {"stmia.w r0, {r0, r4}", "\x80\xe8\x11\x00", 4, "[r0+0] = r0; [r0+4] = r4"},
    {"stmdb r0!, {r1, r2}", "\x20\xe9\x06\x00", 4, "r0 = r0-8; [r0+0] = r1; [r0+4] = r2"},
    {"vpush {d8, d9}", "\x2d\xed\x04\x8b", 4, "sp = sp-16; [sp+0] = ? (16)"},
    {"vpush {s16}", "\x2d\xed\x01\x8a", 4, "sp = sp-4; [sp+0] = ?"},
    {"vstmia r0!, {d0-d3}", "\xa0\xec\x08\x0b", 4, "[r0+0] = ? (32); r0 = r0+32"},
    {"vstr d8, [sp, #8]", "\x8d\xed\x02\x8b", 4, "[sp+8] = ? (8)"},
    {"vstr s16, [sp, #-4]", "\x0d\xed\x01\x8a", 4, "[sp-4] = ?"},
    {"vst1.64 {d8, d9}, [sp:64]", "\x0d\xf9\xdf\x8a", 4, "[sp+0] = ? (16)"},
    {"vst1.8 {d0}, [r0]!", "\x00\xf9\x0d\x07", 4, "[r0+0] = ? (8); r0 = r0+8"},
    {"vst1.8 {d0}, [r0], r1", "\x00\xf9\x01\x07", 4, "[r0+0] = ? (8); unknown r0"},
    {"vst4.32 {d0[1], d1[1], d2[1], d3[1]}, [r0]!", "\x80\xf9\x8d\x0b", 4,
     "[r0+0] = ? (16); r0 = r0+16"},
    {"pop {r4, r5}", "\x30\xbc", 2, "r4 = [sp+0]; r5 = [sp+4]; sp = sp+8"},
    {"pop {r4, pc}", "\x10\xbd", 2, "return; r4 = [sp+0]; sp = sp+8"},
    {"pop.w {r4, r8, pc}", "\xbd\xe8\x10\x81", 4, "return; r4 = [sp+0]; r8 = [sp+4]; sp = sp+12"},
    {"ldr pc, [sp], #4", "\x5d\xf8\x04\xfb", 4, "return; sp = sp+4"},
    {"ldr lr, [sp], #4", "\x5d\xf8\x04\xeb", 4, "lr = [sp+0]; sp = sp+4"},
    {"ldr.w pc, [sp, #8]", "\xdd\xf8\x08\xf0", 4, "return"},
    {"ldrd r4, r5, [sp], #16", "\xfd\xe8\x04\x45", 4, "r4 = [sp+0]; r5 = [sp+4]; sp = sp+16"},
    {"ldrd r0, r1, [sp, #-8]!", "\x7d\xe9\x02\x01", 4, "sp = sp-8; r0 = [sp+0]; r1 = [sp+4]"},
    {"ldrd r0, r1, [r0]", "\xd0\xe9\x00\x01", 4, "r1 = [r0+4]; r0 = [r0+0]"},
    {"ldmia.w r7, {r4, r7}", "\x97\xe8\x90\x00", 4, "r4 = [r7+0]; r7 = [r7+4]"},
    {"ldmia r0!, {r1, r2}", "\x06\xc8", 2, "r1 = [r0+0]; r2 = [r0+4]; r0 = r0+8"},
    {"ldmdb r0!, {r1, pc}", "\x30\xe9\x02\x80", 4, "indirect ?; r1 = [r0-8]; r0 = r0-8"},
    {"vpop {d8, d9}", "\xbd\xec\x04\x8b", 4, "sp = sp+16"},
    {"vldr d8, [sp, #8]", "\x9d\xed\x02\x8b", 4, ""},
    {"vld1.8 {d0, d1}, [r0]!", "\x20\xf9\x0d\x0a", 4, "r0 = r0+16"},
    {"add sp, #16", "\x04\xb0", 2, "sp = sp+16"},
    {"sub sp, #16", "\x84\xb0", 2, "sp = sp-16"},
    {"sub.w sp, sp, #4096", "\xad\xf5\x80\x5d", 4, "sp = sp-4096"},
    {"addw sp, sp, #1234", "\x0d\xf2\xd2\x4d", 4, "sp = sp+1234"},
    {"subw sp, sp, #1234", "\xad\xf2\xd2\x4d", 4, "sp = sp-1234"},
    {"sub.w sp, r11, #28", "\xab\xf1\x1c\x0d", 4, "sp = r11-28"},
    {"add sp, r3", "\x9d\x44", 2, "sp = sp + r3"},
    {"add.w sp, sp, r3, lsl #2", "\x0d\xeb\x83\x0d", 4, "sp = sp + r3 << 2"},
    {"sub.w sp, sp, r3", "\xad\xeb\x03\x0d", 4, "sp = sp - r3"},
    {"add r7, sp, #8", "\x02\xaf", 2, "r7 = sp+8"},
    {"add.w r7, r3, #256", "\x03\xf5\x80\x77", 4, "r7 = r3+256"},
    {"adds r0, r1, #3", "\xc8\x1c", 2, "r0 = r1+3"},
    {"subs r0, #3", "\x03\x38", 2, "r0 = r0-3"},
    {"subs r0, r1, r2", "\x88\x1a", 2, "r0 = r1 - r2"},
    {"add r0, r1", "\x08\x44", 2, "r0 = r0 + r1"},
    {"add r3, pc", "\x7b\x44", 2, "r3 = r3+4100"},
    {"add pc, r3", "\x9f\x44", 2, "indirect pc; t2 = 4100; pc = t2 + r3"},
    {"add.w r0, r1, r2, lsl #2", "\x01\xeb\x82\x00", 4, "r0 = r1 + r2 << 2"},
    {"add.w r0, r1, r2, lsr #2", "\x01\xeb\x92\x00", 4, "unknown r0"},
    {"rsb r0, r1, #0", "\xc1\xf1\x00\x00", 4, "unknown r0"},
    {"orr.w r0, r3, #1", "\x43\xf0\x01\x00", 4, "r0 = r3 | 1"},
    {"orr.w r0, r3, #2", "\x43\xf0\x02\x00", 4, "unknown r0"},
    {"orr.w r3, r3, r1", "\x43\xea\x01\x03", 4, "unknown r3"},
    {"adr r3, .+8", "\x01\xa3", 2, "r3 = 4104"},
    {"subw r3, pc, #64", "\xaf\xf2\x40\x03", 4, "r3 = 4036"},
    {"mov sp, r7", "\xbd\x46", 2, "sp = r7+0"},
    {"mov r7, sp", "\x6f\x46", 2, "r7 = sp+0"},
    {"mov r3, pc", "\x7b\x46", 2, "r3 = 4100"},
    {"mov.w r4, sp", "\x4f\xea\x0d\x04", 4, "r4 = sp+0"},
    {"movs r3, #7", "\x07\x23", 2, "r3 = 7"},
    {"mvn r3, #0", "\x6f\xf0\x00\x03", 4, "r3 = 4294967295"},
    {"movw r3, #0x1234", "\x41\xf2\x34\x23", 4, "r3 = 4660"},
    {"movt r3, #0x1234", "\xc1\xf2\x34\x23", 4, "r3 insert 4660 << 16"},
    {"lsls r3, r3, #2", "\x9b\x00", 2, "unknown r3"},
    {"mov r3, r4, lsl #2", "\x4f\xea\x84\x03", 4, "unknown r3"},
    {"bic r4, r4, #15", "\x24\xf0\x0f\x04", 4, "align r4"},
    {"bic sp, sp, #7", "\x2d\xf0\x07\x0d", 4, "align sp"},
    {"bic r4, sp, #7", "\x2d\xf0\x07\x04", 4, "r4 = sp+0; align r4"},
    {"bfc r4, #0, #4", "\x6f\xf3\x03\x04", 4, "align r4"},
    {"bfc r4, #1, #4", "\x6f\xf3\x44\x04", 4, "unknown r4"},
    {"and r3, r4, #7", "\x04\xf0\x07\x03", 4, "unknown r3; compare r3 7"},
    {"and r3, r4, #0xfffffff8", "\x24\xf0\x07\x03", 4, "r3 = r4+0; align r3"},
    {"and r3, r4, #0", "\x04\xf0\x00\x03", 4, "unknown r3; compare r3 0"},
    {"ands r3, r4", "\x23\x40", 2, "unknown r3"},
    {"ldr r3, [pc, #8]", "\x02\x4b", 2, "r3 = literal 0x100c"},
    {"ldr.w r3, [pc, #-8]", "\x5f\xf8\x08\x30", 4, "r3 = literal 0xffc"},
    {"ldrd r0, r1, [pc, #8]", "\xdf\xe9\x02\x01", 4, "r0 = literal 0x100c; r1 = literal 0x1010"},
    {"ldrb.w r3, [pc, #8]", "\x9f\xf8\x08\x30", 4, "unknown r3"},
    {"ldr r3, [sp, #8]", "\x02\x9b", 2, "r3 = [sp+8]"},
    {"ldrb.w r3, [sp, #8]", "\x9d\xf8\x08\x30", 4, "unknown r3"},
    {"str r3, [sp, #8]", "\x02\x93", 2, "[sp+8] = r3"},
    {"strb.w r3, [sp, #3]", "\x8d\xf8\x03\x30", 4, "[sp+3] = ? (1)"},
    {"strh.w r3, [sp, #2]", "\xad\xf8\x02\x30", 4, "[sp+2] = ? (2)"},
    {"str r3, [r7, #4]", "\x7b\x60", 2, "[r7+4] = r3"},
    {"ldr r1, [r2], #4", "\x52\xf8\x04\x1b", 4, "r1 = [r2+0]; r2 = r2+4"},
    {"ldr r1, [r2], #-4", "\x52\xf8\x04\x19", 4, "r1 = [r2+0]; r2 = r2-4"},
    {"ldr r1, [r2, #-4]!", "\x52\xf8\x04\x1d", 4, "r2 = r2-4; r1 = [r2+0]"},
    {"ldr.w r1, [r2, #-4]", "\x52\xf8\x04\x1c", 4, "r1 = [r2-4]"},
    {"str r1, [r2], #-4", "\x42\xf8\x04\x19", 4, "[r2+0] = r1; r2 = r2-4"},
    {"str r3, [sp, r1]", "\x4d\xf8\x01\x30", 4, ""},
    {"ldr r3, [r2, r1]", "\x53\x58", 2, "unknown r3"},
    {"ldr.w r3, [r2, r1, lsl #2]", "\x52\xf8\x21\x30", 4, "r3 = u32 of table r2+0"},
    {"ldrb r3, [r2, r1]", "\x53\x5c", 2, "r3 = u8 of table r2+0"},
    {"ldrsb r3, [r2, r1]", "\x53\x56", 2, "r3 = s8 of table r2+0"},
    {"ldrh r3, [r2, r1]", "\x53\x5a", 2, "unknown r3"},
    {"ldrh.w r3, [r2, r1, lsl #1]", "\x32\xf8\x11\x30", 4, "r3 = u16 of table r2+0"},
    {"ldrsh.w r3, [r2, r1, lsl #1]", "\x32\xf9\x11\x30", 4, "r3 = s16 of table r2+0"},
    {"ldr.w pc, [r1, r2, lsl #2]", "\x51\xf8\x22\xf0", 4, "indirect pc; pc = u32 of table r1+0"},
    {"ldr.w pc, [r1, r2]", "\x51\xf8\x02\xf0", 4, "indirect ?"},
    {"ldr.w pc, [r1, #4]", "\xd1\xf8\x04\xf0", 4, "indirect ?"},
    {"ldr.w pc, [pc, #4]", "\xdf\xf8\x04\xf0", 4, "indirect ?"},
    {"tbb [pc, r0]", "\xdf\xe8\x00\xf0", 4,
     "indirect pc; t2 = 4100; t = u8 of table ?+4100; pc = t2 + t << 1"},
    {"tbh [pc, r0, lsl #1]", "\xdf\xe8\x10\xf0", 4,
     "indirect pc; t2 = 4100; t = u16 of table ?+4100; pc = t2 + t << 1"},
    {"tbb [r1, r0]", "\xd1\xe8\x00\xf0", 4,
     "indirect pc; t2 = 4100; t = u8 of table r1+0; pc = t2 + t << 1"},
    {"umull r1, r2, r3, r4", "\xa3\xfb\x04\x12", 4, "unknown r1 r2"},
    {"umaal r1, r2, r3, r4", "\xe3\xfb\x64\x12", 4, "unknown r1 r2"},
    {"mls r0, r1, r2, r3", "\x01\xfb\x12\x30", 4, "unknown r0"},
    {"sdiv r0, r1, r2", "\x91\xfb\xf2\xf0", 4, "unknown r0"},
    {"ubfx r0, r1, #1, #2", "\xc1\xf3\x41\x00", 4, "unknown r0"},
    {"ssat r0, #4, r1", "\x01\xf3\x03\x00", 4, "unknown r0"},
    {"uxtb r0, r4", "\xe0\xb2", 2, "unknown r0"},
    {"vmov r1, r2, d0", "\x52\xec\x10\x1b", 4, "unknown r1 r2"},
    {"vmov d0, r1, r2", "\x42\xec\x10\x1b", 4, ""},
    {"vmov r0, s0", "\x10\xee\x10\x0a", 4, "unknown r0"},
    {"vmov s0, r0", "\x00\xee\x10\x0a", 4, ""},
    {"vmov.32 r0, d0[1]", "\x30\xee\x10\x0b", 4, "unknown r0"},
    {"vmrs r0, fpscr", "\xf1\xee\x10\x0a", 4, "unknown r0"},
    {"vmrs APSR_nzcv, fpscr", "\xf1\xee\x10\xfa", 4, ""},
    {"mrc p15, 0, r1, c13, c0, 3", "\x1d\xee\x70\x1f", 4, "unknown r1"},
    {"mcr p15, 0, r1, c7, c10, 5", "\x07\xee\xba\x1f", 4, ""},
    {"mrrc p15, 0, r1, r2, c14", "\x52\xec\x0e\x1f", 4, "unknown r1 r2"},
    /* the counter of time; no load of vectors' elements */
    {"mrrc p15, 1, r2, r3, c14", "\x53\xec\x1e\x2f", 4, "unknown r2 r3"},
    /* stcl p1, in glibc's setjmp and getcontext; coprocessors that Capstone 5 does not know */
    {"wstrd wr10, [r12], #8", "\xec\xec\x02\xa1", 4, "[r12+0] = ? (8); r12 = r12+8"},
    {"stcl p1, c10, [r0], #8", "\xe0\xec\x02\xa1", 4, "[r0+0] = ? (8); r0 = r0+8"},
    {"ldcl p1, c10, [r12], #8", "\xfc\xec\x02\xa1", 4, "r12 = r12+8"},
    {"mrc p6, 0, r1, c2, c3, 0", "\x12\xee\x13\x16", 4, "unknown r1"},
    {"mrrc p4, 1, r1, r2, c3", "\x52\xec\x13\x14", 4, "unknown r1 r2"},
    {"mrs r1, lr_irq", "\xe0\xf3\x30\x81", 4, "unknown r1"},
    {"msr lr_irq, r1", "\x81\xf3\x30\x80", 4, ""},
    {"bkpt 0x00ab: a debugger's call", "\xab\xbe", 2, "unknown r0"},
    {"mrs r0, psp", "\xef\xf3\x09\x80", 4, "unknown r0"},
    {"mrs r3, primask", "\xef\xf3\x10\x83", 4, "unknown r3"},
    {"msr psp, r0", "\x80\xf3\x09\x88", 4, "unknown psp"},
    {"msr basepri, r2", "\x82\xf3\x11\x88", 4, ""},
    {"msr msp, r1", "\x81\xf3\x08\x88", 4, "unknown sp"},
    {"msr control, r0", "\x80\xf3\x14\x88", 4, "unknown sp"},
    {"msr msp_ns, r1", "\x81\xf3\x88\x88", 4, ""},
    {"movs r1, r0", "\x01\x00", 2, "r1 = r0+0"},
    {"setpan #1", "\x18\xb6", 2, ""},
    /* and what is among the divisions instead */
    {"vrinta.f16 d4, d29", "\xb6\xfb\x2d\x45", 4, "unknown r4 r5"},
    {"vadd.f64 d0, d1, d2", "\x31\xee\x02\x0b", 4, ""},
    {"vadd.i32 q0, q1, q2", "\x22\xef\x44\x08", 4, ""},
    {"vmaxnm.f32 d0, d1, d2", "\x01\xff\x12\x0f", 4, ""},
    {"ldrex r1, [r2]", "\x52\xe8\x00\x1f", 4, "unknown r1"},
    {"ldrexd r0, r1, [r2]", "\xd2\xe8\x7f\x01", 4, "unknown r0 r1"},
    {"strex r0, r1, [r2]", "\x42\xe8\x00\x10", 4, "[r2+0] = ? (8); unknown r0"},
    {"strexd r3, r0, r1, [sp]", "\xcd\xe8\x73\x01", 4, "[sp+0] = ? (8); unknown r3"},
    {"lda r0, [r1]", "\xd1\xe8\xaf\x0f", 4, "unknown r0"},
    {"stl r0, [r1]", "\xc1\xe8\xaf\x0f", 4, "[r1+0] = ? (8)"},
    {"crc32w r0, r1, r2", "\xc1\xfa\xa2\xf0", 4, "unknown r0"},
    {"ldrt r0, [r1, #4]", "\x51\xf8\x04\x0e", 4, "unknown r0"},
    {"strt r0, [r1, #4]", "\x41\xf8\x04\x0e", 4, "[r1+4] = ? (8)"},
    {"mrs r0, apsr", "\xef\xf3\x00\x80", 4, "unknown r0"},
    {"pld [r0, #4]", "\x90\xf8\x04\xf0", 4, ""},
    {"dmb ish", "\xbf\xf3\x5b\x8f", 4, ""},
    {"sb", "\xbf\xf3\x70\x8f", 4, ""},
    {"pac ip, lr, sp", "\xaf\xf3\x1d\x80", 4, "unknown r12"},
    {"bti", "\xaf\xf3\x0f\x80", 4, ""},
    {"cmp r0, #5", "\x05\x28", 2, "compare r0 5"},
    {"cmp.w r0, #512", "\xb0\xf5\x00\x7f", 4, "compare r0 512"},
    {"cmp r0, r1", "\x88\x42", 2, "compare r0 r1"},
    {"cmp.w r0, r1, lsl #2", "\xb0\xeb\x81\x0f", 4, ""},
    {"cmn r0, #1", "\x10\xf1\x01\x0f", 4, ""},
    {"tst r0, r1", "\x08\x42", 2, ""},
    {"bx lr", "\x70\x47", 2, "return"},
    {"bx r3", "\x18\x47", 2, "indirect r3"},
    {"bx pc", "\x78\x47", 2, "jump 0x1004"},
    {"blx r3", "\x98\x47", 2, "call; unknown r0 r1 r2 r3 r12 lr"},
    {"mov pc, lr", "\xf7\x46", 2, "return"},
    {"mov pc, r3", "\x9f\x46", 2, "indirect r3"},
    {"b .+0x104", "\x80\xe0", 2, "jump 0x1104 T32"},
    {"b.w .+0x104", "\x00\xf0\x80\xb8", 4, "jump 0x1104 T32 far"},
    {"b.w .+0x1004", "\x01\xf0\x00\xb8", 4, "jump 0x2004 T32"},
    {"beq.w .+0x104", "\x00\xf0\x80\x80", 4, "branch 0x1104 T32 equal-if-taken"},
    {"beq .+0x84", "\x40\xd0", 2, "branch 0x1084 T32 equal-if-taken"},
    {"bne.w .+0x84", "\x40\xf0\x40\x80", 4, "branch 0x1084 T32 equal-if-not far"},
    {"bhi .-0x84", "\xbc\xd8", 2, "branch 0xf7c T32"},
    {"cbz r0, .+0x44", "\x00\xb3", 2, "branch 0x1044 T32"},
    {"MVE: vstrb.8 q3, [r3, #16]", "\x83\xed\x10\x7e", 4, "[r3+16] = ? (16)"},
    {"vstrh.16 q3, [r3, #-32]!", "\x23\xed\x90\x7e", 4, "r3 = r3-32; [r3+0] = ? (16)"},
    {"vstrw.32 q3, [sp, #64]", "\x8d\xed\x10\x7f", 4, "[sp+64] = ? (16)"},
    {"vldrw.u32 q0, [r3], #16", "\xb3\xec\x04\x1f", 4, "r3 = r3+16"},
    {"vstrb.16 q0, [r3, #4]", "\x83\xed\x84\x0e", 4, "[r3+4] = ? (16)"},
    {"vstrh.32 q0, [r3, #4]!", "\xab\xed\x02\x0f", 4, "r3 = r3+4; [r3+0] = ? (16)"},
    {"vldrb.u16 q0, [r1], #8", "\xb1\xfc\x88\x0e", 4, "r1 = r1+8"},
    {"vldrb.u32 q0, [r1, #4]!", "\xb1\xfd\x04\x0f", 4, "r1 = r1+4"},
    {"vldrw.u32 q0, [q1, #16]!", "\xb2\xfd\x04\x1e", 4, ""},
    {"vst20.8 {q0, q1}, [r7]", "\x87\xfc\x00\x1e", 4, "[r7+0] = ? (32)"},
    {"vst43.32 {q0, q1, q2, q3}, [r7]!", "\xa7\xfc\x61\x1f", 4, "[r7+0] = ? (64); r7 = r7+64"},
    {"vld40.16 {…}, [r7]", "\x97\xfc\x81\x1e", 4, ""},
    {"vstrw.32 q0, [r3, q1]", "\x83\xec\x42\x0f", 4, ""},
    {"vstrw.32 q0, [q1, #4]", "\x82\xfd\x01\x1e", 4, ""},
    {"vmov q0[2], q0[0], r2, r3", "\x03\xec\x02\x0f", 4, ""},
    {"vmov r2, r3, q0[2], q0[0]", "\x13\xec\x02\x0f", 4, "unknown r2 r3"},
    {"ARMv8.1-M: dls lr, r1", "\x41\xf0\x01\xe0", 4, "unknown lr"},
    {"dlstp.16 lr, r2", "\x12\xf0\x01\xe0", 4, "unknown lr"},
    {"wls lr, r1, .+22", "\x41\xf0\x09\xc8", 4, "branch 0x1016 T32; unknown lr"},
    {"wlstp.8 lr, r3, .+16", "\x03\xf0\x07\xc0", 4, "branch 0x1010 T32; unknown lr"},
    {"le lr, .-14", "\x0f\xf0\x09\xc8", 4, "branch 0xff2 T32; unknown lr"},
    {"letp lr, .-8", "\x1f\xf0\x07\xc0", 4, "branch 0xff8 T32; unknown lr"},
    {"le .-8", "\x2f\xf0\x07\xc0", 4, "jump 0xff8 T32"},
    {"lctp", "\x0f\xf0\x01\xe0", 4, ""},
    {"cbnz r0, .+0x44", "\x00\xbb", 2, "branch 0x1044 T32"},
    {"bl .+0x1004", "\x01\xf0\x00\xf8", 4, "call 0x2004 T32; unknown r0 r1 r2 r3 r12 lr"},
    {"bl .-0x104", "\xff\xf7\x7c\xff", 4, "call 0xefc T32; unknown r0 r1 r2 r3 r12 lr"},
    {"blx .+0x1004", "\x01\xf0\x00\xe8", 4, "call 0x2004; unknown r0 r1 r2 r3 r12 lr"},
    {"svc 0", "\x00\xdf", 2, "unknown r0"},
    {"udf #1", "\x01\xde", 2, "stop"},
    {"udf.w #1", "\xf0\xf7\x01\xa0", 4, "stop"},
    {"bkpt #1", "\x01\xbe", 2, "stop"},
    {"nop", "\x00\xbf", 2, "padding"},
    {"nop.w", "\xaf\xf3\x00\x80", 4, "padding"},
    {"yield", "\x10\xbf", 2, ""},
    {"mov r8, r8", "\xc0\x46", 2, "padding"},
    {"movs r0, r0", "\x00\x00", 2, "padding"},
    {"subs pc, lr, #4", "\xde\xf3\x04\x8f", 4, "indirect ?"},
};

TEST(insn_effects_are_those_of_the_manual)
{
    check_effects(ARCH_ARM, CODE_T32, EFFECTS, COUNT(EFFECTS));
}

TEST(insn_that_is_cut_is_not_found)
{
    check_cut(EFFECTS, COUNT(EFFECTS));
}

TEST(insn_any_bytes_are_survived)
{
    check_any_bytes();
}

/* Every first halfword tells the length, decodable or not. */
TEST(insn_first_halfword_tells_the_length)
{
    struct decoder *d = decoder();
    struct insn insn;

    for (unsigned half = 0; half <= 0xffff; half++) {
        uint8_t bytes[4] = {(uint8_t)half, (uint8_t)(half >> 8), 0x00, 0xf0};

        if (decoder_decode(d, bytes, 4, VADDR, 0, &insn) == STATUS_OK)
            assert_int_equal(insn.size, half >> 11 >= 0x1d ? 4 : 2);
    }
    decoder_destroy(d);
}

TEST(insn_no_instruction_is_not_found)
{
    static const struct bytes_case codes[] = {
        {"\x00\xc0", 2},         /* stmia r0!, {} */
        {"\x01\xb1", 1},         /* cut */
        {"\x00\xb4", 2},         /* push {} */
        {"\xff\xff\xff", 3},     /* cut */
        {"\x4f\xf0\x01\xe0", 4}, /* dls lr, pc */
        {"\x04\x47", 2},         /* bxns r0 */
        {"\x84\x47", 2},         /* blxns r0 */
        {"\x00\xb6", 2},         /* setpan with a bit that is one */
        {"\x40\xe8\x00\xf0", 4}, /* strex r0, pc, [r0]: tt */
        {"\xbd\xe8\x00\x20", 4}, /* ldm.w sp!, {sp} */
        {"\xbd\xe8\x10\xc0", 4}, /* pop.w {r4, lr, pc} */
        {"\x2f\xe9\x0f\x00", 4}, /* stmdb pc!, {r0, r1, r2, r3} */
        {"\xa8\xf7\xe8\x64", 4}, /* usat with a bit that is zero */
        {"\xb6\xf3\xa5\x77", 4}, /* vrintp.f16 with a bit that is one */
        {"\x78\xfb\x35\x3f", 4}, /* usada8 into pc; vminnm.f16 with a bit that is one */
        {"\xf6\xf7\xa9\xe6", 4}, /* blx to a halfword */
        {"\x00\xec\x02\xa1", 4}, /* stc without a direction */
    };

    check_undecodable(codes, COUNT(codes));
}

/* PC is read as a multiple of 4 by literals, adr, blx and bx pc, but not by add. */
TEST(insn_at_an_odd_halfword_aligns_pc)
{
    struct decoder *d = decoder();

    assert_int_equal(decode_one(d, "\x02\x4b", 2, 0x1002, 0).ops[0].imm, 0x100c); /* ldr */
    assert_int_equal(decode_one(d, "\x01\xa3", 2, 0x1002, 0).ops[0].imm, 0x1008); /* adr */
    assert_int_equal(decode_one(d, "\xaf\xf2\x40\x03", 4, 0x1002, 0).ops[0].imm, 0xfc4);
    assert_int_equal(decode_one(d, "\x7b\x44", 2, 0x1002, 0).ops[0].imm, 0x1006); /* add */
    assert_int_equal(decode_one(d, "\x7b\x46", 2, 0x1002, 0).ops[0].imm, 0x1006); /* mov */
    assert_int_equal(decode_one(d, "\x00\xf0\xfe\xef", 4, 0x1002, 0).target_vaddr, 0x2000);
    assert_int_equal(decode_one(d, "\x00\xf0\xfe\xff", 4, 0x1002, 0).target_vaddr, 0x2002);
    decoder_destroy(d);
}

TEST(insn_addresses_wrap_at_32_bits)
{
    struct decoder *d = decoder();

    assert_int_equal(decode_one(d, "\x80\xe0", 2, 0xfffffffe, 0).target_vaddr, 0x102);
    assert_int_equal(decode_one(d, "\xff\xf7\x00\xf8", 4, 0, 0).target_vaddr, 0xfffff004);
    decoder_destroy(d);
}

TEST(insn_reads_what_it_uses)
{
    struct decoder *d = decoder();

    assert_reads(d, "\x30\xb5", 2, 1u << SP);                  /* push {r4, r5, lr} */
    assert_reads(d, "\x03\x93", 2, 1u << SP);                  /* str r3, [sp, #12] */
    assert_reads(d, "\x6d\xe9\x04\x45", 4, 1u << SP);          /* strd r4, r5, [sp, #-16]! */
    assert_reads(d, "\x7b\x60", 2, 1u << 7 | 1u << 3);         /* str r3, [r7, #4] */
    assert_reads(d, "\x52\xf8\x21\x30", 4, 1u << 1 | 1u << 2); /* ldr.w r3, [r2, r1, lsl #2] */
    assert_reads(d, "\x23\x46", 2, 1u << R4);                  /* mov r3, r4 */
    assert_reads(d, "\x9d\x44", 2, 1u << SP | 1u << 3);        /* add sp, r3 */
    assert_reads(d, "\xa0\x42", 2, 0);                         /* cmp r0, r4 */
    assert_reads(d, "\x84\xea\x04\x04", 4, 0);                 /* eor.w r4, r4, r4 */
    assert_reads(d, "\x64\x40", 2, 0);                         /* eors r4, r4 */
    assert_reads(d, "\x10\xbd", 2, 1u << SP);                  /* pop {r4, pc} */
    assert_reads(d, "\x08\xbf", 2, 0);                         /* it eq */
    assert_reads(d, "\xc0\x46", 2, 0);                         /* mov r8, r8 */
    decoder_destroy(d);
}

static void assert_literal(struct decoder *d, const char *bytes, uint64_t length, uint64_t vaddr,
                           uint8_t size)
{
    struct insn insn = decode_one(d, bytes, length, VADDR, 0);

    assert_int_equal(insn.literal_vaddr, vaddr);
    assert_int_equal(insn.literal_size, size);
}

TEST(insn_literals_of_every_size_are_data)
{
    struct decoder *d = decoder();

    assert_literal(d, "\x02\x4b", 2, 0x100c, 4);         /* ldr r3, [pc, #8] */
    assert_literal(d, "\x9f\xf8\x08\x30", 4, 0x100c, 1); /* ldrb.w r3, [pc, #8] */
    assert_literal(d, "\xbf\xf8\x08\x30", 4, 0x100c, 2); /* ldrh.w r3, [pc, #8] */
    assert_literal(d, "\xdf\xe9\x02\x23", 4, 0x100c, 8); /* ldrd r2, r3, [pc, #8] */
    assert_literal(d, "\x9f\xed\x02\x0b", 4, 0x100c, 8); /* vldr d0, [pc, #8] */
    assert_literal(d, "\x8b\x68", 2, 0, 0);              /* ldr r3, [r1, #8] */
    decoder_destroy(d);
}

TEST(insn_end_of_a_thread_is_behind_the_call_that_makes_one)
{
    /* movs r7, #120; svc 0; blx ip; mov.w r7, #1; svc 0 */
    uint8_t code[] = "\x78\x27\x00\xdf\xe0\x47\x4f\xf0\x01\x07\x00\xdf";
    const struct arch *arch = arch_get(ARCH_ARM);

    assert_true(insn_ends_thread(arch, code, 6, 12));
    assert_false(insn_ends_thread(arch, code, 6, 11));
    assert_false(insn_ends_thread(arch, code + 2, 4, 10));
    code[0] = 119;
    assert_false(insn_ends_thread(arch, code, 6, 12));
    /* mov.w fp, #0; mov.w lr, #0; pop {r1}; bl */
    assert_true(insn_is_behind_start(
        arch, (const uint8_t *)"\x4f\xf0\x00\x0b\x4f\xf0\x00\x0e\x02\xbc\x00\xf0\x01\xf8", 14));
    assert_false(insn_is_behind_start(
        arch, (const uint8_t *)"\x4f\xf0\x00\x0a\x4f\xf0\x00\x0e\x02\xbc\x00\xf0\x01\xf8", 14));
}
