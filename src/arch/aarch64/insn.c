/* SPDX-License-Identifier: MIT */
#include "arch/aarch64/insn.h"

/*
 * A64 (Arm ARM DDI 0487; AAPCS64): the effect of each instruction on stack pointer, frame pointer,
 * link register, callee-saved registers and the frame's memory. Capstone decodes most instructions.
 * Those that are not modelled here, or that Capstone 4.0.2 does not know, have the largest effect
 * that their encoding allows (mask.h).
 */
#include "arch/aarch64/mask.h"
#include "arch/aarch64/memory.h"
#include "arch/aarch64/operands.h"
#include "arch/aarch64/pattern.h"
#include "arch/analysis/ops.h"
#include "arch/analysis/capstone_decoder.h"

enum { X0, X18 = 18 };

static void op_const(struct insn *insn, uint8_t dst, int64_t imm)
{
    struct op *op = insn_push_op(insn, OP_CONST);

    op->dst = dst;
    op->imm = imm;
}

static void op_insert(struct insn *insn, uint8_t dst, int64_t imm, unsigned shift)
{
    struct op *op = insn_push_op(insn, OP_INSERT);

    op->dst = dst;
    op->imm = imm;
    op->shift = (uint8_t)shift;
}

static void op_compare(struct insn *insn, uint8_t src, int64_t imm)
{
    struct op *op = insn_push_op(insn, OP_COMPARE);

    op->src = src;
    op->imm = imm;
}

/* Not modelled: registers and memory at a known place that it may write become unknown. */
static void unknown_effect(uint32_t word, struct insn *out)
{
    uint8_t base;
    int64_t offset;
    uint16_t size;

    if (a64_stored(word, &base, &offset, &size))
        op_store(out, base, offset, REG_NONE, size);
    op_clobber(out, a64_written(word));
}

static int64_t cut_to(int64_t value, unsigned size)
{
    return size == 4 ? (int64_t)(uint32_t)value : value;
}

static bool move(const cs_arm64 *a64, struct insn *out)
{
    uint8_t dst = a64_full_register(a64, 0), src = a64_full_register(a64, 1);
    struct a64_register name;
    int64_t imm;

    /* Capstone 5 gives movz, movn and orr this form, with the resulting value. */
    if (a64_general(a64, 0, &name) && a64_immediate(a64, 1, &imm)) {
        op_const(out, name.number, cut_to(imm, name.size));
        return true;
    }
    if (dst != REG_NONE && src != REG_NONE) {
        out->padding = dst == src;
        if (dst != src)
            op_add(out, dst, src, 0);
        return true;
    }
    if (a64_general(a64, 0, &name) && a64_is_zero_register(a64, 1)) {
        op_const(out, name.number, 0);
        return true;
    }
    return false;
}

static bool move_immediate(const cs_insn *insn, struct insn *out)
{
    const cs_arm64 *a64 = &insn->detail->arm64;
    struct a64_register dst;
    int64_t imm;

    if (!a64_general(a64, 0, &dst) || !a64_immediate(a64, 1, &imm))
        return false;
    if (insn->id != ARM64_INS_MOVK) {
        op_const(out, dst.number, cut_to(insn->id == ARM64_INS_MOVN ? ~imm : imm, dst.size));
        return true;
    }
    op_insert(out, dst.number, a64->operands[1].imm, a64->operands[1].shift.value);
    if (dst.size == 4) { /* the upper half becomes zero */
        op_insert(out, dst.number, 0, 32);
        op_insert(out, dst.number, 0, 48);
    }
    return true;
}

/* orr x16, xzr, #imm */
static bool or_immediate(const cs_arm64 *a64, struct insn *out)
{
    struct a64_register dst;
    int64_t imm;

    if (!a64_general(a64, 0, &dst) || !a64_is_zero_register(a64, 1) || !a64_immediate(a64, 2, &imm))
        return false;
    op_const(out, dst.number, cut_to(imm, dst.size));
    return true;
}

static bool is_power_of_two(uint64_t value)
{
    return value && (value & (value - 1)) == 0;
}

static bool and_immediate(const cs_arm64 *a64, struct insn *out)
{
    struct a64_register dst;
    uint8_t src = a64_full_register(a64, 1);
    int64_t imm;

    if (!a64_general(a64, 0, &dst) || !a64_immediate(a64, 2, &imm))
        return false;
    /* and sp, x9, #-32: rounding down to a power of two. */
    if (imm < 0 && dst.size == A64_WORD && src != REG_NONE && is_power_of_two(0 - (uint64_t)imm)) {
        op_add(out, dst.number, src, 0);
        insn_push_op(out, OP_ALIGN)->dst = dst.number;
        return true;
    }
    op_clobber(out, UINT64_C(1) << dst.number);
    imm = cut_to(imm, dst.size);
    if (imm >= 0)
        op_compare(out, dst.number, imm);
    return true;
}

