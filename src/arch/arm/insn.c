/* SPDX-License-Identifier: MIT */
/*
 * A32 and T32 (AAPCS32): the effect of instructions on core registers and the stack, from
 * Capstone's operands. The callers handle direct branches, coprocessors and instructions that
 * Capstone does not know.
 */
#include "arch/arm/insn.h"

/* Bytes; assumed for stores that are not modelled: strexd's. */
#define STORE_MAX 8
/* Frames are aligned to a few pages at most; masks that clear more bits are arithmetic. */
#define ALIGNMENT_BITS 16
#define ALIGNMENT_MAX  (1u << ALIGNMENT_BITS)

static void op_subtract_reg(struct insn *insn, uint8_t dst, uint8_t src, uint8_t src2)
{
    struct op *op = insn_push_op(insn, OP_SUB_REG);

    op->dst = dst;
    op->src = src;
    op->src2 = src2;
}

uint8_t arm_core_register(unsigned reg)
{
    if (reg >= ARM_REG_R0 && reg <= ARM_REG_R12)
        return (uint8_t)(reg - ARM_REG_R0);
    return reg == ARM_REG_SP   ? ARM_SP
           : reg == ARM_REG_LR ? ARM_LR
           : reg == ARM_REG_PC ? ARM_PC
                               : REG_NONE;
}

uint8_t arm_operand_register(const struct arm_decoded *in, unsigned index)
{
    if (index >= in->arm->op_count || in->arm->operands[index].type != ARM_OP_REG)
        return REG_NONE;
    return arm_core_register((unsigned)in->arm->operands[index].reg);
}

/* Reads an immediate. Capstone splits one that is not in its shortest form (add ip, pc, #0, 12). */
static bool operand_immediate(const struct arm_decoded *in, unsigned index, uint32_t *value)
{
    const cs_arm_op *operand = &in->arm->operands[index];
    unsigned rotation;

    if (index >= in->arm->op_count || operand->type != ARM_OP_IMM)
        return false;
    *value = (uint32_t)operand->imm;
    if (index + 1 == in->arm->op_count)
        return true;
    if (operand[1].type != ARM_OP_IMM)
        return false;
    rotation = (unsigned)operand[1].imm & 31;
    *value = rotation ? *value >> rotation | *value << (32 - rotation) : *value;
    return true;
}

bool arm_plain_shift(const cs_arm_op *operand, unsigned *shift)
{
    *shift = operand->shift.type == ARM_SFT_LSL ? operand->shift.value : 0;
    return operand->shift.type == ARM_SFT_INVALID || operand->shift.type == ARM_SFT_LSL;
}

/* add pc, pc, r3, lsl #2: a branch in a table behind it. add pc, r3: a table of distances. */
static bool add_to_pc(const struct arm_decoded *in, uint8_t src, uint8_t src2, unsigned shift,
                      struct insn *out)
{
    if (src == ARM_PC && src2 != ARM_PC && shift >= 1 && shift <= 4) {
        struct op *op = insn_push_op(out, OP_STRIDE);

        op->dst = ARM_PC;
        op->imm = (int64_t)in->pc;
        op->size = (uint16_t)(1u << shift);
    } else if (src == ARM_PC || src2 == ARM_PC) {
        if (src == src2 || shift)
            return false;
        arm_op_const(out, REG_TEMP2, in->pc);
        arm_op_add_reg(out, ARM_PC, REG_TEMP2, src == ARM_PC ? src2 : src, 0);
    } else {
        arm_op_add_reg(out, ARM_PC, src, src2, shift);
    }
    arm_jump_register(out, ARM_PC);
    return true;
}

static bool add_sub_registers(const struct arm_decoded *in, bool subtract, uint8_t dst, uint8_t src,
                              unsigned last, struct insn *out)
{
    uint8_t src2 = arm_operand_register(in, last);
    unsigned shift;

    if (src2 == REG_NONE || last + 1u != in->arm->op_count ||
        !arm_plain_shift(&in->arm->operands[last], &shift) || shift > 15)
        return false;
    if (subtract) {
        if (shift || dst == ARM_PC || src == ARM_PC || src2 == ARM_PC)
            return false;
        op_subtract_reg(out, dst, src, src2);
        return true;
    }
    if (dst == ARM_PC)
        return add_to_pc(in, src, src2, shift, out);
    if (src == src2 && src == ARM_PC)
        return false;
    if (src == ARM_PC && shift) {
        arm_op_const(out, REG_TEMP2, in->pc);
        arm_op_add_reg(out, dst, REG_TEMP2, src2, shift);
    } else if (src2 == ARM_PC && shift) {
        return false;
    } else if (src == ARM_PC || src2 == ARM_PC) {
        arm_op_add(out, dst, src == ARM_PC ? src2 : src, (int64_t)in->pc);
    } else {
        arm_op_add_reg(out, dst, src, src2, shift);
    }
    return true;
}

