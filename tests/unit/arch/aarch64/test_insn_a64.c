/* SPDX-License-Identifier: MIT */
#include "insn_a64_bounded.h"
#include "insn_a64_fixture.h"
#include "arch/aarch64/mask.h"

/* Bytes as GNU as assembles them, disassembled by objdump; at 0x1000. */
static const struct effect_case EFFECTS[] = {
    {"stp x29, x30, [sp, #-32]!", "\xfd\x7b\xbe\xa9", 4, "sp = sp-32; [sp+0] = x29; [sp+8] = x30"},
    {"stp x29, x30, [sp, #16]", "\xfd\x7b\x01\xa9", 4, "[sp+16] = x29; [sp+24] = x30"},
    {"stp x19, xzr, [sp, #16]", "\xf3\x7f\x01\xa9", 4, "[sp+16] = x19; [sp+24] = ?"},
    {"stp w1, w2, [sp, #8]", "\xe1\x0b\x01\x29", 4, "[sp+8] = ? (4); [sp+12] = ? (4)"},
    {"stp d8, d9, [sp, #-16]!", "\xe8\x27\xbf\x6d", 4, "sp = sp-16; [sp+0] = ?; [sp+8] = ?"},
    {"stp q8, q9, [x29, #32]", "\xa8\x27\x01\xad", 4, "[x29+32] = ? (16); [x29+48] = ? (16)"},
    {"stp s0, s1, [sp, #8]", "\xe0\x07\x01\x2d", 4, "[sp+8] = ? (4); [sp+12] = ? (4)"},
    {"stnp x19, x20, [sp, #16]", "\xf3\x53\x01\xa8", 4, "[sp+16] = x19; [sp+24] = x20"},
    {"stp x19, x20, [x29], #16", "\xb3\x53\x81\xa8", 4,
     "[x29+0] = x19; [x29+8] = x20; x29 = x29+16"},
    {"ldp x29, x30, [sp], #32", "\xfd\x7b\xc2\xa8", 4, "x29 = [sp+0]; x30 = [sp+8]; sp = sp+32"},
    {"ldp x19, x20, [sp, #16]", "\xf3\x53\x41\xa9", 4, "x19 = [sp+16]; x20 = [sp+24]"},
    {"ldp x0, x1, [sp, #-32]!", "\xe0\x07\xfe\xa9", 4, "sp = sp-32; x0 = [sp+0]; x1 = [sp+8]"},
    {"ldp x0, x1, [x0]", "\x00\x04\x40\xa9", 4, "x1 = [x0+8]; x0 = [x0+0]"},
    {"ldp x1, x0, [x0]", "\x01\x00\x40\xa9", 4, "x1 = [x0+0]; x0 = [x0+8]"},
    {"ldp x19, xzr, [sp, #16]", "\xf3\x7f\x41\xa9", 4, "x19 = [sp+16]"},
    {"ldp w0, w1, [sp, #8]", "\xe0\x07\x41\x29", 4, "unknown x0; unknown x1"},
    {"ldpsw x0, x1, [sp, #8]", "\xe0\x07\x41\x69", 4, "unknown x0; unknown x1"},
    {"ldp d8, d9, [sp], #16", "\xe8\x27\xc1\x6c", 4, "sp = sp+16"},
    {"ldp q0, q1, [sp, #32]", "\xe0\x07\x41\xad", 4, ""},
    {"ldnp x19, x20, [sp]", "\xf3\x53\x40\xa8", 4, "x19 = [sp+0]; x20 = [sp+8]"},
    {"str x30, [sp, #-16]!", "\xfe\x0f\x1f\xf8", 4, "sp = sp-16; [sp+0] = x30"},
    {"str x19, [sp], #16", "\xf3\x07\x01\xf8", 4, "[sp+0] = x19; sp = sp+16"},
    {"str x19, [sp, #32760]", "\xf3\xff\x3f\xf9", 4, "[sp+32760] = x19"},
    {"str xzr, [sp]", "\xff\x03\x00\xf9", 4, "[sp+0] = ?"},
    {"str w0, [sp, #4]", "\xe0\x07\x00\xb9", 4, "[sp+4] = ? (4)"},
    {"strb w0, [sp, #1]", "\xe0\x07\x00\x39", 4, "[sp+1] = ? (1)"},
    {"strh wzr, [sp, #2]", "\xff\x07\x00\x79", 4, "[sp+2] = ? (2)"},
    {"str q0, [sp, #16]", "\xe0\x07\x80\x3d", 4, "[sp+16] = ? (16)"},
    {"str d0, [sp, #8]", "\xe0\x07\x00\xfd", 4, "[sp+8] = ?"},
    {"str s0, [sp, #4]", "\xe0\x07\x00\xbd", 4, "[sp+4] = ? (4)"},
    {"str h0, [sp, #2]", "\xe0\x07\x00\x7d", 4, "[sp+2] = ? (2)"},
    {"str b0, [sp, #1]", "\xe0\x07\x00\x3d", 4, "[sp+1] = ? (1)"},
    {"str x0, [sp, x1]", "\xe0\x6b\x21\xf8", 4, ""},
    {"str x0, [x2, x1, lsl #3]", "\x40\x78\x21\xf8", 4, ""},
    {"stur x19, [x29, #-8]", "\xb3\x83\x1f\xf8", 4, "[x29-8] = x19"},
    {"sturb w0, [x29, #-1]", "\xa0\xf3\x1f\x38", 4, "[x29-1] = ? (1)"},
    {"sturh w0, [x29, #-2]", "\xa0\xe3\x1f\x78", 4, "[x29-2] = ? (2)"},
    {"sttr x0, [sp, #8]", "\xe0\x8b\x00\xf8", 4, "[sp+8] = ?"},
    {"ldr x19, [sp, #16]", "\xf3\x0b\x40\xf9", 4, "x19 = [sp+16]"},
    {"ldr x30, [sp], #16", "\xfe\x07\x41\xf8", 4, "x30 = [sp+0]; sp = sp+16"},
    {"ldr x0, [x1, #8]!", "\x20\x8c\x40\xf8", 4, "x1 = x1+8; x0 = [x1+0]"},
    {"ldr xzr, [sp]", "\xff\x03\x40\xf9", 4, ""},
    {"ldr w0, [sp, #4]", "\xe0\x07\x40\xb9", 4, "unknown x0"},
    {"ldr w0, [x1], #4", "\x20\x44\x40\xb8", 4, "unknown x0; x1 = x1+4"},
    {"ldrb w0, [x1]", "\x20\x00\x40\x39", 4, "unknown x0"},
    {"ldrh w0, [x1, #2]", "\x20\x04\x40\x79", 4, "unknown x0"},
    {"ldrsb x0, [x1, #1]", "\x20\x04\x80\x39", 4, "unknown x0"},
    {"ldrsh w0, [x1, #2]", "\x20\x04\xc0\x79", 4, "unknown x0"},
    {"ldrsw x0, [x1, #4]", "\x20\x04\x80\xb9", 4, "unknown x0"},
    {"ldr d8, [sp], #16", "\xe8\x07\x41\xfc", 4, "sp = sp+16"},
    {"ldur x19, [x29, #-8]", "\xb3\x83\x5f\xf8", 4, "x19 = [x29-8]"},
    {"ldurb w0, [x29, #-1]", "\xa0\xf3\x5f\x38", 4, "unknown x0"},
    {"ldursw x0, [x29, #-4]", "\xa0\xc3\x9f\xb8", 4, "unknown x0"},
    {"ldtr x0, [x0, #8]", "\x00\x88\x40\xf8", 4, "unknown x0"},
    {"ldr x0, 1008", "\x40\x00\x00\x58", 4, "x0 = literal 0x1008"},
    {"ldr w0, 1008", "\x40\x00\x00\x18", 4, "unknown x0"},
    {"ldrsw x0, ff8", "\xc0\xff\xff\x98", 4, "unknown x0"},
    {"ldr q0, 1010", "\x80\x00\x00\x9c", 4, ""},
    {"ldrb w0, [x1, w0, uxtw]", "\x20\x48\x60\x38", 4, "x0 = u8 of table x1+0"},
    {"ldrh w0, [x1, w0, uxtw #1]", "\x20\x58\x60\x78", 4, "x0 = u16 of table x1+0"},
    {"ldr w0, [x1, x0, lsl #2]", "\x20\x78\x60\xb8", 4, "x0 = u32 of table x1+0"},
    {"ldrsw x0, [x1, x0, lsl #2]", "\x20\x78\xa0\xb8", 4, "x0 = s32 of table x1+0"},
    {"ldrsb x0, [x1, x0]", "\x20\x68\xa0\x38", 4, "x0 = s8 of table x1+0"},
    {"ldrsh x0, [x1, w0, sxtw #1]", "\x20\xd8\xa0\x78", 4, "x0 = s16 of table x1+0"},
    {"ldr x0, [x1, x0, lsl #3]", "\x20\x78\x60\xf8", 4, "x0 = u64 of table x1+0"},
    {"ldrsb w0, [x1, x0]", "\x20\x68\xe0\x38", 4, "unknown x0"},
    {"ldr x0, [x1, x0]", "\x20\x68\x60\xf8", 4, "unknown x0"},
    {"ldr w0, [x1, w0, uxtw]", "\x20\x48\x60\xb8", 4, "unknown x0"},
    {"ldr d0, [x1, x0, lsl #3]", "\x20\x78\x60\xfc", 4, ""},
    {"ldr xzr, [x1, x0, lsl #3]", "\x3f\x78\x60\xf8", 4, ""},
    {"sub sp, sp, #0x10", "\xff\x43\x00\xd1", 4, "sp = sp-16"},
    {"sub sp, sp, #0x10, lsl #12", "\xff\x43\x40\xd1", 4, "sp = sp-65536"},
    {"add sp, sp, #0xfff", "\xff\xff\x3f\x91", 4, "sp = sp+4095"},
    {"add sp, sp, #0x1, lsl #12", "\xff\x07\x40\x91", 4, "sp = sp+4096"},
    {"add x29, sp, #0x10", "\xfd\x43\x00\x91", 4, "x29 = sp+16"},
    {"sub sp, x29, #0x10", "\xbf\x43\x00\xd1", 4, "sp = x29-16"},
    {"sub x9, sp, #0x20", "\xe9\x83\x00\xd1", 4, "x9 = sp-32"},
    {"mov x29, sp", "\xfd\x03\x00\x91", 4, "x29 = sp+0"},
    {"mov sp, x29", "\xbf\x03\x00\x91", 4, "sp = x29+0"},
    {"adds x0, x1, #0x1", "\x20\x04\x00\xb1", 4, "x0 = x1+1"},
    {"subs x0, x0, #0x1", "\x00\x04\x00\xf1", 4, "x0 = x0-1"},
    {"adds x29, x4, x14, lsl #10", "\x9d\x28\x0e\xab", 4, "x29 = x4 + x14 << 10"},
    {"ands w0, w0, #1", "\x00\x00\x00\x72", 4, "unknown x0; compare x0 1"},
    {"add w0, w1, #0x1", "\x20\x04\x00\x11", 4, "unknown x0"},
    {"sub wsp, wsp, #0x10", "\xff\x43\x00\x51", 4, "unknown sp"},
    {"sub sp, sp, x16", "\xff\x63\x30\xcb", 4, "sp = sp - x16"},
    {"add sp, sp, x16", "\xff\x63\x30\x8b", 4, "sp = sp + x16"},
    {"sub sp, sp, w1, uxtw", "\xff\x43\x21\xcb", 4, "unknown sp"},
    {"add x0, x1, x0", "\x20\x00\x00\x8b", 4, "x0 = x1 + x0"},
    {"add x0, x1, x0, lsl #2", "\x20\x08\x00\x8b", 4, "x0 = x1 + x0 << 2"},
    {"add x0, x1, x0, lsr #2", "\x20\x08\x40\x8b", 4, "unknown x0"},
    {"add x0, x1, w0, sxtb #2", "\x20\x88\x20\x8b", 4, "x0 = x1 + x0 s8 << 2"},
    {"add x0, x1, w0, sxth #2", "\x20\xa8\x20\x8b", 4, "x0 = x1 + x0 s16 << 2"},
    {"add x0, x1, w0, sxtw #2", "\x20\xc8\x20\x8b", 4, "x0 = x1 + x0 s32 << 2"},
    {"add x0, x1, w0, uxtw", "\x20\x40\x20\x8b", 4, "x0 = x1 + x0 u32"},
    {"add x0, x1, w0, uxtb", "\x20\x00\x20\x8b", 4, "unknown x0"},
    {"add x0, x1, xzr", "\x20\x00\x1f\x8b", 4, "unknown x0"},
    {"add x0, sp, x1, lsl #4", "\xe0\x73\x21\x8b", 4, "x0 = sp + x1 << 4"},
    {"sub x0, x1, x2", "\x20\x00\x02\xcb", 4, "x0 = x1 - x2"},
    {"sub x0, x1, x2, lsl #3", "\x20\x0c\x02\xcb", 4, "unknown x0"},
    {"subs x0, x1, x2", "\x20\x00\x02\xeb", 4, "x0 = x1 - x2"},
    {"neg x0, x1", "\xe0\x03\x01\xcb", 4, "unknown x0"},
    {"add v0.2d, v1.2d, v2.2d", "\x20\x84\xe2\x4e", 4, ""},
    {"mov x16, #0x10", "\x10\x02\x80\xd2", 4, "x16 = 16"},
    {"mov x16, #0x12340000", "\x90\x46\xa2\xd2", 4, "x16 = 305397760"},
    {"mov x16, #0xffffffffffffffff", "\x10\x00\x80\x92", 4, "x16 = -1"},
    {"mov w16, #0xffffffff", "\x10\x00\x80\x12", 4, "x16 = 4294967295"},
    {"mov x16, #0x1000000000000", "\x30\x00\xe0\xd2", 4, "x16 = 281474976710656"},
    {"movk x16, #0x1, lsl #16", "\x30\x00\xa0\xf2", 4, "x16 insert 1 << 16"},
    {"movk w16, #0x1, lsl #16", "\x30\x00\xa0\x72", 4,
     "x16 insert 1 << 16; x16 insert 0 << 32; x16 insert 0 << 48"},
    {"mov x16, #0xff00ff00ff00ff00", "\xf0\x9f\x08\xb2", 4, "x16 = -71777214294589696"},
    {"mov w16, #0xff00ff00", "\xf0\x9f\x08\x32", 4, "x16 = 4278255360"},
    {"orr x0, x1, #0xf", "\x20\x0c\x40\xb2", 4, "unknown x0"},
    {"orr x0, x1, x2", "\x20\x00\x02\xaa", 4, "unknown x0"},
    {"mov x0, x1", "\xe0\x03\x01\xaa", 4, "x0 = x1+0"},
    {"mov x19, x0", "\xf3\x03\x00\xaa", 4, "x19 = x0+0"},
    {"mov w0, w1", "\xe0\x03\x01\x2a", 4, "unknown x0"},
    {"mov x0, xzr", "\xe0\x03\x1f\xaa", 4, "x0 = 0"},
    {"mov w0, wzr", "\xe0\x03\x1f\x2a", 4, "x0 = 0"},
    {"mov v0.16b, v1.16b", "\x20\x1c\xa1\x4e", 4, ""},
    {"mov w0, v0.s[1]", "\x00\x3c\x0c\x0e", 4, "unknown x0"},
    {"mov x0, v0.d[1]", "\x00\x3c\x18\x4e", 4, "unknown x0"},
    {"and sp, x9, #0xffffffffffffffe0", "\x3f\xe9\x7b\x92", 4, "sp = x9+0; align sp"},
    {"and x0, x1, #0xfffffffffffff000", "\x20\xcc\x74\x92", 4, "x0 = x1+0; align x0"},
    {"and x0, x1, #0xfffffffffffffff", "\x20\xec\x40\x92", 4,
     "unknown x0; compare x0 1152921504606846975"},
    {"and x0, x1, #0xf", "\x20\x0c\x40\x92", 4, "unknown x0; compare x0 15"},
    {"and w0, w1, #0x7", "\x20\x08\x00\x12", 4, "unknown x0; compare x0 7"},
    {"and w0, w1, #0xfffffff0", "\x20\x6c\x1c\x12", 4, "unknown x0; compare x0 4294967280"},
    {"ands x0, x1, #0x7", "\x20\x08\x40\xf2", 4, "unknown x0; compare x0 7"},
    {"tst x0, #0x7", "\x1f\x08\x40\xf2", 4, ""},
    {"and x0, x1, x2", "\x20\x00\x02\x8a", 4, "unknown x0"},
    {"ubfx x0, x1, #3, #4", "\x20\x18\x43\xd3", 4, "unknown x0; compare x0 15"},
    {"uxtb w0, w1", "\x20\x1c\x00\x53", 4, "unknown x0; compare x0 255"},
    {"uxth w0, w1", "\x20\x3c\x00\x53", 4, "unknown x0; compare x0 65535"},
    {"sxtb x0, w1", "\x20\x1c\x40\x93", 4, "unknown x0"},
    {"adr x0, 1008", "\x40\x00\x00\x10", 4, "x0 = 4104"},
    {"adrp x0, 2000", "\x00\x00\x00\xb0", 4, "x0 = 8192"},
    {"cmp w0, #0x7", "\x1f\x1c\x00\x71", 4, "compare x0 7"},
    {"cmp x0, #0x1, lsl #12", "\x1f\x04\x40\xf1", 4, "compare x0 4096"},
    {"cmp sp, x9", "\xff\x63\x29\xeb", 4, "compare sp x9"},
    {"cmp sp, #0x10", "\xff\x43\x00\xf1", 4, "compare sp 16"},
    {"cmp x0, x1", "\x1f\x00\x01\xeb", 4, "compare x0 x1"},
    {"cmp w0, w1", "\x1f\x00\x01\x6b", 4, ""},
    {"cmp x0, x1, lsl #2", "\x1f\x08\x01\xeb", 4, ""},
    {"cmp x0, w1, sxtw", "\x1f\xc0\x21\xeb", 4, ""},
    {"cmn x0, #0x1", "\x1f\x04\x00\xb1", 4, ""},
    {"ccmp x0, #0x1, #0x0, eq", "\x00\x08\x41\xfa", 4, ""},
    {"fcmp d0, d1", "\x00\x20\x61\x1e", 4, ""},
    {"b 1008", "\x02\x00\x00\x14", 4, "jump 0x1008"},
    {"b ff8", "\xfe\xff\xff\x17", 4, "jump 0xff8"},
    {"b.eq 1008", "\x40\x00\x00\x54", 4, "branch 0x1008 equal-if-taken"},
    {"b.ne ff8", "\xc1\xff\xff\x54", 4, "branch 0xff8 equal-if-not"},
    {"b.hi 1008", "\x48\x00\x00\x54", 4, "branch 0x1008"},
    {"b.al 0x1008", "\x4e\x00\x00\x54", 4, "jump 0x1008"},
    {"bc.eq 0x1008", "\x50\x00\x00\x54", 4, "branch 0x1008 equal-if-taken"},
    {"cbz x0, 1008", "\x40\x00\x00\xb4", 4, "branch 0x1008"},
    {"cbnz w0, ff8", "\xc0\xff\xff\x35", 4, "branch 0xff8"},
    {"tbz x0, #33, 1008", "\x40\x00\x08\xb6", 4, "branch 0x1008"},
    {"tbnz w0, #1, 1008", "\x40\x00\x08\x37", 4, "branch 0x1008"},
    {"bl 1100", "\x40\x00\x00\x94", 4,
     "call 0x1100; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    {"blr x1", "\x20\x00\x3f\xd6", 4,
     "call; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    {"br x16", "\x00\x02\x1f\xd6", 4, "indirect x16"},
    {"br x30", "\xc0\x03\x1f\xd6", 4, "indirect x30"},
    {"ret", "\xc0\x03\x5f\xd6", 4, "return"},
    {"ret", "\xc0\x03\x5f\xd6", 4, "return"},
    {"ret x9", "\x20\x01\x5f\xd6", 4, "indirect x9"},
    {"retaa", "\xff\x0b\x5f\xd6", 4, "return"},
    {"retab", "\xff\x0f\x5f\xd6", 4, "return"},
    {"eret", "\xe0\x03\x9f\xd6", 4, "return"},
    {"eretaa", "\xff\x0b\x9f\xd6", 4, "return"},
    {"eretab", "\xff\x0f\x9f\xd6", 4, "return"},
    {"braa x1, sp", "\x3f\x08\x1f\xd7", 4, "indirect x1"},
    {"brabz x2", "\x5f\x0c\x1f\xd6", 4, "indirect x2"},
    {"braaz x3", "\x7f\x08\x1f\xd6", 4, "indirect x3"},
    {"brab x4, x5", "\x85\x0c\x1f\xd7", 4, "indirect x4"},
    {"blraa x1, sp", "\x3f\x08\x3f\xd7", 4,
     "call; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    {"blraaz x2", "\x5f\x08\x3f\xd6", 4,
     "call; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    {"blrab x3, x4", "\x64\x0c\x3f\xd7", 4,
     "call; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    {"blrabz x30", "\xdf\x0f\x3f\xd6", 4,
     "call; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    {"svc #0x0", "\x01\x00\x00\xd4", 4, "unknown x0"},
    {"hvc #0x0", "\x02\x00\x00\xd4", 4,
     "unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17"},
    {"smc #0x0", "\x03\x00\x00\xd4", 4,
     "unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17"},
    {"brk #0x1", "\x20\x00\x20\xd4", 4, "stop"},
    {"hlt #0x1", "\x20\x00\x40\xd4", 4, "stop"},
    {"udf #0", "\x00\x00\x00\x00", 4, "stop, padding"},
    {"udf #7", "\x07\x00\x00\x00", 4, "stop"},
    {"drps", "\xe0\x03\xbf\xd6", 4, "stop"},
    {"nop", "\x1f\x20\x03\xd5", 4, "padding"},
    {"yield", "\x3f\x20\x03\xd5", 4, ""},
    {"paciasp", "\x3f\x23\x03\xd5", 4, ""},
    {"pacibsp", "\x7f\x23\x03\xd5", 4, ""},
    {"autiasp", "\xbf\x23\x03\xd5", 4, ""},
    {"autibsp", "\xff\x23\x03\xd5", 4, ""},
    {"paciaz", "\x1f\x23\x03\xd5", 4, ""},
    {"autiaz", "\x9f\x23\x03\xd5", 4, ""},
    {"xpaclri", "\xff\x20\x03\xd5", 4, ""},
    {"pacia1716", "\x1f\x21\x03\xd5", 4, "unknown x17"},
    {"autib1716", "\xdf\x21\x03\xd5", 4, "unknown x17"},
    {"pacia x30, sp", "\xfe\x03\xc1\xda", 4, ""},
    {"autib x30, sp", "\xfe\x17\xc1\xda", 4, ""},
    {"xpaci x30", "\xfe\x43\xc1\xda", 4, ""},
    {"pacia x0, x1", "\x20\x00\xc1\xda", 4, "unknown x0"},
    {"xpacd x3", "\xe3\x47\xc1\xda", 4, "unknown x3"},
    {"pacga x0, x1, x2", "\x20\x30\xc2\x9a", 4, "unknown x0"},
    {"bti", "\x1f\x24\x03\xd5", 4, ""},
    {"bti c", "\x5f\x24\x03\xd5", 4, ""},
    {"bti j", "\x9f\x24\x03\xd5", 4, ""},
    {"bti jc", "\xdf\x24\x03\xd5", 4, ""},
    {"hint #0x28", "\x1f\x25\x03\xd5", 4, "unknown x16"},
    {"hint #0x7f", "\xff\x2f\x03\xd5", 4, ""},
    {"dmb sy", "\xbf\x3f\x03\xd5", 4, ""},
    {"isb", "\xdf\x3f\x03\xd5", 4, ""},
    {"sb", "\xff\x30\x03\xd5", 4, ""},
    {"mrs x0, tpidr_el0", "\x40\xd0\x3b\xd5", 4, "unknown x0"},
    {"msr tpidr_el0, x0", "\x40\xd0\x1b\xd5", 4, ""},
    {"dc zva, x0", "\x20\x74\x0b\xd5", 4, ""},
    {"sysl x0, #3, C7, C5, #1", "\x20\x75\x2b\xd5", 4, "unknown x0"},
    {"wfet x0", "\x00\x10\x03\xd5", 4, ""},
    {"cfinv", "\x1f\x40\x00\xd5", 4, ""},
    {"rmif x0, #1, #2", "\x02\x84\x00\xba", 4, ""},
    {"setf8 w0", "\x0d\x08\x00\x3a", 4, ""},
};

TEST(insn_effects_are_those_of_the_manual)
{
    check_effects(ARCH_AARCH64, CODE_DEFAULT, EFFECTS, COUNT(EFFECTS));
    check_effects(ARCH_AARCH64, CODE_DEFAULT, BOUNDED, COUNT(BOUNDED));
}

/* Go's nop, mov x0, x0: the encoding says that x0 is written, but it is what it was. */
TEST(insn_move_to_the_same_register_is_padding)
{
    static const struct effect_case cases[] = {
        {"mov x0, x0", "\xe0\x03\x00\xaa", 4, "padding"},
        {"mov x0, x1", "\xe0\x03\x01\xaa", 4, "x0 = x1+0"},
        {"mov w0, w0", "\xe0\x03\x00\x2a", 4, "unknown x0"},
    };

    check_effects(ARCH_AARCH64, CODE_DEFAULT, cases, COUNT(cases));
}

static void check_written(const struct effect_case *cases, size_t count)
{
    struct decoder *d = decoder();
    struct insn insn;

    for (size_t i = 0; i < count; i++) {
        uint32_t word = a64_word((const uint8_t *)cases[i].bytes);

        insn = decode_one(d, cases[i].bytes, 4, VADDR, 0);
        /* Calls of functions and of the kernel; the link register's authentication. */
        if (insn.flow == FLOW_CALL || (word & 0xffe0001c) == 0xd4000000 ||
            (word & 0xffff001f) == 0xdac1001e || (word & 0xffc0001f) == 0xf380001f)
            continue;
        if (changed(&insn) != a64_written(word))
            fail_msg("%s (%s): the encoding says %llx", cases[i].insn, cases[i].effect,
                     (unsigned long long)a64_written(word));
    }
    decoder_destroy(d);
}

TEST(insn_model_changes_what_the_encoding_says_is_written)
{
    check_written(EFFECTS, COUNT(EFFECTS));
    check_written(BOUNDED, COUNT(BOUNDED));
}

static void check_ends_with_call(const struct effect_case *cases, size_t count)
{
    struct decoder *d = decoder();
    struct insn insn;
    uint8_t bytes[8] = {0};

    for (size_t i = 0; i < count; i++) {
        memcpy(bytes + 4, cases[i].bytes, 4);
        assert_int_equal(decoder_decode(d, bytes + 4, 4, VADDR, 0, &insn), STATUS_OK);
        assert_int_equal(set()->ends_with_call(bytes, 8), insn.flow == FLOW_CALL);
        assert_int_equal(set()->ends_with_call(bytes + 4, 4), insn.flow == FLOW_CALL);
    }
    decoder_destroy(d);
}

TEST(insn_every_call_and_nothing_else_ends_with_a_call)
{
    check_ends_with_call(EFFECTS, COUNT(EFFECTS));
    check_ends_with_call(BOUNDED, COUNT(BOUNDED));
}

TEST(insn_set_is_there_for_aarch64)
{
    assert_non_null(set());
    assert_int_equal(set()->alignment, 4);
    assert_null(insn_set_for(arch_get(ARCH_AARCH64), CODE_T32));
}

TEST(insn_end_of_a_thread_is_behind_the_call_that_makes_one)
{
    /* mov x8, #220; svc #0; blr x10; mov x8, #93; svc #0 */
    uint8_t code[] = "\x88\x1b\x80\xd2\x01\x00\x00\xd4\x40\x01\x3f\xd6"
                     "\xa8\x0b\x80\xd2\x01\x00\x00\xd4";
    const struct arch *arch = arch_get(ARCH_AARCH64);

    assert_true(insn_ends_thread(arch, code, 12, 20));
    assert_false(insn_ends_thread(arch, code, 12, 19));
    assert_false(insn_ends_thread(arch, code + 4, 8, 16));
    code[15] = 0x52; /* mov w8, #93 */
    assert_true(insn_ends_thread(arch, code, 12, 20));
    code[12] = 0xc8; /* mov w8, #94: exit_group */
    assert_false(insn_ends_thread(arch, code, 12, 20));
}