/* ubfx x0, x1, #lsb, #width; uxtb, uxth: a bound like that of `and`. */
static bool extract(const cs_insn *insn, struct insn *out)
{
    const cs_arm64 *a64 = &insn->detail->arm64;
    struct a64_register dst;
    int64_t width = insn->id == ARM64_INS_UXTB ? 8 : 16;

    if (!a64_general(a64, 0, &dst) ||
        (insn->id == ARM64_INS_UBFX && (!a64_immediate(a64, 3, &width) || width < 1 || width > 62)))
        return false;
    op_clobber(out, UINT64_C(1) << dst.number);
    op_compare(out, dst.number, (INT64_C(1) << width) - 1);
    return true;
}

/* Sets the shift and extension of a second register operand; false: OP_ADD_REG has no such. */
static bool extension(const cs_arm64_op *operand, struct op *op)
{
    if (operand->shift.type != ARM64_SFT_INVALID && operand->shift.type != ARM64_SFT_LSL)
        return false;
    op->shift = (uint8_t)operand->shift.value;
    switch (operand->ext) {
    case ARM64_EXT_INVALID:
    case ARM64_EXT_UXTX:
    case ARM64_EXT_SXTX:
        return true;
    case ARM64_EXT_UXTW:
        op->size = 4 | OP_UNSIGNED;
        return true;
    case ARM64_EXT_SXTB:
        op->size = 1;
        return true;
    case ARM64_EXT_SXTH:
        op->size = 2;
        return true;
    case ARM64_EXT_SXTW:
        op->size = 4;
        return true;
    case ARM64_EXT_UXTB:
    case ARM64_EXT_UXTH:
        break;
    }
    return false;
}

static bool add_sub(const cs_arm64 *a64, bool subtract, struct insn *out)
{
    uint8_t dst = a64_full_register(a64, 0), src = a64_full_register(a64, 1);
    struct op how = {.kind = OP_ADD_REG};
    struct a64_register src2;
    int64_t imm;

    if (dst == REG_NONE || src == REG_NONE)
        return false;
    if (a64_immediate(a64, 2, &imm)) {
        op_add(out, dst, src, subtract ? -imm : imm);
        return true;
    }
    if (!a64_general(a64, 2, &src2) || !extension(&a64->operands[2], &how) ||
        (subtract && (how.shift != 0 || how.size != 0 || src2.size != A64_WORD)))
        return false;
    how.kind = subtract ? OP_SUB_REG : OP_ADD_REG;
    how.dst = dst;
    how.src = src;
    how.src2 = src2.number;
    *insn_push_op(out, OP_ADD_REG) = how;
    return true;
}

static void compare(const cs_arm64 *a64, struct insn *out)
{
    struct a64_register src;
    uint8_t full = a64_full_register(a64, 0), full2 = a64_full_register(a64, 1);
    int64_t imm;

    if (a64_general(a64, 0, &src) && a64_immediate(a64, 1, &imm)) {
        op_compare(out, src.number, imm);
    } else if (full != REG_NONE && full2 != REG_NONE &&
               a64->operands[1].shift.type == ARM64_SFT_INVALID &&
               a64->operands[1].ext == ARM64_EXT_INVALID) {
        struct op *op = insn_push_op(out, OP_COMPARE_REG);

        op->src = full;
        op->src2 = full2;
    }
}

static bool address_constant(const cs_arm64 *a64, struct insn *out)
{
    uint8_t dst = a64_full_register(a64, 0);
    int64_t imm;

    if (dst == REG_NONE || !a64_immediate(a64, 1, &imm))
        return false;
    op_const(out, dst, imm);
    return true;
}

/* Decodes instructions that raise exceptions (branches are decoded by mask). True: done. */
static bool exception(const cs_insn *insn, struct insn *out)
{
    switch (insn->id) {
    case ARM64_INS_BRK:
    case ARM64_INS_HLT:
    case ARM64_INS_DRPS:
    case ARM64_INS_DCPS1:
    case ARM64_INS_DCPS2:
    case ARM64_INS_DCPS3:
        out->flow = FLOW_STOP;
        return true;
    case ARM64_INS_SVC: /* Linux: writes the result only */
        op_clobber(out, UINT64_C(1) << X0);
        return true;
    case ARM64_INS_HVC:
    case ARM64_INS_SMC: /* SMCCC: x0 to x17 */
        op_clobber(out, (UINT64_C(1) << X18) - 1);
        return true;
    }
    return false;
}

