/* SPDX-License-Identifier: MIT */
#include "arch/x86/insn.h"

#include "arch/analysis/capstone_decoder.h"
#include "arch/x86/capstone_compat.h"
#include "arch/x86/operands.h"
#include "arch/x86/ops.h"
#include "arch/x86/translation.h"
#include "arch/x86/vex.h"

#define BOUND_MAX 0xfff /* no larger mask bounds a table's index */

/* The flags that conditional jumps read. */
#define FLAGS_WRITTEN                                                                              \
    (X86_EFLAGS_MODIFY_OF | X86_EFLAGS_MODIFY_SF | X86_EFLAGS_MODIFY_ZF | X86_EFLAGS_MODIFY_PF |   \
     X86_EFLAGS_MODIFY_CF | X86_EFLAGS_RESET_OF | X86_EFLAGS_RESET_SF | X86_EFLAGS_RESET_ZF |      \
     X86_EFLAGS_RESET_PF | X86_EFLAGS_RESET_CF | X86_EFLAGS_UNDEFINED_ZF | X86_EFLAGS_SET_CF)

static bool pop(const struct translation *t)
{
    const cs_x86_op *to = &t->x86->operands[0];
    uint8_t reg = x86_full_register(t->mode, to);
    unsigned size = t->word16 ? 2 : t->mode->word;
    struct x86_address address;

    if (reg == t->sp) {
        op_load(t->out, t->sp, t->sp, 0);
        return true;
    }
    if (reg != REG_NONE)
        op_load(t->out, reg, t->sp, 0);
    else if (to->type == X86_OP_REG && x86_register(t->mode, to->reg).number != REG_NONE)
        op_clobber(t->out, UINT64_C(1) << x86_register(t->mode, to->reg).number);
    op_add(t->out, t->sp, t->sp, (int64_t)size);
    /* An address that uses SP means the incremented one. */
    if (simple_address(t, to, &address))
        op_store(t->out, address.base, address.disp, REG_NONE, size);
    return true;
}

/* pushal pushes eax ecx edx ebx, the esp before it, ebp esi edi. */
static bool push_all(const struct translation *t, unsigned size)
{
    op_add(t->out, t->sp, t->sp, -8 * (int64_t)size);
    for (unsigned i = 0; i < 8; i++)
        op_store(t->out, t->sp, (7 - i) * size,
                 size == 2 || i == X86_SP ? REG_NONE : t->mode->numbers[i], size);
    return true;
}

static bool pop_all(const struct translation *t, unsigned size)
{
    uint64_t halves = 0;

    for (unsigned i = 0; i < 8; i++) {
        if (i == X86_SP)
            continue;
        if (size == 2)
            halves |= x86_bit(t->mode, i);
        else
            op_load(t->out, t->mode->numbers[i], t->sp, (7 - i) * size);
    }
    op_clobber(t->out, halves);
    op_add(t->out, t->sp, t->sp, 8 * (int64_t)size);
    return true;
}

/* A load from an indexed address, perhaps of a jump table. Not extension to half a register. */
static bool element(const struct translation *t, bool is_signed)
{
    const cs_x86_op *to = &t->x86->operands[0], *from = &t->x86->operands[1];
    struct x86_register dst = x86_register(t->mode, to->type == X86_OP_REG ? to->reg : 0);
    struct x86_address address;

    if ((dst.size != t->mode->word && (dst.size != 4 || is_signed)) ||
        !full_address(t, from, &address) || address.index == REG_NONE || from->size == 0)
        return false;
    load_element(t, dst.number, &address, from->size, is_signed);
    return true;
}

/* cdqe; movsxd rax, edx: sign-extends a table's element, in unoptimized code. */
static bool extend_sign(const struct translation *t, uint8_t dst, uint8_t src)
{
    op_const(t->out, REG_TEMP, 0);
    op_registers(t->out, OP_ADD_REG, dst, REG_TEMP, src, 0);
    t->out->ops[t->out->op_count - 1].size = 4;
    return true;
}

static bool movsxd(const struct translation *t)
{
    const cs_x86_op *from = &t->x86->operands[1];
    uint8_t dst = x86_full_register(t->mode, &t->x86->operands[0]);

    if (dst != REG_NONE && from->type == X86_OP_REG && x86_register(t->mode, from->reg).size == 4)
        return extend_sign(t, dst, x86_register(t->mode, from->reg).number);
    return element(t, true);
}