/*
 * adr. In T32 pointers to code are odd, so an even address is of data: a multiple of 8 mostly of a
 * double word in the literal pool, which gcc loads by ldrd through this register.
 */
static void address_of(const struct arm_decoded *in, uint8_t dst, uint64_t offset, struct insn *out)
{
    uint64_t vaddr = arm_address(in->pc & ~UINT64_C(3), (int64_t)offset);

    arm_op_const(out, dst, vaddr);
    if (in->t32 && dst != ARM_LR && vaddr % 2 == 0) {
        out->literal_vaddr = vaddr;
        out->literal_size = vaddr % 8 == 0 ? 8 : 4;
    }
}

/* add, sub: rd, rn, operand; or rd, operand with rn the same. */
static bool add_sub(const struct arm_decoded *in, bool subtract, struct insn *out)
{
    uint8_t dst = arm_operand_register(in, 0), src = arm_operand_register(in, 1);
    unsigned last = 2;
    uint32_t imm;

    if (in->arm->op_count == 2) {
        src = dst;
        last = 1;
    }
    if (dst == REG_NONE || src == REG_NONE)
        return false;
    if (!operand_immediate(in, last, &imm))
        return add_sub_registers(in, subtract, dst, src, last, out);
    if (dst == ARM_PC)
        return false;
    if (src == ARM_PC) /* adr: relative to the word that the instruction is in */
        address_of(in, dst, subtract ? 0 - (uint64_t)imm : imm, out);
    else
        arm_op_add(out, dst, src, subtract ? -(int64_t)imm : (int64_t)imm);
    return true;
}

static bool adr(const struct arm_decoded *in, struct insn *out)
{
    uint8_t dst = arm_operand_register(in, 0);
    uint32_t imm;

    if (dst == REG_NONE || dst == ARM_PC || !operand_immediate(in, 1, &imm))
        return false;
    address_of(in, dst, imm, out);
    return true;
}

static bool move(const struct arm_decoded *in, bool invert, struct insn *out)
{
    uint8_t dst = arm_operand_register(in, 0), src = arm_operand_register(in, 1);
    uint32_t imm;

    if (dst == REG_NONE)
        return false;
    if (operand_immediate(in, 1, &imm)) {
        if (dst == ARM_PC)
            return false;
        arm_op_const(out, dst, invert ? ~imm : imm);
        return true;
    }
    if (invert || src == REG_NONE || in->arm->op_count != 2 ||
        in->arm->operands[1].shift.type != ARM_SFT_INVALID)
        return false;
    if (dst == ARM_PC) {
        if (src == ARM_PC)
            return false;
        arm_jump_register(out, src);
    } else if (src == ARM_PC) {
        arm_op_const(out, dst, in->pc);
    } else {
        arm_op_add(out, dst, src, 0);
    }
    return true;
}

static bool move_top(const struct arm_decoded *in, struct insn *out)
{
    uint8_t dst = arm_operand_register(in, 0);
    uint32_t imm;
    struct op *op;

    if (dst == REG_NONE || !operand_immediate(in, 1, &imm))
        return false;
    op = insn_push_op(out, OP_INSERT);
    op->dst = dst;
    op->imm = imm & 0xffff;
    op->shift = 16;
    return true;
}

static void round_down(uint8_t dst, uint8_t src, struct insn *out)
{
    if (dst != src)
        arm_op_add(out, dst, src, 0);
    insn_push_op(out, OP_ALIGN)->dst = dst;
}