/* Returns the id of the plain form: Capstone 5 has other ids for forms that set the flags. */
static unsigned plain_id(const cs_insn *insn, uint32_t word)
{
    bool flags = word >> 29 & 1, discards = (word & 31) == 31;

    if (!flags || discards)
        return insn->id;
    switch (word & 0x1f000000) {
    case 0x0b000000:
    case 0x11000000:
        return word >> 30 & 1 ? ARM64_INS_SUB : ARM64_INS_ADD;
    case 0x12000000: /* movn and movk of neighbouring encodings have bit 23 set */
        return word >> 23 & 1 || !(word >> 30 & 1) ? insn->id : ARM64_INS_AND;
    }
    return insn->id;
}

/* Appends the effect of an instruction that is modelled. False: it is not. */
static bool data_effect(const cs_insn *insn, uint32_t word, struct insn *out)
{
    const cs_arm64 *a64 = &insn->detail->arm64;

    switch (plain_id(insn, word)) {
    case ARM64_INS_STP:
    case ARM64_INS_STNP:
        return a64_store(insn, 2, out);
    case ARM64_INS_STR:
    case ARM64_INS_STUR:
    case ARM64_INS_STRB:
    case ARM64_INS_STURB:
    case ARM64_INS_STRH:
    case ARM64_INS_STURH:
        return a64_store(insn, 1, out);
    case ARM64_INS_LDP:
    case ARM64_INS_LDNP:
    case ARM64_INS_LDPSW:
        return a64_load(insn, 2, out);
    case ARM64_INS_LDR:
    case ARM64_INS_LDUR:
    case ARM64_INS_LDRB:
    case ARM64_INS_LDURB:
    case ARM64_INS_LDRH:
    case ARM64_INS_LDURH:
    case ARM64_INS_LDRSB:
    case ARM64_INS_LDURSB:
    case ARM64_INS_LDRSH:
    case ARM64_INS_LDURSH:
    case ARM64_INS_LDRSW:
    case ARM64_INS_LDURSW:
        return a64_load(insn, 1, out);
    case ARM64_INS_LD1:
    case ARM64_INS_LD1R:
    case ARM64_INS_LD2:
    case ARM64_INS_LD2R:
    case ARM64_INS_LD3:
    case ARM64_INS_LD3R:
    case ARM64_INS_LD4:
    case ARM64_INS_LD4R:
    case ARM64_INS_ST1:
    case ARM64_INS_ST2:
    case ARM64_INS_ST3:
    case ARM64_INS_ST4:
        return a64_structure(word, out);
    case ARM64_INS_MOV:
        return move(a64, out);
    case ARM64_INS_MOVZ:
    case ARM64_INS_MOVN:
    case ARM64_INS_MOVK:
        return move_immediate(insn, out);
    case ARM64_INS_ORR:
        return or_immediate(a64, out);
    case ARM64_INS_AND:
        return and_immediate(a64, out);
    case ARM64_INS_UBFX:
    case ARM64_INS_UXTB:
    case ARM64_INS_UXTH:
        return extract(insn, out);
    case ARM64_INS_ADD:
        return add_sub(a64, false, out);
    case ARM64_INS_SUB:
        return add_sub(a64, true, out);
    case ARM64_INS_CMP:
        compare(a64, out);
        return true;
    case ARM64_INS_ADR:
    case ARM64_INS_ADRP:
        return address_constant(a64, out);
    }
    return false;
}

static enum status decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out)
{
    size_t left = A64_INSN_SIZE;
    uint64_t next = vaddr;
    uint32_t word;

    if (size < A64_INSN_SIZE)
        return STATUS_NOT_FOUND;
    word = a64_word(bytes);
    out->size = A64_INSN_SIZE;
    if (a64_decode_by_mask(word, vaddr, out))
        return STATUS_OK;
    out->writes_flags = a64_later_flags(word);
    if (a64_is_scalable(word) || !capstone_next(decoder, &bytes, &left, &next)) {
        if (!a64_later_group(word))
            return STATUS_NOT_FOUND;
        unknown_effect(word, out);
        return STATUS_OK;
    }
    if (a64_is_exclusive_undefined(word))
        return STATUS_NOT_FOUND;
    out->writes_flags = out->writes_flags || capstone_insn(decoder)->detail->arm64.update_flags;
    if (!exception(capstone_insn(decoder), out) &&
        !data_effect(capstone_insn(decoder), word, out)) {
        out->op_count = 0;
        unknown_effect(word, out);
    }
    return STATUS_OK;
}

