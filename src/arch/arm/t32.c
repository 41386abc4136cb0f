/* SPDX-License-Identifier: MIT */
/*
 * T32 (Thumb-2): instructions of two or four bytes. Conditions are not encoded in the instruction
 * but set by `it` for up to four that follow: struct insn's context is ITSTATE. Capstone never sees
 * `it`, so that it keeps no state of its own.
 */
#include "arch/arm/case_helper.h"
#include "arch/arm/insn.h"
#include "arch/arm/loop.h"
#include "arch/arm/mve.h"
#include "arch/arm/vfp.h"
#include "base/bits.h"

#define HALF 2
#define NOP  0xbf00u

#define BL_NEXT 0xf000f800u /* bl .+4 */

#define SEMIHOSTING 0xbeab /* bkpt 0xab: a call of the debugger on the M-profile */

/* Says whether this is the first halfword of an instruction of two. */
static bool is_wide(unsigned half)
{
    return half >= 0xe800;
}

/* Reads a wide instruction as one word, its first halfword in the upper half. */
static uint32_t wide_word(const uint8_t *bytes)
{
    return (uint32_t)arm_read16(bytes) << 16 | arm_read16(bytes + HALF);
}

static bool in_it_block(uint8_t itstate)
{
    return itstate & 0xf;
}

static uint8_t advance_it(uint8_t itstate)
{
    unsigned state = itstate;

    return (uint8_t)(state & 7 ? (state & 0xe0) | (state << 1 & 0x1f) : 0);
}

/* b.w, bl, blx: 25 bits whose upper two are stored xored with the sign. */
static int64_t long_offset(uint32_t word)
{
    uint32_t sign = word >> 26 & 1;
    uint32_t i1 = (word >> 13 & 1) == sign, i2 = (word >> 11 & 1) == sign;

    return bits_signed(sign << 24 | i1 << 23 | i2 << 22 | (word >> 16 & 0x3ff) << 12 |
                           (word & 0x7ff) << 1,
                       25);
}

/* b<cond>.w: 21 bits, in order. */
static int64_t conditional_offset(uint32_t word)
{
    return bits_signed((word >> 26 & 1) << 20 | (word >> 11 & 1) << 19 | (word >> 13 & 1) << 18 |
                           (word >> 16 & 0x3f) << 12 | (word & 0x7ff) << 1,
                       21);
}

static bool is_branch_space(uint32_t word)
{
    return (word & 0xf8008000) == 0xf0008000;
}

static bool is_branch(uint32_t word)
{
    return (word & 0xf800d000) == 0xf0009000;
}

static bool is_conditional_branch(uint32_t word)
{
    return (word & 0xf800d000) == 0xf0008000 && (word >> 22 & 0xf) < ARM_CONDITION_ALWAYS;
}

static bool fits(int64_t offset, unsigned bits)
{
    return offset >= -(INT64_C(1) << (bits - 1)) && offset < INT64_C(1) << (bits - 1);
}

static unsigned condition_of(const struct insn *insn)
{
    return insn->predicate ? insn->predicate - 1u : ARM_CONDITION_ALWAYS;
}

/* tbb [rn, rm]; tbh [rn, rm, lsl #1]: distances in halfwords from PC. */
static void table_branch(uint32_t word, uint64_t pc, struct insn *out)
{
    uint8_t table = word >> 16 & 0xf;
    struct op *op;

    arm_op_const(out, REG_TEMP2, pc);
    op = insn_push_op(out, OP_ELEMENT);
    op->dst = REG_TEMP;
    op->src = table == ARM_PC ? REG_NONE : table;
    op->imm = table == ARM_PC ? (int64_t)pc : 0;
    op->size = word & 0x10 ? 2 : 1;
    op = insn_push_op(out, OP_ADD_REG);
    op->dst = ARM_PC;
    op->src = REG_TEMP2;
    op->src2 = REG_TEMP;
    op->shift = 1;
    arm_jump_register(out, ARM_PC);
}

