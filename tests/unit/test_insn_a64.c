#include "insn_fixture.h"
#include "unwind/insn_a64_mask.h"
#include "unwind/insn_private.h"
#include "unwind/row.h"

#define WORDS(table) (sizeof(table) / sizeof((table)[0]))

enum { X0, X1, X2, X19 = 19, X20, X29 = 29, X30, SP, PC };

static const struct insn_set *set(void)
{
    return insn_set_for(arch_get(ARCH_AARCH64), CODE_DEFAULT);
}

static struct decoder *decoder(void)
{
    struct decoder *decoder;

    assert_int_equal(decoder_create(set(), &decoder), STATUS_OK);
    return decoder;
}

static void put_word(uint8_t *bytes, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

/* Bytes as GNU as assembles them, disassembled by objdump; at 0x1000. */
static const struct effect_case EFFECTS[] = {
    /* stp x29, x30, [sp, #-32]! */
    {"\xfd\x7b\xbe\xa9", 4, "sp = sp-32; [sp+0] = x29; [sp+8] = x30"},
    /* stp x29, x30, [sp, #16] */
    {"\xfd\x7b\x01\xa9", 4, "[sp+16] = x29; [sp+24] = x30"},
    /* stp x19, xzr, [sp, #16] */
    {"\xf3\x7f\x01\xa9", 4, "[sp+16] = x19; [sp+24] = ?"},
    /* stp w1, w2, [sp, #8] */
    {"\xe1\x0b\x01\x29", 4, "[sp+8] = ? (4); [sp+12] = ? (4)"},
    /* stp d8, d9, [sp, #-16]! */
    {"\xe8\x27\xbf\x6d", 4, "sp = sp-16; [sp+0] = ?; [sp+8] = ?"},
    /* stp q8, q9, [x29, #32] */
    {"\xa8\x27\x01\xad", 4, "[x29+32] = ? (16); [x29+48] = ? (16)"},
    /* stp s0, s1, [sp, #8] */
    {"\xe0\x07\x01\x2d", 4, "[sp+8] = ? (4); [sp+12] = ? (4)"},
    /* stnp x19, x20, [sp, #16] */
    {"\xf3\x53\x01\xa8", 4, "[sp+16] = x19; [sp+24] = x20"},
    /* stp x19, x20, [x29], #16 */
    {"\xb3\x53\x81\xa8", 4, "[x29+0] = x19; [x29+8] = x20; x29 = x29+16"},
    /* ldp x29, x30, [sp], #32 */
    {"\xfd\x7b\xc2\xa8", 4, "x29 = [sp+0]; x30 = [sp+8]; sp = sp+32"},
    /* ldp x19, x20, [sp, #16] */
    {"\xf3\x53\x41\xa9", 4, "x19 = [sp+16]; x20 = [sp+24]"},
    /* ldp x0, x1, [sp, #-32]! */
    {"\xe0\x07\xfe\xa9", 4, "sp = sp-32; x0 = [sp+0]; x1 = [sp+8]"},
    /* ldp x0, x1, [x0] */
    {"\x00\x04\x40\xa9", 4, "x1 = [x0+8]; x0 = [x0+0]"},
    /* ldp x1, x0, [x0] */
    {"\x01\x00\x40\xa9", 4, "x1 = [x0+0]; x0 = [x0+8]"},
    /* ldp x19, xzr, [sp, #16] */
    {"\xf3\x7f\x41\xa9", 4, "x19 = [sp+16]"},
    /* ldp w0, w1, [sp, #8] */
    {"\xe0\x07\x41\x29", 4, "unknown x0; unknown x1"},
    /* ldpsw x0, x1, [sp, #8] */
    {"\xe0\x07\x41\x69", 4, "unknown x0; unknown x1"},
    /* ldp d8, d9, [sp], #16 */
    {"\xe8\x27\xc1\x6c", 4, "sp = sp+16"},
    /* ldp q0, q1, [sp, #32] */
    {"\xe0\x07\x41\xad", 4, ""},
    /* ldnp x19, x20, [sp] */
    {"\xf3\x53\x40\xa8", 4, "x19 = [sp+0]; x20 = [sp+8]"},
    /* str x30, [sp, #-16]! */
    {"\xfe\x0f\x1f\xf8", 4, "sp = sp-16; [sp+0] = x30"},
    /* str x19, [sp], #16 */
    {"\xf3\x07\x01\xf8", 4, "[sp+0] = x19; sp = sp+16"},
    /* str x19, [sp, #32760] */
    {"\xf3\xff\x3f\xf9", 4, "[sp+32760] = x19"},
    /* str xzr, [sp] */
    {"\xff\x03\x00\xf9", 4, "[sp+0] = ?"},
    /* str w0, [sp, #4] */
    {"\xe0\x07\x00\xb9", 4, "[sp+4] = ? (4)"},
    /* strb w0, [sp, #1] */
    {"\xe0\x07\x00\x39", 4, "[sp+1] = ? (1)"},
    /* strh wzr, [sp, #2] */
    {"\xff\x07\x00\x79", 4, "[sp+2] = ? (2)"},
    /* str q0, [sp, #16] */
    {"\xe0\x07\x80\x3d", 4, "[sp+16] = ? (16)"},
    /* str d0, [sp, #8] */
    {"\xe0\x07\x00\xfd", 4, "[sp+8] = ?"},
    /* str s0, [sp, #4] */
    {"\xe0\x07\x00\xbd", 4, "[sp+4] = ? (4)"},
    /* str h0, [sp, #2] */
    {"\xe0\x07\x00\x7d", 4, "[sp+2] = ? (2)"},
    /* str b0, [sp, #1] */
    {"\xe0\x07\x00\x3d", 4, "[sp+1] = ? (1)"},
    /* str x0, [sp, x1] */
    {"\xe0\x6b\x21\xf8", 4, ""},
    /* str x0, [x2, x1, lsl #3] */
    {"\x40\x78\x21\xf8", 4, ""},
    /* stur x19, [x29, #-8] */
    {"\xb3\x83\x1f\xf8", 4, "[x29-8] = x19"},
    /* sturb w0, [x29, #-1] */
    {"\xa0\xf3\x1f\x38", 4, "[x29-1] = ? (1)"},
    /* sturh w0, [x29, #-2] */
    {"\xa0\xe3\x1f\x78", 4, "[x29-2] = ? (2)"},
    /* sttr x0, [sp, #8] */
    {"\xe0\x8b\x00\xf8", 4, "[sp+8] = ?"},
    /* ldr x19, [sp, #16] */
    {"\xf3\x0b\x40\xf9", 4, "x19 = [sp+16]"},
    /* ldr x30, [sp], #16 */
    {"\xfe\x07\x41\xf8", 4, "x30 = [sp+0]; sp = sp+16"},
    /* ldr x0, [x1, #8]! */
    {"\x20\x8c\x40\xf8", 4, "x1 = x1+8; x0 = [x1+0]"},
    /* ldr xzr, [sp] */
    {"\xff\x03\x40\xf9", 4, ""},
    /* ldr w0, [sp, #4] */
    {"\xe0\x07\x40\xb9", 4, "unknown x0"},
    /* ldr w0, [x1], #4 */
    {"\x20\x44\x40\xb8", 4, "unknown x0; x1 = x1+4"},
    /* ldrb w0, [x1] */
    {"\x20\x00\x40\x39", 4, "unknown x0"},
    /* ldrh w0, [x1, #2] */
    {"\x20\x04\x40\x79", 4, "unknown x0"},
    /* ldrsb x0, [x1, #1] */
    {"\x20\x04\x80\x39", 4, "unknown x0"},
    /* ldrsh w0, [x1, #2] */
    {"\x20\x04\xc0\x79", 4, "unknown x0"},
    /* ldrsw x0, [x1, #4] */
    {"\x20\x04\x80\xb9", 4, "unknown x0"},
    /* ldr d8, [sp], #16 */
    {"\xe8\x07\x41\xfc", 4, "sp = sp+16"},
    /* ldur x19, [x29, #-8] */
    {"\xb3\x83\x5f\xf8", 4, "x19 = [x29-8]"},
    /* ldurb w0, [x29, #-1] */
    {"\xa0\xf3\x5f\x38", 4, "unknown x0"},
    /* ldursw x0, [x29, #-4] */
    {"\xa0\xc3\x9f\xb8", 4, "unknown x0"},
    /* ldtr x0, [x0, #8] */
    {"\x00\x88\x40\xf8", 4, "unknown x0"},
    /* ldr x0, 1008 */
    {"\x40\x00\x00\x58", 4, "x0 = literal 0x1008"},
    /* ldr w0, 1008 */
    {"\x40\x00\x00\x18", 4, "unknown x0"},
    /* ldrsw x0, ff8 */
    {"\xc0\xff\xff\x98", 4, "unknown x0"},
    /* ldr q0, 1010 */
    {"\x80\x00\x00\x9c", 4, ""},
    /* ldrb w0, [x1, w0, uxtw] */
    {"\x20\x48\x60\x38", 4, "x0 = u8 of table x1+0"},
    /* ldrh w0, [x1, w0, uxtw #1] */
    {"\x20\x58\x60\x78", 4, "x0 = u16 of table x1+0"},
    /* ldr w0, [x1, x0, lsl #2] */
    {"\x20\x78\x60\xb8", 4, "x0 = u32 of table x1+0"},
    /* ldrsw x0, [x1, x0, lsl #2] */
    {"\x20\x78\xa0\xb8", 4, "x0 = s32 of table x1+0"},
    /* ldrsb x0, [x1, x0] */
    {"\x20\x68\xa0\x38", 4, "x0 = s8 of table x1+0"},
    /* ldrsh x0, [x1, w0, sxtw #1] */
    {"\x20\xd8\xa0\x78", 4, "x0 = s16 of table x1+0"},
    /* ldr x0, [x1, x0, lsl #3] */
    {"\x20\x78\x60\xf8", 4, "x0 = u64 of table x1+0"},
    /* ldrsb w0, [x1, x0] */
    {"\x20\x68\xe0\x38", 4, "unknown x0"},
    /* ldr x0, [x1, x0] */
    {"\x20\x68\x60\xf8", 4, "unknown x0"},
    /* ldr w0, [x1, w0, uxtw] */
    {"\x20\x48\x60\xb8", 4, "unknown x0"},
    /* ldr d0, [x1, x0, lsl #3] */
    {"\x20\x78\x60\xfc", 4, ""},
    /* ldr xzr, [x1, x0, lsl #3] */
    {"\x3f\x78\x60\xf8", 4, ""},
    /* sub sp, sp, #0x10 */
    {"\xff\x43\x00\xd1", 4, "sp = sp-16"},
    /* sub sp, sp, #0x10, lsl #12 */
    {"\xff\x43\x40\xd1", 4, "sp = sp-65536"},
    /* add sp, sp, #0xfff */
    {"\xff\xff\x3f\x91", 4, "sp = sp+4095"},
    /* add sp, sp, #0x1, lsl #12 */
    {"\xff\x07\x40\x91", 4, "sp = sp+4096"},
    /* add x29, sp, #0x10 */
    {"\xfd\x43\x00\x91", 4, "x29 = sp+16"},
    /* sub sp, x29, #0x10 */
    {"\xbf\x43\x00\xd1", 4, "sp = x29-16"},
    /* sub x9, sp, #0x20 */
    {"\xe9\x83\x00\xd1", 4, "x9 = sp-32"},
    /* mov x29, sp */
    {"\xfd\x03\x00\x91", 4, "x29 = sp+0"},
    /* mov sp, x29 */
    {"\xbf\x03\x00\x91", 4, "sp = x29+0"},
    /* adds x0, x1, #0x1 */
    {"\x20\x04\x00\xb1", 4, "x0 = x1+1"},
    /* subs x0, x0, #0x1 */
    {"\x00\x04\x00\xf1", 4, "x0 = x0-1"},
    /* adds x29, x4, x14, lsl #10 */
    {"\x9d\x28\x0e\xab", 4, "x29 = x4 + x14 << 10"},
    /* ands w0, w0, #1 */
    {"\x00\x00\x00\x72", 4, "unknown x0; compare x0 1"},
    /* add w0, w1, #0x1 */
    {"\x20\x04\x00\x11", 4, "unknown x0"},
    /* sub wsp, wsp, #0x10 */
    {"\xff\x43\x00\x51", 4, "unknown sp"},
    /* sub sp, sp, x16 */
    {"\xff\x63\x30\xcb", 4, "sp = sp - x16"},
    /* add sp, sp, x16 */
    {"\xff\x63\x30\x8b", 4, "sp = sp + x16"},
    /* sub sp, sp, w1, uxtw */
    {"\xff\x43\x21\xcb", 4, "unknown sp"},
    /* add x0, x1, x0 */
    {"\x20\x00\x00\x8b", 4, "x0 = x1 + x0"},
    /* add x0, x1, x0, lsl #2 */
    {"\x20\x08\x00\x8b", 4, "x0 = x1 + x0 << 2"},
    /* add x0, x1, x0, lsr #2 */
    {"\x20\x08\x40\x8b", 4, "unknown x0"},
    /* add x0, x1, w0, sxtb #2 */
    {"\x20\x88\x20\x8b", 4, "x0 = x1 + x0 s8 << 2"},
    /* add x0, x1, w0, sxth #2 */
    {"\x20\xa8\x20\x8b", 4, "x0 = x1 + x0 s16 << 2"},
    /* add x0, x1, w0, sxtw #2 */
    {"\x20\xc8\x20\x8b", 4, "x0 = x1 + x0 s32 << 2"},
    /* add x0, x1, w0, uxtw */
    {"\x20\x40\x20\x8b", 4, "x0 = x1 + x0 u32"},
    /* add x0, x1, w0, uxtb */
    {"\x20\x00\x20\x8b", 4, "unknown x0"},
    /* add x0, x1, xzr */
    {"\x20\x00\x1f\x8b", 4, "unknown x0"},
    /* add x0, sp, x1, lsl #4 */
    {"\xe0\x73\x21\x8b", 4, "x0 = sp + x1 << 4"},
    /* sub x0, x1, x2 */
    {"\x20\x00\x02\xcb", 4, "x0 = x1 - x2"},
    /* sub x0, x1, x2, lsl #3 */
    {"\x20\x0c\x02\xcb", 4, "unknown x0"},
    /* subs x0, x1, x2 */
    {"\x20\x00\x02\xeb", 4, "x0 = x1 - x2"},
    /* neg x0, x1 */
    {"\xe0\x03\x01\xcb", 4, "unknown x0"},
    /* add v0.2d, v1.2d, v2.2d */
    {"\x20\x84\xe2\x4e", 4, ""},
    /* mov x16, #0x10 */
    {"\x10\x02\x80\xd2", 4, "x16 = 16"},
    /* mov x16, #0x12340000 */
    {"\x90\x46\xa2\xd2", 4, "x16 = 305397760"},
    /* mov x16, #0xffffffffffffffff */
    {"\x10\x00\x80\x92", 4, "x16 = -1"},
    /* mov w16, #0xffffffff */
    {"\x10\x00\x80\x12", 4, "x16 = 4294967295"},
    /* mov x16, #0x1000000000000 */
    {"\x30\x00\xe0\xd2", 4, "x16 = 281474976710656"},
    /* movk x16, #0x1, lsl #16 */
    {"\x30\x00\xa0\xf2", 4, "x16 insert 1 << 16"},
    /* movk w16, #0x1, lsl #16 */
    {"\x30\x00\xa0\x72", 4, "x16 insert 1 << 16; x16 insert 0 << 32; x16 insert 0 << 48"},
    /* mov x16, #0xff00ff00ff00ff00 */
    {"\xf0\x9f\x08\xb2", 4, "x16 = -71777214294589696"},
    /* mov w16, #0xff00ff00 */
    {"\xf0\x9f\x08\x32", 4, "x16 = 4278255360"},
    /* orr x0, x1, #0xf */
    {"\x20\x0c\x40\xb2", 4, "unknown x0"},
    /* orr x0, x1, x2 */
    {"\x20\x00\x02\xaa", 4, "unknown x0"},
    /* mov x0, x1 */
    {"\xe0\x03\x01\xaa", 4, "x0 = x1+0"},
    /* mov x19, x0 */
    {"\xf3\x03\x00\xaa", 4, "x19 = x0+0"},
    /* mov w0, w1 */
    {"\xe0\x03\x01\x2a", 4, "unknown x0"},
    /* mov x0, xzr */
    {"\xe0\x03\x1f\xaa", 4, "x0 = 0"},
    /* mov w0, wzr */
    {"\xe0\x03\x1f\x2a", 4, "x0 = 0"},
    /* mov v0.16b, v1.16b */
    {"\x20\x1c\xa1\x4e", 4, ""},
    /* mov w0, v0.s[1] */
    {"\x00\x3c\x0c\x0e", 4, "unknown x0"},
    /* mov x0, v0.d[1] */
    {"\x00\x3c\x18\x4e", 4, "unknown x0"},
    /* and sp, x9, #0xffffffffffffffe0 */
    {"\x3f\xe9\x7b\x92", 4, "sp = x9+0; align sp"},
    /* and x0, x1, #0xfffffffffffff000 */
    {"\x20\xcc\x74\x92", 4, "x0 = x1+0; align x0"},
    /* and x0, x1, #0xfffffffffffffff */
    {"\x20\xec\x40\x92", 4, "unknown x0; compare x0 1152921504606846975"},
    /* and x0, x1, #0xf */
    {"\x20\x0c\x40\x92", 4, "unknown x0; compare x0 15"},
    /* and w0, w1, #0x7 */
    {"\x20\x08\x00\x12", 4, "unknown x0; compare x0 7"},
    /* and w0, w1, #0xfffffff0 */
    {"\x20\x6c\x1c\x12", 4, "unknown x0; compare x0 4294967280"},
    /* ands x0, x1, #0x7 */
    {"\x20\x08\x40\xf2", 4, "unknown x0; compare x0 7"},
    /* tst x0, #0x7 */
    {"\x1f\x08\x40\xf2", 4, ""},
    /* and x0, x1, x2 */
    {"\x20\x00\x02\x8a", 4, "unknown x0"},
    /* ubfx x0, x1, #3, #4 */
    {"\x20\x18\x43\xd3", 4, "unknown x0; compare x0 15"},
    /* uxtb w0, w1 */
    {"\x20\x1c\x00\x53", 4, "unknown x0; compare x0 255"},
    /* uxth w0, w1 */
    {"\x20\x3c\x00\x53", 4, "unknown x0; compare x0 65535"},
    /* sxtb x0, w1 */
    {"\x20\x1c\x40\x93", 4, "unknown x0"},
    /* adr x0, 1008 */
    {"\x40\x00\x00\x10", 4, "x0 = 4104"},
    /* adrp x0, 2000 */
    {"\x00\x00\x00\xb0", 4, "x0 = 8192"},
    /* cmp w0, #0x7 */
    {"\x1f\x1c\x00\x71", 4, "compare x0 7"},
    /* cmp x0, #0x1, lsl #12 */
    {"\x1f\x04\x40\xf1", 4, "compare x0 4096"},
    /* cmp sp, x9 */
    {"\xff\x63\x29\xeb", 4, "compare sp x9"},
    /* cmp sp, #0x10 */
    {"\xff\x43\x00\xf1", 4, "compare sp 16"},
    /* cmp x0, x1 */
    {"\x1f\x00\x01\xeb", 4, "compare x0 x1"},
    /* cmp w0, w1 */
    {"\x1f\x00\x01\x6b", 4, ""},
    /* cmp x0, x1, lsl #2 */
    {"\x1f\x08\x01\xeb", 4, ""},
    /* cmp x0, w1, sxtw */
    {"\x1f\xc0\x21\xeb", 4, ""},
    /* cmn x0, #0x1 */
    {"\x1f\x04\x00\xb1", 4, ""},
    /* ccmp x0, #0x1, #0x0, eq */
    {"\x00\x08\x41\xfa", 4, ""},
    /* fcmp d0, d1 */
    {"\x00\x20\x61\x1e", 4, ""},
    /* b 1008 */
    {"\x02\x00\x00\x14", 4, "jump 0x1008"},
    /* b ff8 */
    {"\xfe\xff\xff\x17", 4, "jump 0xff8"},
    /* b.eq 1008 */
    {"\x40\x00\x00\x54", 4, "branch 0x1008 equal-if-taken"},
    /* b.ne ff8 */
    {"\xc1\xff\xff\x54", 4, "branch 0xff8 equal-if-not"},
    /* b.hi 1008 */
    {"\x48\x00\x00\x54", 4, "branch 0x1008"},
    /* b.al 0x1008 */
    {"\x4e\x00\x00\x54", 4, "jump 0x1008"},
    /* bc.eq 0x1008 */
    {"\x50\x00\x00\x54", 4, "branch 0x1008 equal-if-taken"},
    /* cbz x0, 1008 */
    {"\x40\x00\x00\xb4", 4, "branch 0x1008"},
    /* cbnz w0, ff8 */
    {"\xc0\xff\xff\x35", 4, "branch 0xff8"},
    /* tbz x0, #33, 1008 */
    {"\x40\x00\x08\xb6", 4, "branch 0x1008"},
    /* tbnz w0, #1, 1008 */
    {"\x40\x00\x08\x37", 4, "branch 0x1008"},
    /* bl 1100 */
    {"\x40\x00\x00\x94", 4,
     "call 0x1100; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    /* blr x1 */
    {"\x20\x00\x3f\xd6", 4,
     "call; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    /* br x16 */
    {"\x00\x02\x1f\xd6", 4, "indirect x16"},
    /* br x30 */
    {"\xc0\x03\x1f\xd6", 4, "indirect x30"},
    /* ret */
    {"\xc0\x03\x5f\xd6", 4, "return"},
    /* ret */
    {"\xc0\x03\x5f\xd6", 4, "return"},
    /* ret x9 */
    {"\x20\x01\x5f\xd6", 4, "indirect x9"},
    /* retaa */
    {"\xff\x0b\x5f\xd6", 4, "return"},
    /* retab */
    {"\xff\x0f\x5f\xd6", 4, "return"},
    /* eret */
    {"\xe0\x03\x9f\xd6", 4, "return"},
    /* eretaa */
    {"\xff\x0b\x9f\xd6", 4, "return"},
    /* eretab */
    {"\xff\x0f\x9f\xd6", 4, "return"},
    /* braa x1, sp */
    {"\x3f\x08\x1f\xd7", 4, "indirect x1"},
    /* brabz x2 */
    {"\x5f\x0c\x1f\xd6", 4, "indirect x2"},
    /* braaz x3 */
    {"\x7f\x08\x1f\xd6", 4, "indirect x3"},
    /* brab x4, x5 */
    {"\x85\x0c\x1f\xd7", 4, "indirect x4"},
    /* blraa x1, sp */
    {"\x3f\x08\x3f\xd7", 4,
     "call; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    /* blraaz x2 */
    {"\x5f\x08\x3f\xd6", 4,
     "call; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    /* blrab x3, x4 */
    {"\x64\x0c\x3f\xd7", 4,
     "call; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    /* blrabz x30 */
    {"\xdf\x0f\x3f\xd6", 4,
     "call; unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x30"},
    /* svc #0x0 */
    {"\x01\x00\x00\xd4", 4, "unknown x0"},
    /* hvc #0x0 */
    {"\x02\x00\x00\xd4", 4,
     "unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17"},
    /* smc #0x0 */
    {"\x03\x00\x00\xd4", 4,
     "unknown x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17"},
    /* brk #0x1 */
    {"\x20\x00\x20\xd4", 4, "stop"},
    /* hlt #0x1 */
    {"\x20\x00\x40\xd4", 4, "stop"},
    /* udf #0 */
    {"\x00\x00\x00\x00", 4, "stop, padding"},
    /* udf #7 */
    {"\x07\x00\x00\x00", 4, "stop"},
    /* drps */
    {"\xe0\x03\xbf\xd6", 4, "stop"},
    /* nop */
    {"\x1f\x20\x03\xd5", 4, "padding"},
    /* yield */
    {"\x3f\x20\x03\xd5", 4, ""},
    /* paciasp */
    {"\x3f\x23\x03\xd5", 4, ""},
    /* pacibsp */
    {"\x7f\x23\x03\xd5", 4, ""},
    /* autiasp */
    {"\xbf\x23\x03\xd5", 4, ""},
    /* autibsp */
    {"\xff\x23\x03\xd5", 4, ""},
    /* paciaz */
    {"\x1f\x23\x03\xd5", 4, ""},
    /* autiaz */
    {"\x9f\x23\x03\xd5", 4, ""},
    /* xpaclri */
    {"\xff\x20\x03\xd5", 4, ""},
    /* pacia1716 */
    {"\x1f\x21\x03\xd5", 4, "unknown x17"},
    /* autib1716 */
    {"\xdf\x21\x03\xd5", 4, "unknown x17"},
    /* pacia x30, sp */
    {"\xfe\x03\xc1\xda", 4, ""},
    /* autib x30, sp */
    {"\xfe\x17\xc1\xda", 4, ""},
    /* xpaci x30 */
    {"\xfe\x43\xc1\xda", 4, ""},
    /* pacia x0, x1 */
    {"\x20\x00\xc1\xda", 4, "unknown x0"},
    /* xpacd x3 */
    {"\xe3\x47\xc1\xda", 4, "unknown x3"},
    /* pacga x0, x1, x2 */
    {"\x20\x30\xc2\x9a", 4, "unknown x0"},
    /* bti */
    {"\x1f\x24\x03\xd5", 4, ""},
    /* bti c */
    {"\x5f\x24\x03\xd5", 4, ""},
    /* bti j */
    {"\x9f\x24\x03\xd5", 4, ""},
    /* bti jc */
    {"\xdf\x24\x03\xd5", 4, ""},
    /* hint #0x28 */
    {"\x1f\x25\x03\xd5", 4, "unknown x16"},
    /* hint #0x7f */
    {"\xff\x2f\x03\xd5", 4, ""},
    /* dmb sy */
    {"\xbf\x3f\x03\xd5", 4, ""},
    /* isb */
    {"\xdf\x3f\x03\xd5", 4, ""},
    /* sb */
    {"\xff\x30\x03\xd5", 4, ""},
    /* mrs x0, tpidr_el0 */
    {"\x40\xd0\x3b\xd5", 4, "unknown x0"},
    /* msr tpidr_el0, x0 */
    {"\x40\xd0\x1b\xd5", 4, ""},
    /* dc zva, x0 */
    {"\x20\x74\x0b\xd5", 4, ""},
    /* sysl x0, #3, C7, C5, #1 */
    {"\x20\x75\x2b\xd5", 4, "unknown x0"},
    /* wfet x0 */
    {"\x00\x10\x03\xd5", 4, ""},
    /* cfinv */
    {"\x1f\x40\x00\xd5", 4, ""},
    /* rmif x0, #1, #2 */
    {"\x02\x84\x00\xba", 4, ""},
    /* setf8 w0 */
    {"\x0d\x08\x00\x3a", 4, ""},
    /* ldraa x0, [x1] */
    {"\x20\x04\x20\xf8", 4, "unknown x0"},
    /* ldrab x0, [x1, #8]! */
    {"\x20\x1c\xa0\xf8", 4, "unknown x0 x1"},
    /* stxr w0, x1, [x2] */
    {"\x41\x7c\x00\xc8", 4, "[x2+0] = ?; unknown x0"},
    /* stlxp w0, x1, x3, [x2] */
    {"\x41\x8c\x20\xc8", 4, "[x2+0] = ? (16); unknown x0"},
    /* ldxr x0, [x1] */
    {"\x20\x7c\x5f\xc8", 4, "unknown x0"},
    /* ldaxp x0, x1, [x2] */
    {"\x40\x84\x7f\xc8", 4, "unknown x0 x1"},
    /* ldar x0, [sp] */
    {"\xe0\xff\xdf\xc8", 4, "unknown x0"},
    /* stlr x0, [sp] */
    {"\xe0\xff\x9f\xc8", 4, "[sp+0] = ?"},
    /* ldapr x0, [x1] */
    {"\x20\xc0\xbf\xf8", 4, "unknown x0"},
    /* ldapur x0, [x1, #8] */
    {"\x20\x80\x40\xd9", 4, "unknown x0"},
    /* stlur x0, [sp, #8] */
    {"\xe0\x83\x00\xd9", 4, "[sp+8] = ?"},
    /* ldlar x0, [x1] */
    {"\x20\x7c\xdf\xc8", 4, "unknown x0"},
    /* cas x0, x1, [x2] */
    {"\x41\x7c\xa0\xc8", 4, "[x2+0] = ?; unknown x0"},
    /* casal w0, w1, [x2] */
    {"\x41\xfc\xe0\x88", 4, "[x2+0] = ? (4); unknown x0"},
    /* casp x0, x1, x2, x3, [x4] */
    {"\x82\x7c\x20\x48", 4, "[x4+0] = ? (16); unknown x0 x1"},
    /* ldadd x0, x1, [x2] */
    {"\x41\x00\x20\xf8", 4, "[x2+0] = ?; unknown x1"},
    /* stadd x0, [x2] */
    {"\x5f\x00\x20\xf8", 4, "[x2+0] = ?"},
    /* swpal x0, x1, [sp] */
    {"\xe1\x83\xe0\xf8", 4, "[sp+0] = ?; unknown x1"},
    /* ld64b x8, [x1] */
    {"\x28\xd0\x3f\xf8", 4, "unknown x8 x9 x10 x11 x12 x13 x14 x15"},
    /* st64b x0, [x1] */
    {"\x20\x90\x3f\xf8", 4, "[x1+0] = ? (64)"},
    /* st64bv x9, x0, [x1] */
    {"\x20\xb0\x29\xf8", 4, "[x1+0] = ? (64); unknown x9"},
    /* cpyfp [x0]!, [x1]!, x2! */
    {"\x40\x04\x01\x19", 4, "unknown x0 x1 x2"},
    /* cpym [x0]!, [x1]!, x2! */
    {"\x40\x04\x41\x1d", 4, "unknown x0 x1 x2"},
    /* setp [x0]!, x1!, x2 */
    {"\x20\x04\xc2\x19", 4, "unknown x0 x1"},
    /* ld1 {v0.16b}, [x0], #16 */
    {"\x00\x70\xdf\x4c", 4, "x0 = x0+16"},
    /* ld1 {v0.16b}, [x0], x1 */
    {"\x00\x70\xc1\x4c", 4, "unknown x0"},
    /* ld1 {v0.16b, v1.16b}, [sp] */
    {"\xe0\xa3\x40\x4c", 4, ""},
    /* st1 {v0.16b, v1.16b}, [sp], #32 */
    {"\xe0\xa3\x9f\x4c", 4, "[sp+0] = ? (32); sp = sp+32"},
    /* st1 {v0.8b-v2.8b}, [x0], #24 */
    {"\x00\x60\x9f\x0c", 4, "[x0+0] = ? (24); x0 = x0+24"},
    /* ld4 {v0.16b-v3.16b}, [x0], #64 */
    {"\x00\x00\xdf\x4c", 4, "x0 = x0+64"},
    /* st4 {v19.s-v22.s}[0], [x0], #16 */
    {"\x13\xa0\xbf\x0d", 4, "[x0+0] = ? (16); x0 = x0+16"},
    /* st1 {v10.h}[3], [x3], #2 */
    {"\x6a\x58\x9f\x0d", 4, "[x3+0] = ? (2); x3 = x3+2"},
    /* ld1r {v31.2d}, [x9], #8 */
    {"\x3f\xcd\xdf\x4d", 4, "x9 = x9+8"},
    /* str z20, [x28, #-7, mul vl]: for Capstone 5 it is str */
    {"\x94\x47\xbf\xe5", 4, ""},
    /* tcancel #0xa84d */
    {"\xa0\x09\x75\xd4", 4, ""},
    /* st4 {v0.b-v3.b}[1], [sp] */
    {"\xe0\x27\x20\x0d", 4, "[sp+0] = ? (64)"},
    /* irg sp, x0 */
    {"\x1f\x10\xdf\x9a", 4, "unknown sp"},
    /* irg x0, sp */
    {"\xe0\x13\xdf\x9a", 4, "unknown x0"},
    /* addg x0, x1, #0x10, #0x1 */
    {"\x20\x04\x81\x91", 4, "unknown x0"},
    /* addg sp, sp, #0x10, #0x1 */
    {"\xff\x07\x81\x91", 4, "unknown sp"},
    /* subg x0, x1, #0x10, #0x1 */
    {"\x20\x04\x81\xd1", 4, "unknown x0"},
    /* gmi x0, x1, x2 */
    {"\x20\x14\xc2\x9a", 4, "unknown x0"},
    /* subp x0, x1, x2 */
    {"\x20\x00\xc2\x9a", 4, "unknown x0"},
    /* subps x0, x1, x2 */
    {"\x20\x00\xc2\xba", 4, "unknown x0"},
    /* stg x0, [sp, #16] */
    {"\xe0\x1b\x20\xd9", 4, ""},
    /* stg x0, [x1], #16 */
    {"\x20\x14\x20\xd9", 4, "unknown x1"},
    /* stg x0, [x1, #16]! */
    {"\x20\x1c\x20\xd9", 4, "unknown x1"},
    /* stzg x0, [sp, #16] */
    {"\xe0\x1b\x60\xd9", 4, "[sp+16] = ? (32)"},
    /* st2g sp, [sp] */
    {"\xff\x0b\xa0\xd9", 4, ""},
    /* stz2g x0, [x1], #32 */
    {"\x20\x24\xe0\xd9", 4, "[x1+0] = ? (32); unknown x1"},
    /* stgp x0, x1, [sp, #16] */
    {"\xe0\x87\x00\x69", 4, "[sp+16] = ? (16)"},
    /* stgp x0, x1, [x2], #32 */
    {"\x40\x04\x81\x68", 4, "[x2+0] = ? (16); unknown x2"},
    /* ldg x0, [x1] */
    {"\x20\x00\x60\xd9", 4, "unknown x0"},
    /* ldgm x0, [x1] */
    {"\x20\x00\xe0\xd9", 4, "unknown x0"},
    /* stgm x0, [x1] */
    {"\x20\x00\xa0\xd9", 4, ""},
    /* addvl sp, sp, #-1 */
    {"\xff\x57\x3f\x04", 4, "unknown sp"},
    /* addpl x0, x1, #1 */
    {"\x20\x50\x61\x04", 4, "unknown x0"},
    /* addvl x0, sp, #2 */
    {"\x40\x50\x3f\x04", 4, "unknown x0"},
    /* rdvl x0, #1 */
    {"\x20\x50\xbf\x04", 4, "unknown x0"},
    /* cntb x0 */
    {"\xe0\xe3\x20\x04", 4, "unknown x0"},
    /* cntd x0, all, mul #2 */
    {"\xe0\xe3\xe1\x04", 4, "unknown x0"},
    /* incb x0 */
    {"\xe0\xe3\x30\x04", 4, "unknown x0"},
    /* decw x0 */
    {"\xe0\xe7\xb0\x04", 4, "unknown x0"},
    /* sqincb x0, w0 */
    {"\xe0\xf3\x20\x04", 4, "unknown x0"},
    /* incw z0.s */
    {"\xe0\xc3\xb0\x04", 4, ""},
    /* cntp x0, p0, p1.b */
    {"\x20\x80\x20\x25", 4, "unknown x0"},
    /* incp x0, p0.b */
    {"\x00\x88\x2c\x25", 4, "unknown x0"},
    /* lasta x0, p0, z0.d */
    {"\x00\xa0\xe0\x05", 4, "unknown x0"},
    /* clastb w0, p0, w0, z0.s */
    {"\x00\xa0\xb1\x05", 4, "unknown x0"},
    /* ptest p0, p1.b */
    {"\x20\xc0\x50\x25", 4, ""},
    /* whilelo p0.b, x0, x1 */
    {"\x00\x1c\x21\x25", 4, ""},
    /* ctermeq x0, x1 */
    {"\x00\x20\xe1\x25", 4, ""},
    /* str z8, [sp] */
    {"\xe8\x43\x80\xe5", 4, ""},
    /* ld1b {z0.b}, p0/z, [x0, x1] */
    {"\x00\x40\x01\xa4", 4, ""},
    /* rdffr p0.b */
    {"\x00\xf0\x19\x25", 4, ""},
    /* fmopa za0.s, p0/m, p1/m, z0.s, z1.s */
    {"\x00\x20\x81\x80", 4, ""},
    /* smstart */
    {"\x7f\x47\x03\xd5", 4, ""},
    /* rdsvl x0, #1 */
    {"\x20\x58\xbf\x04", 4, "unknown x0"},
    /* addsvl sp, sp, #1 */
    {"\x3f\x58\x3f\x04", 4, "unknown sp"},
    /* umov w0, v0.b[1] */
    {"\x00\x3c\x03\x0e", 4, "unknown x0"},
    /* smov x0, v0.h[1] */
    {"\x00\x2c\x06\x4e", 4, "unknown x0"},
    /* mov v0.d[0], x1 */
    {"\x20\x1c\x08\x4e", 4, ""},
    /* fmov x0, d0 */
    {"\x00\x00\x66\x9e", 4, "unknown x0"},
    /* fmov d0, x0 */
    {"\x00\x00\x67\x9e", 4, ""},
    /* fmov x0, v1.d[1] */
    {"\x20\x00\xae\x9e", 4, "unknown x0"},
    /* fcvtzs x0, d0 */
    {"\x00\x00\x78\x9e", 4, "unknown x0"},
    /* fcvtzu w0, s0, #3 */
    {"\x00\xf4\x19\x1e", 4, "unknown x0"},
    /* scvtf d0, x0 */
    {"\x00\x00\x62\x9e", 4, ""},
    /* fjcvtzs w0, d0 */
    {"\x00\x00\x7e\x1e", 4, "unknown x0"},
    /* frint32z d0, d1 */
    {"\x20\x40\x68\x1e", 4, ""},
    /* fmov h0, #1.000000000000000000e+00 */
    {"\x00\x10\xee\x1e", 4, ""},
    /* fcvtas x0, h0 */
    {"\x00\x00\xe4\x9e", 4, "unknown x0"},
    /* bfdot v0.4s, v1.8h, v2.8h */
    {"\x20\xfc\x42\x6e", 4, ""},
    /* smmla v0.4s, v1.16b, v2.16b */
    {"\x20\xa4\x82\x4e", 4, ""},
    /* sdot v0.4s, v1.16b, v2.16b */
    {"\x20\x94\x82\x4e", 4, ""},
    /* eor3 v0.16b, v1.16b, v2.16b, v3.16b */
    {"\x20\x0c\x02\xce", 4, ""},
    /* csel x0, x1, x2, eq */
    {"\x20\x00\x82\x9a", 4, "unknown x0"},
    /* cset x0, eq */
    {"\xe0\x17\x9f\x9a", 4, "unknown x0"},
    /* madd x0, x1, x2, x3 */
    {"\x20\x0c\x02\x9b", 4, "unknown x0"},
    /* umaddl x0, w1, w2, x3 */
    {"\x20\x0c\xa2\x9b", 4, "unknown x0"},
    /* bfi x0, x1, #3, #4 */
    {"\x20\x0c\x7d\xb3", 4, "unknown x0"},
    /* lsl x0, x1, #3 */
    {"\x20\xf0\x7d\xd3", 4, "unknown x0"},
    /* crc32b w0, w1, w2 */
    {"\x20\x40\xc2\x1a", 4, "unknown x0"},
    /* prfm pldl1keep, [x0] */
    {"\x00\x00\x80\xf9", 4, ""},
    /* prfm pldl1keep, [x0, x1] */
    {"\x00\x68\xa1\xf8", 4, ""},
    /* abs w0, w1 */
    {"\x20\x20\xc0\x5a", 4, "unknown x0"},
    /* smax w0, w1, #1 */
    {"\x20\x04\xc0\x11", 4, "unknown x0"},
    /* movt x0, zt0[0] */
    {"\xe0\x03\x4c\xc0", 4, "unknown x0"},
    /* retaasppcr x3 */
    {"\xe3\x0b\x5f\xd6", 4, "return"},
    /* retaasppc 0x1000 */
    {"\x1f\x00\x00\x55", 4, "return"},
    /* autiasppc 0x1000 */
    {"\x1f\x00\x80\xf3", 4, ""},
};

static void insn_effects_are_those_of_the_manual(void **state)
{
    (void)state;
    check_effects(ARCH_AARCH64, CODE_DEFAULT, EFFECTS, WORDS(EFFECTS));
}

static uint64_t changed(const struct insn *insn)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < insn->op_count; i++) {
        const struct op *op = &insn->ops[i];

        if (op->kind == OP_CLOBBER)
            mask |= op->mask;
        else if (op->kind != OP_STORE && op->kind != OP_COMPARE && op->kind != OP_COMPARE_REG)
            mask |= UINT64_C(1) << op->dst;
    }
    return mask;
}

static void insn_model_changes_what_the_encoding_says_is_written(void **state)
{
    struct decoder *d = decoder();
    struct insn insn;

    (void)state;
    for (size_t i = 0; i < WORDS(EFFECTS); i++) {
        uint32_t word = a64_word((const uint8_t *)EFFECTS[i].bytes);

        assert_int_equal(decoder_decode(d, (const uint8_t *)EFFECTS[i].bytes, 4, VADDR, 0, &insn),
                         STATUS_OK);
        /* Calls of functions and of the kernel; the link register's authentication. */
        if (insn.flow == FLOW_CALL || (word & 0xffe0001c) == 0xd4000000 ||
            (word & 0xffff001f) == 0xdac1001e || (word & 0xffc0001f) == 0xf380001f)
            continue;
        if (changed(&insn) != a64_written(word))
            fail_msg("case %zu (%s): the encoding says %llx", i, EFFECTS[i].effect,
                     (unsigned long long)a64_written(word));
    }
    decoder_destroy(d);
}

/* The general registers that Capstone says are written. */
static uint64_t capstone_written(struct decoder *d)
{
    cs_regs read, written;
    uint8_t read_count, written_count;
    uint64_t mask = 0;

    assert_int_equal(cs_regs_access(d->handle, d->insn, read, &read_count, written, &written_count),
                     CS_ERR_OK);
    for (uint8_t i = 0; i < written_count; i++) {
        unsigned reg = written[i];

        if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
            mask |= UINT64_C(1) << (reg - ARM64_REG_X0);
        else if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
            mask |= UINT64_C(1) << (reg - ARM64_REG_W0);
        else if (reg == ARM64_REG_X29 || reg == ARM64_REG_X30)
            mask |= UINT64_C(1) << (reg == ARM64_REG_X29 ? X29 : X30);
        else if (reg == ARM64_REG_SP || reg == ARM64_REG_WSP)
            mask |= UINT64_C(1) << SP;
    }
    return mask;
}

/* What is decoded without asking Capstone, with all operands: Capstone agrees. */
static void insn_shortcuts_are_what_capstone_says(void **state)
{
    static const struct {
        uint32_t fixed, value;
    } groups[] = {
        {0xffc00000, 0xb9400000}, {0xffc00000, 0x39400000}, {0xffc00000, 0x79400000},
        {0x3fe00800, 0x1a800000}, {0x7fe00000, 0x1b000000}, {0xff800000, 0x11000000},
        {0xff800000, 0x51000000}, {0xffe08000, 0x0b000000}, {0xffe08000, 0x4b000000},
        {0xffe08000, 0x0a000000}, {0xffe00000, 0x8a000000}, {0xffe08000, 0x13000000},
        {0xfc000000, 0x14000000}, {0xff000010, 0x54000000}, {0x7e000000, 0x34000000},
        {0x7e000000, 0x36000000},
    };
    struct decoder *d = decoder();
    uint32_t random = 1;

    (void)state;
    for (size_t i = 0; i < WORDS(groups) * 2000; i++) {
        size_t group = i / 2000;
        uint8_t bytes[4];
        const uint8_t *at = bytes;
        size_t left = sizeof(bytes);
        uint64_t next = VADDR;
        uint32_t word;
        const cs_arm64 *a64;
        struct insn insn;

        random = random * 1664525 + 1013904223;
        word = groups[group].value | ((random >> 8 ^ random << 16) & ~groups[group].fixed);
        put_word(bytes, word);
        assert_int_equal(decoder_decode(d, bytes, 4, VADDR, 0, &insn), STATUS_OK);
        if (!cs_disasm_iter(d->handle, &at, &left, &next, d->insn))
            fail_msg("%08x is no instruction", word);
        a64 = &d->insn->detail->arm64;
        if (changed(&insn) != capstone_written(d))
            fail_msg("%08x %s %s: %llx", word, d->insn->mnemonic, d->insn->op_str,
                     (unsigned long long)changed(&insn));
        if (insn.has_target)
            assert_int_equal(insn.target_vaddr, a64->operands[a64->op_count - 1].imm);
        if (insn.flow == FLOW_JUMP)
            assert_true(a64->cc == ARM64_CC_INVALID || a64->cc >= ARM64_CC_AL);
        assert_int_equal(insn.equal == EQUAL_TAKEN, a64->cc == ARM64_CC_EQ && insn.has_target);
        assert_int_equal(insn.equal == EQUAL_FALLS, a64->cc == ARM64_CC_NE && insn.has_target);
        assert_false(a64->update_flags);
    }
    decoder_destroy(d);
}

static void insn_comparisons_write_flags(void **state)
{
    /*
     * cmp x0, x1; subs w0, w0, #1; ands x0, x1, #7; ccmp; fcmp d0, d1; ptest; cfinv; fccmp h23,
     * h26, #14, ne; rmif
     */
    static const uint32_t writers[] = {0xeb01001f, 0x71000400, 0xf2400820, 0xfa410800, 0x1e612000,
                                       0x2550c000, 0xd500401f, 0x1efa16ee, 0xba058749};
    /* sub x0, x1, x2; b.ne; csel */
    static const uint32_t others[] = {0xcb020020, 0x54000041, 0x9a820020};
    struct decoder *d = decoder();
    struct insn insn;
    uint8_t bytes[4];

    (void)state;
    for (size_t i = 0; i < WORDS(writers); i++) {
        put_word(bytes, writers[i]);
        assert_int_equal(decoder_decode(d, bytes, 4, VADDR, 0, &insn), STATUS_OK);
        assert_true(insn.writes_flags);
    }
    for (size_t i = 0; i < WORDS(others); i++) {
        put_word(bytes, others[i]);
        assert_int_equal(decoder_decode(d, bytes, 4, VADDR, 0, &insn), STATUS_OK);
        assert_false(insn.writes_flags);
    }
    decoder_destroy(d);
}

static void insn_that_is_cut_is_not_found(void **state)
{
    struct decoder *d = decoder();

    (void)state;
    for (uint64_t size = 0; size < 4; size++) {
        /* A copy, so that a read behind the end is one behind an allocation. */
        uint8_t *bytes = test_malloc(size ? size : 1);
        struct insn insn;

        memset(bytes, 0xd6, size);
        assert_int_equal(decoder_decode(d, bytes, size, VADDR, 0, &insn), STATUS_NOT_FOUND);
        assert_int_equal(set()->reads(d, bytes, size, VADDR), 0);
        assert_int_equal(set()->jump_target(bytes, size, VADDR), 0);
        assert_false(set()->ends_with_call(bytes, size));
        assert_false(set()->strong_start(bytes, size));
        test_free(bytes);
    }
    decoder_destroy(d);
}

static void insn_no_instruction_is_not_found(void **state)
{
    /*
     * Unallocated groups; ldp x0, x0, [x9]; add with an impossible shift; text; ldxr and stlr with
     * bits that are one
     */
    static const uint32_t words[] = {0x02345678, 0x06345678, 0xa8ef8120, 0x0bc163c8,
                                     0xffffffff, 0x74736574, 0x88464f78, 0x8882a42e};
    struct decoder *d = decoder();
    struct insn insn;
    uint8_t bytes[4];

    (void)state;
    for (size_t i = 0; i < WORDS(words); i++) {
        put_word(bytes, words[i]);
        assert_int_equal(decoder_decode(d, bytes, 4, VADDR, 0, &insn), STATUS_NOT_FOUND);
    }
    decoder_destroy(d);
}

static void insn_reads_what_is_not_saved_or_compared(void **state)
{
#define REG(n) (UINT64_C(1) << (n))
    static const struct {
        uint32_t word;
        uint64_t reads;
    } cases[] = {
        {0xa9be4ff4, 0},                             /* stp x20, x19, [sp, #-32]! */
        {0xa9014ff4, 0},                             /* stp x20, x19, [sp, #16] */
        {0xa9014fb4, REG(X29)},                      /* stp x20, x19, [x29, #16] */
        {0xa9014c14, REG(X19) | REG(X20) | REG(X0)}, /* stp x20, x19, [x0, #16] */
        {0xf90003f3, 0},                             /* str x19, [sp] */
        {0xf9000273, REG(X19)},                      /* str x19, [x19] */
        {0xf9400260, REG(X19)},                      /* ldr x0, [x19] */
        {0xf8737814, REG(X0) | REG(X19)},            /* ldr x20, [x0, x19, lsl #3] */
        {0xaa1303e0, REG(X19)},                      /* mov x0, x19 */
        {0xaa0003f3, REG(X0)},                       /* mov x19, x0 */
        {0xd2800013, 0},                             /* mov x19, #0 */
        {0xf2a00033, REG(X19)},                      /* movk x19, #1, lsl #16 */
        {0xca130273, 0},                             /* eor x19, x19, x19 */
        {0x8b130014, REG(X0) | REG(X19)},            /* add x20, x0, x19 */
        {0xb40000b3, REG(X19)},                      /* cbz x19, … */
        {0xd63f0260, REG(X19)},                      /* blr x19 */
        {0xd73f0a7f, REG(X19)},                      /* blraa x19, sp */
        {0xf8330280, REG(X20)},                      /* ldadd x19, x0, [x20] */
        {0xf9b1dacb, REG(22)},                       /* prfm plil2strm, [x22, #0x63b0] */
        {0xf8b36814, REG(X0) | REG(X19)},            /* prfm #0x14, [x0, x19] */
        {0x9ad30800, REG(X0) | REG(X19)},            /* udiv x0, x0, x19 */
        {0xdac01273, REG(X19)},                      /* clz x19, x19 */
        {0xe41ddc4a, 0},                             /* st1b {z10.d}, p7, [x2, z29.d, sxtw] */
        {0x4e010e60, REG(X19)},                      /* dup v0.16b, w19 */
    };
    struct decoder *d = decoder();
    uint8_t bytes[4];

    (void)state;
    for (size_t i = 0; i < WORDS(cases); i++) {
        uint64_t reads;

        put_word(bytes, cases[i].word);
        reads = set()->reads(d, bytes, 4, VADDR);
        if (reads != cases[i].reads)
            fail_msg("%08x reads %llx", cases[i].word, (unsigned long long)reads);
    }
    decoder_destroy(d);
#undef REG
}

static void insn_literals_of_every_size_are_data(void **state)
{
    static const struct {
        uint32_t word;
        uint8_t size;
    } cases[] = {
        {0x58000041, 8},  /* ldr x1, .+8 */
        {0x18000041, 4},  /* ldr w1, .+8 */
        {0x98000041, 4},  /* ldrsw x1, .+8 */
        {0x1c000041, 4},  /* ldr s1, .+8 */
        {0x5c000041, 8},  /* ldr d1, .+8 */
        {0x9c000041, 16}, /* ldr q1, .+8 */
        {0xd8000041, 0},  /* prfm pldl1strm, .+8 */
        {0xf9400421, 0},  /* ldr x1, [x1, #8] */
    };
    struct decoder *d = decoder();

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t bytes[4];
        struct insn insn;

        put_word(bytes, cases[i].word);
        assert_int_equal(decoder_decode(d, bytes, 4, VADDR, 0, &insn), STATUS_OK);
        assert_int_equal(insn.literal_vaddr, cases[i].size ? VADDR + 8 : 0);
        assert_int_equal(insn.literal_size, cases[i].size);
    }
    decoder_destroy(d);
}

static void insn_jumps_tell_their_target(void **state)
{
    uint8_t bytes[4];

    (void)state;
    put_word(bytes, 0x14000040); /* b .+0x100 */
    assert_int_equal(set()->jump_target(bytes, 4, VADDR), VADDR + 0x100);
    put_word(bytes, 0x17ffffff); /* b .-4 */
    assert_int_equal(set()->jump_target(bytes, 4, VADDR), VADDR - 4);
    put_word(bytes, 0x94000040); /* bl .+0x100 */
    assert_int_equal(set()->jump_target(bytes, 4, VADDR), 0);
    put_word(bytes, 0xd61f0200); /* br x16 */
    assert_int_equal(set()->jump_target(bytes, 4, VADDR), 0);
}

static void insn_every_call_and_nothing_else_ends_with_a_call(void **state)
{
    struct decoder *d = decoder();
    struct insn insn;
    uint8_t bytes[8] = {0};

    (void)state;
    for (size_t i = 0; i < WORDS(EFFECTS); i++) {
        memcpy(bytes + 4, EFFECTS[i].bytes, 4);
        assert_int_equal(decoder_decode(d, bytes + 4, 4, VADDR, 0, &insn), STATUS_OK);
        assert_int_equal(set()->ends_with_call(bytes, 8), insn.flow == FLOW_CALL);
        assert_int_equal(set()->ends_with_call(bytes + 4, 4), insn.flow == FLOW_CALL);
    }
    decoder_destroy(d);
}

static void insn_prologues_are_strong_starts(void **state)
{
    static const uint32_t starts[][3] = {
        {0xd503233f},                         /* paciasp */
        {0xd503237f},                         /* pacibsp */
        {0xd503245f},                         /* bti c */
        {0xa9be7bfd},                         /* stp x29, x30, [sp, #-32]! */
        {0xa9be4ffe},                         /* stp x30, x19, [sp, #-32]! */
        {0x6dbe23e9},                         /* stp d9, d8, [sp, #-32]! */
        {0xf81f0ffe},                         /* str x30, [sp, #-16]! */
        {0xd10103ff, 0xa9037bfd},             /* sub sp, sp, #64; stp x29, x30, [sp, #48] */
        {0xd10103ff, 0xf9000ff3, 0xf9000bfe}, /* sub sp, sp, #64; str x19, …; str x30, [sp, #16] */
    };
    static const uint32_t others[][3] = {
        {0xd503201f},                         /* nop */
        {0xd503249f},                         /* bti j */
        {0xa9bf07e0},                         /* stp x0, x1, [sp, #-16]! */
        {0xa9027bfd},                         /* stp x29, x30, [sp, #32] */
        {0xa8c27bfd},                         /* ldp x29, x30, [sp], #32 */
        {0xd10103ff, 0xf90007e0, 0xd65f03c0}, /* sub sp, sp, #64; str x0, [sp, #8]; ret */
        {0x910103ff, 0xa9037bfd},             /* add sp, sp, #64; stp x29, x30, [sp, #48] */
    };
    uint8_t bytes[12];

    (void)state;
    for (size_t i = 0; i < WORDS(starts); i++) {
        for (size_t k = 0; k < 3; k++)
            put_word(bytes + 4 * k, starts[i][k]);
        if (!set()->strong_start(bytes, sizeof(bytes)))
            fail_msg("%08x does not start a function", starts[i][0]);
    }
    for (size_t i = 0; i < WORDS(others); i++) {
        for (size_t k = 0; k < 3; k++)
            put_word(bytes + 4 * k, others[i][k]);
        if (set()->strong_start(bytes, sizeof(bytes)))
            fail_msg("%08x starts a function", others[i][0]);
    }
}

static void insn_sigreturn_restores_every_register(void **state)
{
    static const uint8_t code[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4};
    /* struct rt_sigframe up to pstate: siginfo and ucontext are 38 words, then fault_address */
    uint64_t words[73];
    struct snap_region region = {.start_addr = 0x7000,
                                 .end_addr = 0x7000 + sizeof(words),
                                 .map_end_addr = 0x7000 + sizeof(words),
                                 .bytes = (const uint8_t *)words};
    struct memory memory = {.regions = &region, .count = 1};
    struct regs frame = {.known = 0}, caller;
    struct row row;
    uint64_t cfa;

    (void)state;
    for (unsigned i = 0; i < WORDS(words); i++)
        words[i] = 0x9000 + i;
    regs_set(&frame, SP, 0x7000);
    assert_int_equal(set()->sigreturn_row(code, sizeof(code), VADDR, &row), STATUS_OK);
    assert_true(row.signal_frame);
    assert_int_equal(row.start_vaddr, VADDR);
    assert_int_equal(row.end_vaddr, VADDR + sizeof(code));
    assert_int_equal(row_execute(&row, arch_get(ARCH_AARCH64), 0, &frame, &memory, &caller, &cfa),
                     STATUS_OK);
    for (unsigned reg = X0; reg <= PC; reg++) {
        assert_true(regs_has(&caller, reg));
        assert_int_equal(caller.value[reg], 0x9000 + 39 + reg);
    }
    assert_int_equal(cfa, caller.value[SP]);
    for (uint64_t size = 0; size < sizeof(code); size++)
        assert_int_equal(set()->sigreturn_row(code, size, VADDR, &row), STATUS_NOT_FOUND);
    assert_int_equal(set()->sigreturn_row(code + 4, 4, VADDR, &row), STATUS_NOT_FOUND);
}

static void insn_set_is_there_for_aarch64(void **state)
{
    (void)state;
    assert_non_null(set());
    assert_int_equal(set()->alignment, 4);
    assert_null(insn_set_for(arch_get(ARCH_AARCH64), CODE_T32));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(insn_effects_are_those_of_the_manual),
        cmocka_unit_test(insn_model_changes_what_the_encoding_says_is_written),
        cmocka_unit_test(insn_shortcuts_are_what_capstone_says),
        cmocka_unit_test(insn_comparisons_write_flags),
        cmocka_unit_test(insn_that_is_cut_is_not_found),
        cmocka_unit_test(insn_no_instruction_is_not_found),
        cmocka_unit_test(insn_reads_what_is_not_saved_or_compared),
        cmocka_unit_test(insn_literals_of_every_size_are_data),
        cmocka_unit_test(insn_jumps_tell_their_target),
        cmocka_unit_test(insn_every_call_and_nothing_else_ends_with_a_call),
        cmocka_unit_test(insn_prologues_are_strong_starts),
        cmocka_unit_test(insn_sigreturn_restores_every_register),
        cmocka_unit_test(insn_set_is_there_for_aarch64),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