/* Returns the registers that the operand reads. */
static uint64_t operand_reads(const cs_arm64_op *operand)
{
    const unsigned regs[] = {operand->type == ARM64_OP_REG   ? operand->reg
                             : operand->type == ARM64_OP_MEM ? operand->mem.base
                                                             : ARM64_REG_INVALID,
                             operand->type == ARM64_OP_MEM ? operand->mem.index
                                                           : ARM64_REG_INVALID};
    uint64_t mask = 0;

    for (unsigned i = 0; i < 2; i++)
        if (a64_register(regs[i]).number < A64_SP)
            mask |= UINT64_C(1) << a64_register(regs[i]).number;
    return mask;
}

/* Says whether the first operand, which most instructions write, is read. */
static bool reads_first(const cs_insn *insn)
{
    const cs_arm64 *a64 = &insn->detail->arm64;

    switch (insn->id) {
    case ARM64_INS_MOVK:
    case ARM64_INS_BFM:
    case ARM64_INS_BFI:
    case ARM64_INS_BFXIL:
    case ARM64_INS_TST:
    case ARM64_INS_CMN:
        return true;
    case ARM64_INS_CMP:
        return !(a64->op_count > 1 && a64->operands[1].type == ARM64_OP_REG);
    }
    return a64->operands[0].access == CS_AC_READ;
}

/* Says whether the second operand is a loaded register, too. */
static bool loads_pair(unsigned id)
{
    switch (id) {
    case ARM64_INS_LDP:
    case ARM64_INS_LDPSW:
    case ARM64_INS_LDNP:
    case ARM64_INS_LDXP:
    case ARM64_INS_LDAXP:
        return true;
    }
    return false;
}

/* Without SP, which always has a value. */
static uint64_t reads(struct decoder *decoder, const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    const cs_arm64 *a64;
    struct a64_address at;
    size_t left = A64_INSN_SIZE;
    uint64_t mask = 0;
    unsigned id, saved = 0;
    uint32_t word;

    if (size < A64_INSN_SIZE)
        return 0;
    word = a64_word(bytes);
    if (a64_reads_by_mask(word, &mask) || !capstone_next(decoder, &bytes, &left, &vaddr))
        return mask;
    a64 = &capstone_insn(decoder)->detail->arm64;
    id = capstone_insn(decoder)->id;
    if (id == ARM64_INS_STP || id == ARM64_INS_STR || id == ARM64_INS_STUR) {
        saved = id == ARM64_INS_STP ? 2 : 1;
        if (!a64_simple_address(a64, saved, &at) || (at.base != A64_SP && at.base != A64_FP))
            saved = 0;
    }
    if (id == ARM64_INS_EOR && a64->op_count == 3 && a64->operands[1].type == ARM64_OP_REG &&
        a64->operands[2].type == ARM64_OP_REG && a64->operands[1].reg == a64->operands[2].reg)
        return 0;
    for (unsigned i = saved; i < a64->op_count; i++)
        if ((i > 0 || reads_first(capstone_insn(decoder))) && !(i == 1 && loads_pair(id)))
            mask |= operand_reads(&a64->operands[i]);
    return mask;
}

const struct insn_set insn_set_a64 = {.arch = &arch_aarch64,
                                      .mode = CODE_DEFAULT,
                                      .decoder = &capstone_decoder,
                                      .decoder_arch = CS_ARCH_ARM64,
                                      .decoder_mode = CS_MODE_ARM,
                                      .alignment = A64_INSN_SIZE,
                                      .filler_trap = "\0\0\0", /* udf #0 */
                                      .decode = decode,
                                      .reads = reads,
                                      .jump_target = a64_jump_target,
                                      .call_target = a64_call_target,
                                      .ends_with_call = a64_ends_with_call,
                                      .strong_start = a64_strong_start,
                                      .calls_nothing = a64_calls_nothing,
                                      .sigreturn_row = a64_sigreturn_row,
                                      .sigreturn_code = "\x68\x11\x80\xd2\x01\0\0\xd4",
                                      .sigreturn_size = 8,
                                      /* FPSIMD's magic number and size */
                                      .sigreturn_marks = {{592, UINT32_MAX, 0x46508001},
                                                          {596, UINT32_MAX, 0x210}},
                                      .system_call = a64_system_call,
                                      /* mov x29, #0; mov x30, #0 */
                                      .start_code = "\x1d\x00\x80\xd2\x1e\x00\x80\xd2"};