/* Decodes jumps, traps and hints in the encodings of branches and miscellaneous control. */
static bool wide_control(uint32_t word, uint64_t pc, struct insn *out)
{
    if ((word & 0xf800d000) == 0xf000d000) {
        arm_call(out, arm_address(pc, long_offset(word)), CODE_T32);
    } else if ((word & 0xf800d001) == 0xf000c000) {
        arm_call(out, arm_address(pc & ~UINT64_C(3), long_offset(word)), CODE_DEFAULT);
    } else if (is_branch(word)) {
        out->far = fits(long_offset(word), 12);
        arm_jump(out, condition_of(out), arm_address(pc, long_offset(word)), CODE_T32);
    } else if (is_conditional_branch(word)) {
        out->far = fits(conditional_offset(word), 9);
        arm_jump(out, word >> 22 & 0xf, arm_address(pc, conditional_offset(word)), CODE_T32);
    } else if ((word & 0xfff0f000) == 0xf7f0a000) { /* udf */
        out->flow = FLOW_STOP;
    } else if ((word & 0xffffff00) == 0xf3af8000) { /* hints */
        out->padding = (word & 0xff) == 0;
        if ((word & 0xff) == 0x0d || (word & 0xff) == 0x1d) /* pacbti, pac: the code is in IP */
            arm_op_clobber(out, 1u << ARM_IP);
    } else {
        return false;
    }
    return true;
}

static bool wide_by_mask(uint32_t word, uint64_t pc, struct insn *out)
{
    if (is_branch_space(word))
        return wide_control(word, pc, out) || arm_loop(word, pc, out);
    if ((word & 0xfff0ffe0) == 0xe8d0f000) {
        table_branch(word, pc, out);
        return true;
    }
    return false;
}

/* Decodes bx, blx through a register; bx pc leads to the A32 code behind it. */
static void narrow_exchange(unsigned half, uint64_t vaddr, struct insn *out)
{
    uint8_t reg = half >> 3 & 0xf;

    if (half & 0x80)
        arm_call_register(out);
    else if (reg == ARM_PC)
        arm_jump(out, condition_of(out), arm_address((vaddr & ~UINT64_C(3)), 4), CODE_DEFAULT);
    else
        arm_jump_register(out, reg);
}

/* Decodes all 16-bit instructions that jump, and those without effect. */
static bool narrow_by_mask(unsigned half, uint64_t vaddr, struct insn *out)
{
    uint64_t pc = arm_address(vaddr, 4);

    if ((half & 0xff00) == 0xbf00) { /* it, hints */
        if (in_it_block((uint8_t)half))
            out->next_context = (uint8_t)half;
        out->padding = half == NOP;
    } else if (half == 0 || half == 0x46c0) { /* movs r0, r0; mov r8, r8 */
        out->padding = true;
        out->writes_flags = half == 0 && !in_it_block(out->context);
    } else if ((half & 0xffc0) == 0) { /* movs, which has another id than mov in Capstone 5 */
        arm_op_add(out, half & 7, half >> 3 & 7, 0);
        out->writes_flags = !in_it_block(out->context);
    } else if ((half & 0xff00) == 0xdf00 ||
               half == SEMIHOSTING) { /* svc: the kernel's result; the debugger's */
        arm_op_clobber(out, 1u << ARM_R0);
    } else if ((half & 0xff00) == 0xde00 || (half & 0xff00) == 0xbe00 ||
               (half & 0xffc0) == 0xba80) { /* udf, bkpt, hlt */
        out->flow = FLOW_STOP;
    } else if ((half & 0xf000) == 0xd000) {
        arm_jump(out, half >> 8 & 0xf, arm_address(pc, bits_signed(half << 1 & 0x1ff, 9)),
                 CODE_T32);
    } else if ((half & 0xf800) == 0xe000) {
        arm_jump(out, condition_of(out), arm_address(pc, bits_signed(half << 1 & 0xfff, 12)),
                 CODE_T32);
    } else if ((half & 0xf500) == 0xb100) { /* cbz, cbnz */
        arm_jump(out, ARM_CONDITION_ALWAYS,
                 arm_address(pc, (half >> 3 & 0x40) | (half >> 2 & 0x3e)), CODE_T32);
        out->flow = FLOW_BRANCH;
    } else if ((half & 0xff07) == 0x4700) {
        narrow_exchange(half, vaddr, out);
    } else if ((half & 0xfff7) == 0xb610) { /* setpan */
    } else {
        return false;
    }
    return true;
}

static bool is_vector_memory(uint32_t word)
{
    return (word & 0xff100000) == 0xf9000000;
}