static bool mov(const struct translation *t)
{
    const cs_x86_op *to = &t->x86->operands[0], *from = &t->x86->operands[1];
    uint8_t dst = x86_full_register(t->mode, to), src = x86_full_register(t->mode, from);
    struct x86_address address;

    if (dst != REG_NONE && src != REG_NONE) {
        t->out->padding = dst == src;
        if (dst != src)
            op_add(t->out, dst, src, 0);
        return true;
    }
    if (dst != REG_NONE && from->type == X86_OP_IMM) {
        op_const(t->out, dst, zero_extended(from->imm, t->mode->word));
        return true;
    }
    /* A 32-bit move zero-extends. */
    if (to->type == X86_OP_REG && from->type == X86_OP_IMM &&
        x86_register(t->mode, to->reg).size == 4) {
        op_const(t->out, x86_register(t->mode, to->reg).number, zero_extended(from->imm, 4));
        return true;
    }
    if (dst != REG_NONE && simple_address(t, from, &address)) {
        op_load(t->out, dst, address.base, address.disp);
        return true;
    }
    if (simple_address(t, to, &address)) {
        op_store(t->out, address.base, address.disp, src, to->size);
        return true;
    }
    return element(t, false);
}

static bool lea(const struct translation *t)
{
    uint8_t dst = x86_full_register(t->mode, &t->x86->operands[0]);
    struct x86_address from;

    if (dst == REG_NONE || !full_address(t, &t->x86->operands[1], &from))
        return false;
    if (from.base == REG_NONE && from.index != REG_NONE)
        return false;
    if (from.base == REG_NONE) {
        op_const(t->out, dst, zero_extended(from.disp, t->mode->word));
        return true;
    }
    /* lea esi, [esi + 0] in any length is padding of assemblers. */
    t->out->padding = from.base == dst && from.index == REG_NONE && from.disp == 0;
    if (from.index != REG_NONE) {
        op_registers(t->out, OP_ADD_REG, dst, from.base, from.index, from.shift);
        from.base = dst;
    }
    if (from.base != dst || from.disp != 0)
        op_add(t->out, dst, from.base, from.disp);
    return true;
}

static bool is_same_register(const struct translation *t)
{
    const cs_x86_op *operands = t->x86->operands;

    return operands[0].type == X86_OP_REG && operands[1].type == X86_OP_REG &&
           operands[0].reg == operands[1].reg;
}

/* xor eax, eax; sub eax, eax */
static bool zero(const struct translation *t)
{
    struct x86_register reg = x86_register(t->mode, t->x86->operands[0].reg);

    if (!is_same_register(t) || reg.size < 4)
        return false;
    op_const(t->out, reg.number, 0);
    return true;
}

static bool add_sub(const struct translation *t, bool subtract)
{
    const cs_x86_op *operand = &t->x86->operands[1];
    uint8_t dst = x86_full_register(t->mode, &t->x86->operands[0]);
    uint8_t src = x86_full_register(t->mode, operand);
    struct x86_address table;

    if (dst == REG_NONE)
        return false;
    if (operand->type == X86_OP_IMM) {
        int64_t imm = sign_extended(operand->imm, t->mode->word);

        op_add(t->out, dst, dst, subtract ? (int64_t)(0 - (uint64_t)imm) : imm);
        return true;
    }
    if (src != REG_NONE) {
        op_registers(t->out, subtract ? OP_SUB_REG : OP_ADD_REG, dst, dst, src, 0);
        return true;
    }
    if (subtract || !full_address(t, operand, &table) || table.index == REG_NONE)
        return false;
    load_element(t, REG_TEMP, &table, t->mode->word, false);
    op_registers(t->out, OP_ADD_REG, dst, dst, REG_TEMP, 0);
    return true;
}

static bool bit_and(const struct translation *t)
{
    const cs_x86_op *to = &t->x86->operands[0], *operand = &t->x86->operands[1];
    struct x86_register dst;
    uint64_t mask;

    if (to->type != X86_OP_REG || operand->type != X86_OP_IMM)
        return false;
    dst = x86_register(t->mode, to->reg);
    mask = (uint64_t)sign_extended(operand->imm, dst.size);
    /* and rsp, -32: rounding down to a power of two. */
    if (dst.size == t->mode->word && (int64_t)mask < 0 && (mask & (0 - mask)) == 0 - mask) {
        insn_push_op(t->out, OP_ALIGN)->dst = dst.number;
        return true;
    }
    mask = zero_extended(operand->imm, dst.size);
    if (mask == 0 || mask > BOUND_MAX)
        return false;
    op_clobber(t->out, UINT64_C(1) << dst.number);
    op_compare(t->out, dst.number, mask);
    return true;
}