/* and r3, r4, #7 bounds r3. With the complement, and bic, bfc from bit 0 on: rounding down. */
static bool bit_and(const struct arm_decoded *in, bool invert, struct insn *out)
{
    uint8_t dst = arm_operand_register(in, 0), src = arm_operand_register(in, 1);
    uint32_t imm, low;
    struct op *op;

    if (dst == REG_NONE || src == REG_NONE || dst == ARM_PC || src == ARM_PC ||
        !operand_immediate(in, 2, &imm))
        return false;
    low = invert ? imm : ~imm; /* the bits that become 0 */
    if ((low & (low + 1)) == 0 && low < ALIGNMENT_MAX) {
        round_down(dst, src, out);
        return true;
    }
    if (low >> 31 == 0)
        return false;
    arm_op_clobber(out, ARM_BIT(dst));
    op = insn_push_op(out, OP_COMPARE);
    op->src = dst;
    op->imm = (int64_t)(uint32_t)~low;
    return true;
}

/* orr r3, r3, #1: makes a jump address of a label. */
static bool bit_or(const struct arm_decoded *in, struct insn *out)
{
    uint8_t dst = arm_operand_register(in, 0), src = arm_operand_register(in, 1);
    uint32_t imm;
    struct op *op;

    if (dst == REG_NONE || src == REG_NONE || dst == ARM_PC || src == ARM_PC ||
        !operand_immediate(in, 2, &imm) || imm != 1)
        return false;
    op = insn_push_op(out, OP_THUMB);
    op->dst = dst;
    op->src = src;
    return true;
}

static bool bit_clear(const struct arm_decoded *in, struct insn *out)
{
    uint8_t dst = arm_operand_register(in, 0);

    if (dst == REG_NONE || in->arm->op_count != 3 || in->arm->operands[1].type != ARM_OP_IMM ||
        in->arm->operands[1].imm != 0 || in->arm->operands[2].type != ARM_OP_IMM ||
        in->arm->operands[2].imm > ALIGNMENT_BITS)
        return false;
    round_down(dst, dst, out);
    return true;
}

static bool compare(const struct arm_decoded *in, struct insn *out)
{
    uint8_t src = arm_operand_register(in, 0), src2 = arm_operand_register(in, 1);
    uint32_t imm;
    struct op *op;

    if (src == REG_NONE || src == ARM_PC || src2 == ARM_PC)
        return true;
    if (operand_immediate(in, 1, &imm)) {
        op = insn_push_op(out, OP_COMPARE);
        op->src = src;
        op->imm = (int64_t)imm;
    } else if (src2 != REG_NONE && in->arm->operands[1].shift.type == ARM_SFT_INVALID) {
        op = insn_push_op(out, OP_COMPARE_REG);
        op->src = src;
        op->src2 = src2;
    }
    return true;
}

/* Says whether it is a store that is not modelled: it leaves unknown bytes at its address. */
static bool is_other_store(unsigned id)
{
    switch (id) {
    case ARM_INS_STR:
    case ARM_INS_STRB:
    case ARM_INS_STRH:
    case ARM_INS_STRD:
    case ARM_INS_STRT:
    case ARM_INS_STRBT:
    case ARM_INS_STRHT:
    case ARM_INS_STREX:
    case ARM_INS_STREXB:
    case ARM_INS_STREXH:
    case ARM_INS_STREXD:
    case ARM_INS_STL:
    case ARM_INS_STLB:
    case ARM_INS_STLH:
    case ARM_INS_STLEX:
    case ARM_INS_STLEXB:
    case ARM_INS_STLEXH:
    case ARM_INS_STLEXD:
        return true;
    }
    return false;
}

/* Returns registers that privileged instructions write and Capstone does not list. */
static uint64_t unlisted_writes(const struct arm_decoded *in)
{
    switch (in->id) {
    case ARM_INS_RFEDA:
    case ARM_INS_RFEDB:
    case ARM_INS_RFEIA:
    case ARM_INS_RFEIB:
        return ARM_BIT(arm_operand_register(in, 0) & 0xf) | ARM_BIT(ARM_PC);
    case ARM_INS_SRSDA:
    case ARM_INS_SRSDB:
    case ARM_INS_SRSIA:
    case ARM_INS_SRSIB:
        return ARM_BIT(ARM_SP);
    case ARM_INS_HVC: /* results, as a call's to firmware */
    case ARM_INS_SMC:
        return ARM_CALL_CLOBBERED & ~ARM_BIT(ARM_LR);
    }
    return 0;
}

/* Not modelled: registers and memory at a known place that it may write become unknown. */
static void unknown_effect(const struct decoder *decoder, const struct arm_decoded *in,
                           struct insn *out)
{
    cs_regs read, written;
    uint8_t read_count, written_count;
    uint64_t mask = unlisted_writes(in);