/* Decodes what Capstone 4 does not know, if the encoding tells the registers that are written. */
static bool decode_unknown(uint32_t word, struct insn *out)
{
    unsigned kind = word >> 24;
    uint8_t rd = word >> 8 & 0xf, rt = word >> 12 & 0xf;

    /* SIMD arithmetic; barriers. */
    if (kind == 0xef || kind == 0xff || (word & 0xffffff00) == 0xf3bf8f00)
        return true;
    /* Data processing with registers: crc32; csel of ARMv8.1-M. */
    if ((kind == 0xfa || kind == 0xea) && rd != ARM_SP && rd != ARM_PC) {
        arm_op_clobber(out, ARM_BIT(rd));
        out->writes_flags = true;
        return true;
    }
    if (kind == 0xfb && rd < ARM_SP && (rt < ARM_SP || rt == ARM_PC)) {
        arm_op_clobber(out, (ARM_BIT(rd) | ARM_BIT(rt)) & ~ARM_BIT(ARM_PC));
        return true;
    }
    return false;
}

/*
 * Say whether the manual leaves the encoding undefined or unpredictable, and Capstone 4 and 5
 * differ; also bxns, blxns and tt, which only microcontrollers have.
 */
static bool is_undefined_narrow(unsigned half)
{
    return ((half & 0xff00) == 0x4700 && (half & 7) != 0) || (half & 0xffe0) == 0xb600;
}

static bool is_undefined_wide(uint32_t word)
{
    static const struct {
        uint32_t mask, value;
    } groups[] = {
        {0xfff0f000, 0xe840f000}, /* strex of PC: tt */
        {0xffd02000, 0xe8902000}, /* ldmia of SP */
        {0xffd02000, 0xe9102000}, /* ldmdb of SP */
        {0xffd0c000, 0xe890c000}, /* ldmia of both LR and PC */
        {0xffd0c000, 0xe910c000}, /* ldmdb of both LR and PC */
        {0xffcf0000, 0xe88f0000}, /* ldmia, stmia at PC */
        {0xffcf0000, 0xe90f0000}, /* ldmdb, stmdb at PC */
        {0xff008000, 0xf7000000}, /* ssat, bfi ... with the bit of a longer immediate */
        {0xff108000, 0xf3100000}, /* between them */
        {0xff508020, 0xf3000020}, /* ssat, usat with a bit that must be zero */
        {0xf800d001, 0xf000c001}, /* blx to a halfword */
        {0xfff0d000, 0xf7b08000}, /* among the branches */
        {0xff000f00, 0xfb000f00}, /* multiplications and divisions into PC */
    };

    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if ((word & groups[i].mask) == groups[i].value)
            return true;
    /* Among the barriers; mrs with bits that must be zero. */
    return ((word & 0xfff0d000) == 0xf3b08000 && (word & 0xffffff00) != 0xf3bf8f00) ||
           ((word & 0xffe0d000) == 0xf3e08000 && (word & 0x20ff) != 0);
}

/* Undefined divisions and long multiplications, which Capstone 5 takes for vector instructions. */
static bool is_undefined_multiply(uint32_t word)
{
    return (word & 0xffb000f0) != 0xfbb000f0 && (word & 0xffb00000) == 0xfbb00000;
}

/* Decodes mrs, msr of another mode's register; Capstone 4 and 5 know different ones. */
static bool decode_banked(uint32_t word, struct insn *out)
{
    uint8_t rd = word >> 8 & 0xf;

    if ((word & 0xffe0f0ef) == 0xf3e08020 && rd < ARM_SP) {
        arm_op_clobber(out, ARM_BIT(rd));
        return true;
    }
    return (word & 0xffe0f0ef) == 0xf3808020;
}

/*
 * Decodes mrs, msr of the M-profile's special registers (ARMv8-M ARM B5), whose number is 0 in
 * other profiles. SP is one of two stack pointers; msr of CONTROL chooses.
 */
static bool decode_special(uint32_t word, struct insn *out)
{
    enum { MSP = 0x08, PSP = 0x09, CONTROL = 0x14, PSP_REGISTER = 18 };
    const unsigned number = word & 0xff;
    uint8_t rd = word >> 8 & 0xf;

    if ((word & 0xfffff000) == 0xf3ef8000 && rd < ARM_SP) {
        arm_op_clobber(out, ARM_BIT(rd));
        return true;
    }
    if ((word & 0xfff0f300) != 0xf3808000 || number == 0)
        return false;
    if (number == MSP || number == CONTROL)
        arm_op_clobber(out, ARM_BIT(ARM_SP));
    else if (number == PSP)
        arm_op_clobber(out, ARM_BIT(PSP_REGISTER));
    return true;
}

static bool is_narrow_compare(unsigned id)
{
    return id == ARM_INS_CMP || id == ARM_INS_CMN || id == ARM_INS_TST;
}