/*
 * or %rcx, %rsp: clang's speculative load hardening keeps in SP's upper bits whether the processor
 * has speculated wrongly. If so, all these bits are set, and no effect becomes visible; else the
 * register is zero. So an SP that is still a stack pointer afterwards is unchanged.
 */
static bool poison(const struct translation *t)
{
    return t->mode->word == 8 && x86_full_register(t->mode, &t->x86->operands[0]) == t->sp &&
           x86_full_register(t->mode, &t->x86->operands[1]) != REG_NONE;
}

static bool compare(const struct translation *t)
{
    const cs_x86_op *with = &t->x86->operands[1];
    uint8_t a = x86_full_register(t->mode, &t->x86->operands[0]);
    uint8_t b = x86_full_register(t->mode, with);

    if (t->x86->operands[0].type == X86_OP_REG && with->type == X86_OP_IMM) {
        struct x86_register reg = x86_register(t->mode, t->x86->operands[0].reg);

        op_compare(t->out, reg.number, zero_extended(with->imm, reg.size));
    } else if (t->x86->operands[0].type == X86_OP_MEM && with->type == X86_OP_IMM) {
        op_compare(t->out, REG_NONE, zero_extended(with->imm, t->x86->operands[0].size));
    } else if (a != REG_NONE && b != REG_NONE) {
        op_registers(t->out, OP_COMPARE_REG, REG_NONE, a, b, 0);
    }
    return true;
}

static bool exchange(const struct translation *t)
{
    uint8_t a = x86_full_register(t->mode, &t->x86->operands[0]);
    uint8_t b = x86_full_register(t->mode, &t->x86->operands[1]);

    if (a == REG_NONE || b == REG_NONE)
        return false;
    if (a > b) { /* Capstone 4 and 5 do not name them in the same order */
        uint8_t other = a;

        a = b;
        b = other;
    }
    op_add(t->out, REG_TEMP, a, 0);
    op_add(t->out, a, b, 0);
    op_add(t->out, b, REG_TEMP, 0);
    return true;
}

static bool leave(const struct translation *t)
{
    if (t->word16)
        return false;
    op_add(t->out, t->sp, t->fp, 0);
    op_load(t->out, t->fp, t->sp, 0);
    op_add(t->out, t->sp, t->sp, t->mode->word);
    return true;
}

/* enter size, 0 is push rbp; mov rbp, rsp; sub rsp, size. Nested levels are not modelled. */
static bool enter(const struct translation *t)
{
    if (t->word16 || t->x86->operands[1].imm != 0)
        return false;
    push_value(t, t->fp, t->mode->word);
    op_add(t->out, t->fp, t->sp, 0);
    op_add(t->out, t->sp, t->sp, -(t->x86->operands[0].imm & 0xffff)); /* its sign was extended */
    return true;
}

static void push_constant(const struct translation *t, int64_t value)
{
    struct op *op = insn_push_op(t->out, OP_CONST);

    op->dst = REG_TEMP;
    op->imm = value;
    push_value(t, REG_TEMP, t->mode->word);
}

/* Appends the effect of an instruction that is modelled. False: it is not. */
static bool data_effect(const struct translation *t)
{
    struct insn *out = t->out;

    switch (t->insn->id) {
    case X86_INS_PUSH:
        if (t->word16)
            push_value(t, REG_NONE, 2);
        else if (t->x86->operands[0].type == X86_OP_IMM)
            push_constant(t, t->x86->operands[0].imm);
        else
            push_value(t, x86_full_register(t->mode, &t->x86->operands[0]), t->mode->word);
        return true;
    case X86_INS_PUSHF:
    case X86_INS_PUSHFD:
    case X86_INS_PUSHFQ:
        push_value(t, REG_NONE, t->word16 ? 2 : t->mode->word);
        return true;
    case X86_INS_PUSHAL:
        return push_all(t, 4);
    case X86_INS_PUSHAW:
        return push_all(t, 2);
    case X86_INS_POP:
        return pop(t);
    case X86_INS_POPF:
    case X86_INS_POPFD:
    case X86_INS_POPFQ:
        op_add(out, t->sp, t->sp, t->word16 ? 2 : t->mode->word);
        return true;
    case X86_INS_POPAL:
        return pop_all(t, 4);
    case X86_INS_POPAW:
        return pop_all(t, 2);
    case X86_INS_MOV:
    case X86_INS_MOVABS:
        return mov(t);
    case X86_INS_MOVZX:
        return element(t, false);
    case X86_INS_MOVSX:
        return element(t, true);
    case X86_INS_MOVSXD:
        return movsxd(t);
    case X86_INS_CDQE:
        return extend_sign(t, t->mode->numbers[X86_AX], t->mode->numbers[X86_AX]);
    case X86_INS_LEA:
        return lea(t);
    case X86_INS_ADD:
        return add_sub(t, false);
    case X86_INS_SUB:
        return zero(t) || add_sub(t, true);
    case X86_INS_AND:
        return bit_and(t);
    case X86_INS_OR:
        return poison(t);
    case X86_INS_XOR:
        return zero(t);
    case X86_INS_CMP:
        return compare(t);
    case X86_INS_XCHG:
        return exchange(t);
    case X86_INS_LEAVE:
        return leave(t);
    case X86_INS_ENTER:
        return enter(t);
    case X86_INS_NOP:
        out->padding = true;
        return true;
    case X86_INS_ENDBR32:
    case X86_INS_ENDBR64:
    case X86_INS_TEST:
        return true;
    }
    return false;
}