    for (uint8_t i = 0; i < in->arm->op_count; i++) {
        const cs_arm_op *operand = &in->arm->operands[i];
        uint8_t reg = arm_operand_register(in, i);

        if (operand->type == ARM_OP_MEM) {
            uint8_t base = arm_core_register((unsigned)operand->mem.base);

            if (base != REG_NONE && is_other_store(in->id) &&
                operand->mem.index == ARM_REG_INVALID && base != ARM_PC)
                arm_op_store(out, base, operand->mem.disp, REG_NONE, STORE_MAX);
            /* Capstone 4 may not report a write-back: ldrht r0, [r1], r2. */
            if (base != REG_NONE && (in->arm->writeback || i + 1u < in->arm->op_count))
                mask |= ARM_BIT(base);
        }
        /* Nor does it report that ldrexd and others write their first operands. */
        if (reg != REG_NONE &&
            (operand->access & CS_AC_WRITE || (operand->access == 0 && in->id == ARM_INS_LDREXD)))
            mask |= ARM_BIT(reg);
    }
    if (capstone_regs(decoder, read, &read_count, written, &written_count))
        for (uint8_t i = 0; i < written_count; i++)
            if (arm_core_register(written[i]) != REG_NONE)
                mask |= ARM_BIT(arm_core_register(written[i]));
    arm_op_clobber(out, mask & ~ARM_BIT(ARM_PC));
    if (mask >> ARM_PC & 1) {
        out->flow = FLOW_INDIRECT;
        out->jump_reg = REG_NONE;
    }
}

static bool multiple_effect(const struct arm_decoded *in, struct insn *out)
{
    switch (in->id) {
    case ARM_INS_PUSH:
        return arm_store_multiple(in, true, ARM_DOWN_BEFORE, out);
    case ARM_INS_POP:
        return arm_load_multiple(in, true, ARM_UP_AFTER, out);
    case ARM_INS_LDM:
        return arm_load_multiple(in, false, ARM_UP_AFTER, out);
    case ARM_INS_LDMIB:
        return arm_load_multiple(in, false, ARM_UP_BEFORE, out);
    case ARM_INS_LDMDA:
        return arm_load_multiple(in, false, ARM_DOWN_AFTER, out);
    case ARM_INS_LDMDB:
        return arm_load_multiple(in, false, ARM_DOWN_BEFORE, out);
    case ARM_INS_STM:
        return arm_store_multiple(in, false, ARM_UP_AFTER, out);
    case ARM_INS_STMIB:
        return arm_store_multiple(in, false, ARM_UP_BEFORE, out);
    case ARM_INS_STMDA:
        return arm_store_multiple(in, false, ARM_DOWN_AFTER, out);
    case ARM_INS_STMDB:
        return arm_store_multiple(in, false, ARM_DOWN_BEFORE, out);
    }
    return false;
}

/* Appends the effect of an instruction that is modelled. False: it is not. */
static bool known_effect(const struct arm_decoded *in, struct insn *out)
{
    switch (in->id) {
    case ARM_INS_ADD:
    case ARM_INS_ADDW:
        return add_sub(in, false, out);
    case ARM_INS_SUB:
    case ARM_INS_SUBW:
        return add_sub(in, true, out);
    case ARM_INS_ADR:
        return adr(in, out);
    case ARM_INS_MOV:
    case ARM_INS_MOVW:
        return move(in, false, out);
    case ARM_INS_MVN:
        return move(in, true, out);
    case ARM_INS_MOVT:
        return move_top(in, out);
    case ARM_INS_AND:
        return bit_and(in, false, out);
    case ARM_INS_BIC:
        return bit_and(in, true, out);
    case ARM_INS_ORR:
        return bit_or(in, out);
    case ARM_INS_BFC:
        return bit_clear(in, out);
    case ARM_INS_CMP:
        return compare(in, out);
    case ARM_INS_CMN:
    case ARM_INS_TST:
    case ARM_INS_TEQ:
        return true;
    case ARM_INS_LDR:
        return arm_load(in, 1, 4, false, out);
    case ARM_INS_LDRB:
        return arm_load(in, 1, 1, false, out);
    case ARM_INS_LDRH:
        return arm_load(in, 1, 2, false, out);
    case ARM_INS_LDRSB:
        return arm_load(in, 1, 1, true, out);
    case ARM_INS_LDRSH:
        return arm_load(in, 1, 2, true, out);
    case ARM_INS_LDRD:
        return arm_load(in, 2, 4, false, out);
    case ARM_INS_STR:
        return arm_store(in, 1, 4, out);
    case ARM_INS_STRB:
        return arm_store(in, 1, 1, out);
    case ARM_INS_STRH:
        return arm_store(in, 1, 2, out);
    case ARM_INS_STRD:
        return arm_store(in, 2, 4, out);
    }
    return multiple_effect(in, out);
}