static bool strong_start(const uint8_t *bytes, uint64_t size)
{
    uint32_t word = size >= 2 * HALF ? wide_word(bytes) : 0;

    return (size >= HALF && (arm_read16(bytes) & 0xff00) == 0xb500) || /* push {.., lr} */
           (word & 0xffffe000) == 0xe92d4000 ||                        /* push.w {.., lr} */
           (word & 0xffffff00) == 0xf84ded00;                          /* str lr, [sp, #-n]! */
}

/* pop with lr or pc; ldr.w of them from [sp], #4 or [sp, #n] */
static bool restores_link(const uint8_t *bytes, uint64_t size)
{
    const unsigned half = arm_read16(bytes);
    const uint32_t word = is_wide(half) && size >= 2 * HALF ? wide_word(bytes) : 0;

    return (half & 0xff00) == 0xbd00 || ((word & 0xffff0000) == 0xe8bd0000 && word & 0xc000) ||
           (word & 0xffffefff) == 0xf85deb04 || (word & 0xffffe000) == 0xf8dde000;
}

/* The first of what begins a function, and what restores LR, tells. */
static bool calls_nothing(const uint8_t *bytes, uint64_t size)
{
    if (size < 2 * HALF || wide_word(bytes) != BL_NEXT)
        return false;
    for (uint64_t at = 2 * HALF; at + HALF <= size && at < ARM_EPILOGUE_WITHIN;
         at += is_wide(arm_read16(bytes + at)) ? 2 * HALF : HALF) {
        if (strong_start(bytes + at, size - at))
            return false;
        if (restores_link(bytes + at, size - at))
            return true;
    }
    return false;
}

static enum status decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out)
{
    unsigned half = size >= HALF ? arm_read16(bytes) : 0;
    bool wide = is_wide(half);
    uint64_t pc = arm_address(vaddr, 4);
    uint32_t word;

    if (size < HALF || (wide && size < 2 * HALF))
        return STATUS_NOT_FOUND;
    word = wide ? wide_word(bytes) : half;
    out->size = wide ? 2 * HALF : HALF;
    if (in_it_block(out->context)) {
        if (out->context >> 4 < ARM_CONDITION_ALWAYS)
            out->predicate = (uint8_t)((out->context >> 4) + 1);
        out->next_context = advance_it(out->context);
    }
    if (wide ? wide_by_mask(word, pc, out) || decode_banked(word, out) || decode_special(word, out)
             : narrow_by_mask(half, vaddr, out))
        return STATUS_OK;
    if (wide && arm_mve_memory(word, out))
        return STATUS_OK;
    if (wide && arm_is_coprocessor(word)) {
        if (!arm_is_coprocessor_defined(word))
            return STATUS_NOT_FOUND;
        arm_coprocessor(word, (out->vaddr + 4) & ~UINT64_C(3), out);
        return STATUS_OK;
    }
    if (wide ? is_undefined_wide(word) : is_undefined_narrow(half))
        return STATUS_NOT_FOUND;
    if ((wide && is_undefined_multiply(word)) || !arm_disassemble(decoder, bytes, out->size, vaddr))
        return wide && decode_unknown(word, out) ? STATUS_OK : STATUS_NOT_FOUND;
    if (wide && is_vector_memory(word)) {
        arm_vector_memory(word, out);
    } else {
        arm_effect(decoder, pc, out);
        /* In an IT block adds sets no flags. */
        if (!wide && in_it_block(out->context) && !is_narrow_compare(capstone_insn(decoder)->id))
            out->writes_flags = false;
    }
    return STATUS_OK;
}

/* mov r7, sl; mov lr, fp: to save them, as Thumb-1 pushes only r0 to r7 and lr. */
static bool begins_to_save(unsigned half)
{
    const unsigned from = half >> 3 & 15, to = (half >> 4 & 8) | (half & 7);

    return (half & 0xff00) == 0x4600 && from >= 8 && from <= 11 && (to < 8 || to == ARM_LR);
}

static uint64_t reads(struct decoder *decoder, const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    unsigned half = size >= HALF ? arm_read16(bytes) : 0;
    unsigned length = is_wide(half) ? 2 * HALF : HALF;

    if (size < length || begins_to_save(half))
        return 0;
    if (length == 2 * HALF && arm_is_coprocessor(wide_word(bytes)))
        return arm_coprocessor_reads(wide_word(bytes));
    if (length == 2 * HALF && (wide_word(bytes) & 0xffffff00) == 0xf3de8f00)
        return ARM_BIT(ARM_LR); /* subs pc, lr: Capstone 5 does not name LR */
    /* Capstone must not see `it`; mov r8, r8 is the nop of ARMv6-M. */
    if ((half & 0xff00) == 0xbf00 || half == 0x46c0 ||
        !arm_disassemble(decoder, bytes, length, vaddr))
        return 0;
    return arm_reads(decoder);
}