/* Decodes vector instructions of later processors (vex.h). */
static bool decode_vector(const struct x86_mode *mode, const uint8_t *bytes, uint64_t size,
                          struct insn *out)
{
    struct x86_vector vector;
    uint64_t mask = 0;

    if (!x86_vector(bytes, size, mode->word == 8, &vector))
        return false;
    out->size = (uint8_t)vector.length;
    if (vector.stored)
        op_store(out, mode->numbers[vector.base], vector.disp, REG_NONE, vector.stored);
    for (unsigned reg = 0; reg < X86_NUMBERS; reg++)
        if (vector.written >> reg & 1)
            mask |= x86_bit(mode, reg);
    op_clobber(out, mask);
    out->writes_flags = vector.writes_flags;
    out->anywhere = !vector.relative;
    return true;
}

/*
 * Says whether the effect is the same at every address. It is not for jumps and PC-relative
 * operands (mod 0, r/m 5); nor for mov [sp], r, whose meaning depends on the code behind it: see
 * x86_return_to_register.
 */
static bool is_anywhere(const struct translation *t)
{
    const cs_x86 *x86 = t->x86;

    return !t->out->has_target && !(t->mode->word == 8 && (x86->modrm & 0xc7) == 5) &&
           !(x86->opcode[0] == 0x89 && (x86->modrm & 0xc7) == 4 && x86->sib == 0x24);
}

enum status x86_decode(const struct x86_mode *mode, struct decoder *decoder, const uint8_t *bytes,
                       uint64_t size, uint64_t vaddr, struct insn *out)
{
    /* Capstone reads any number of prefixes. */
    size_t left = size < INSN_SIZE_MAX ? (size_t)size : INSN_SIZE_MAX;
    const uint8_t *at = bytes;
    uint64_t next = vaddr;
    struct translation t;
    enum compat compat;
    unsigned segment;

    if (x86_decode_by_mask(mode, bytes, size, out))
        return STATUS_OK;
    segment = x86_segment_prefixes(bytes, left);
    if (x86_is_late_vector(bytes + segment, left - segment, mode->word == 8)) {
        if (!decode_vector(mode, bytes + segment, left - segment, out))
            return STATUS_NOT_FOUND;
        out->size = (uint8_t)(out->size + segment);
        return STATUS_OK;
    }
    compat = x86_decode_compat(mode, bytes, left, out);
    if (compat != COMPAT_NOT)
        return compat == COMPAT_DECODED ? STATUS_OK : STATUS_NOT_FOUND;
    if (!capstone_next(decoder, &at, &left, &next))
        return decode_vector(mode, bytes, size, out) ? STATUS_OK : STATUS_NOT_FOUND;
    t = (struct translation){.mode = mode,
                             .insn = capstone_insn(decoder),
                             .x86 = &capstone_insn(decoder)->detail->x86,
                             .sp = mode->numbers[X86_SP],
                             .fp = mode->numbers[X86_BP],
                             .out = out};
    t.word16 = t.x86->prefix[2] == 0x66 && !(t.x86->rex & REX_W);
    out->size = (uint8_t)capstone_insn(decoder)->size;
    out->trampoline = x86_is_trampoline(mode, bytes, size);
    /* Capstone 5 does not always say so for test. */
    out->writes_flags =
        (t.x86->eflags & FLAGS_WRITTEN) != 0 || capstone_insn(decoder)->id == X86_INS_TEST;
    if (!x86_control_flow(&t) && !data_effect(&t))
        x86_unknown_effect(mode, capstone_insn(decoder), out);
    out->anywhere = is_anywhere(&t);
    return STATUS_OK;
}