static bool writes_flags(const struct decoder *decoder)
{
    cs_regs read, written;
    uint8_t read_count, written_count;

    if (capstone_insn(decoder)->detail->arm.update_flags ||
        capstone_insn(decoder)->id == ARM_INS_MSR)
        return true;
    if (!capstone_regs(decoder, read, &read_count, written, &written_count))
        return true;
    for (uint8_t i = 0; i < written_count; i++)
        if (written[i] == ARM_REG_CPSR || written[i] == ARM_REG_APSR ||
            written[i] == ARM_REG_APSR_NZCV)
            return true;
    return false;
}

void arm_effect(const struct decoder *decoder, uint64_t pc, struct insn *out)
{
    const struct arm_decoded in = {capstone_insn(decoder)->id, &capstone_insn(decoder)->detail->arm,
                                   pc, decoder->set->mode == CODE_T32};

    out->writes_flags = writes_flags(decoder);
    if (known_effect(&in, out))
        return;
    out->op_count = 0;
    out->flow = FLOW_NEXT;
    out->jump_reg = REG_NONE;
    unknown_effect(decoder, &in, out);
}

/* Says whether it only saves its registers in the frame, compares them, or makes 0 of them. */
static bool saves(const struct arm_decoded *in)
{
    unsigned last;

    switch (in->id) {
    case ARM_INS_MRC: /* the result */
    case ARM_INS_MRRC:
    case ARM_INS_PUSH:
    case ARM_INS_CMP:
    case ARM_INS_CMN:
    case ARM_INS_TST:
    case ARM_INS_TEQ:
        return true;
    case ARM_INS_STR:
    case ARM_INS_STRB:
    case ARM_INS_STRH:
    case ARM_INS_STRD:
        return in->arm->operands[in->id == ARM_INS_STRD ? 2 : 1].mem.base == ARM_REG_SP;
    case ARM_INS_STM:
    case ARM_INS_STMIB:
    case ARM_INS_STMDA:
    case ARM_INS_STMDB:
        return arm_operand_register(in, 0) == ARM_SP;
    case ARM_INS_EOR:
    case ARM_INS_SUB: /* the same register twice: 0 */
        last = in->arm->op_count ? in->arm->op_count - 1u : 0;
        return last >= 1 && in->arm->operands[last].shift.type == ARM_SFT_INVALID &&
               arm_operand_register(in, last) != REG_NONE &&
               arm_operand_register(in, last) == arm_operand_register(in, last - 1);
    }
    return false;
}

uint64_t arm_reads(const struct decoder *decoder)
{
    const struct arm_decoded in = {capstone_insn(decoder)->id, &capstone_insn(decoder)->detail->arm,
                                   0, false};
    uint64_t mask = in.id == ARM_INS_PUSH || in.id == ARM_INS_POP ? ARM_BIT(ARM_SP) : 0;
    bool saved = saves(&in);

    for (uint8_t i = 0; i < in.arm->op_count; i++) {
        const cs_arm_op *operand = &in.arm->operands[i];
        uint8_t used[2] = {REG_NONE, REG_NONE};

        if (operand->type == ARM_OP_MEM) {
            used[0] = arm_core_register((unsigned)operand->mem.base);
            used[1] = arm_core_register((unsigned)operand->mem.index);
        } else if (operand->type == ARM_OP_REG && operand->access != CS_AC_WRITE && !saved) {
            used[0] = arm_core_register((unsigned)operand->reg);
        }
        for (unsigned k = 0; k < 2; k++)
            if (used[k] != REG_NONE && used[k] != ARM_PC)
                mask |= ARM_BIT(used[k]);
        if (operand->shift.type >= ARM_SFT_ASR_REG &&
            arm_core_register(operand->shift.value) != REG_NONE)
            mask |= ARM_BIT(arm_core_register(operand->shift.value));
    }
    return mask;
}

bool arm_disassemble(const struct decoder *decoder, const uint8_t *bytes, unsigned size,
                     uint64_t vaddr)
{
    size_t left = size;

    return capstone_next(decoder, &bytes, &left, &vaddr) && left == 0;
}