/* b.w and b<cond>.w: the 16-bit ones hardly lead out of a function. */
static uint64_t jump_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    uint32_t word = size >= 2 * HALF ? wide_word(bytes) : 0;
    uint64_t pc = arm_address(vaddr, 4);

    if (is_branch(word))
        return arm_address(pc, long_offset(word));
    if (is_conditional_branch(word))
        return arm_address(pc, conditional_offset(word));
    return 0;
}

/* bl; blx leads to A32 code. */
static uint64_t call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    uint32_t word = size >= 2 * HALF && !calls_nothing(bytes, size) ? wide_word(bytes) : 0;

    return (word & 0xf800d000) == 0xf000d000 ? arm_address(arm_address(vaddr, 4), long_offset(word))
                                             : 0;
}

static bool ends_with_call(const uint8_t *bytes, uint64_t size)
{
    uint32_t word = size >= 2 * HALF ? wide_word(bytes + size - 2 * HALF) : 0;

    return (size >= HALF && (arm_read16(bytes + size - HALF) & 0xff87) == 0x4780) ||
           (word & 0xf800d000) == 0xf000d000 || (word & 0xf800d001) == 0xf000c000;
}

/* Returns the number of movs (mov.w) r7, #number; svc 0, and the code's length; 0: other code. */
static unsigned system_call(const uint8_t *bytes, uint64_t size, unsigned *length)
{
    unsigned half = size >= HALF ? arm_read16(bytes) : 0;
    unsigned move = (half & 0xff00) == 0x2700 ? HALF : 2 * HALF;

    *length = move + HALF;
    if (size < *length || arm_read16(bytes + move) != 0xdf00 ||
        (move == 2 * HALF && (wide_word(bytes) & 0xffffff00) != 0xf04f0700))
        return 0;
    return move == HALF ? half & 0xff : wide_word(bytes) & 0xff;
}

static enum status sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                 struct row *out)
{
    unsigned length, number = system_call(bytes, size, &length);

    return arm_sigreturn_row(number, vaddr, length, out);
}

static unsigned number_of_system_call(const uint8_t *bytes, uint64_t size)
{
    unsigned length;

    return system_call(bytes, size, &length);
}

/*
 * Says whether the code is Thumb-1 (or ARMv6-M, or v8-M's baseline, with little more). Its only
 * jump of more than 2 KiB is the call, and hardly any other instruction has 32 bits, except moves
 * of constants. Literals may look like some.
 */
static bool jumps_by_calls(const uint8_t *bytes, uint64_t size)
{
    uint64_t all = 0, wide = 0;

    for (uint64_t at = 0; at + 2 * HALF <= size; all++) {
        const bool has_two = is_wide(arm_read16(bytes + at));
        const uint32_t word = has_two ? wide_word(bytes + at) : 0;
        const bool is_move = (word & 0xfb708000) == 0xf2400000; /* movw, movt */

        wide += has_two && !is_move && (word & 0xf800d000) != 0xf000d000;
        at += has_two ? 2 * HALF : HALF;
    }
    return wide < all / 8;
}

const struct insn_set insn_set_t32 = {.arch = &arch_arm,
                                      .mode = CODE_T32,
                                      .decoder = &capstone_decoder,
                                      .decoder_arch = CS_ARCH_ARM,
                                      .decoder_mode = CS_MODE_THUMB + CS_MODE_V8,
                                      .alignment = HALF,
                                      .decode = decode,
                                      .reads = reads,
                                      .jump_target = jump_target,
                                      .call_target = call_target,
                                      .ends_with_call = ends_with_call,
                                      .strong_start = strong_start,
                                      .calls_nothing = calls_nothing,
                                      .sigreturn_row = sigreturn_row,
                                      .sigreturn_code = "\xad\x27\0\xdf",
                                      .sigreturn_size = 4,
                                      .table_call = arm_table_call,
                                      .system_call = number_of_system_call,
                                      .jumps_by_calls = jumps_by_calls,
                                      .far_jump = 1024,
                                      /* mov.w fp, #0; mov.w lr, #0 */
                                      .start_code = "\x4f\xf0\x00\x0b\x4f\xf0\x00\x0e"};
