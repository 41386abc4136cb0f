/* SPDX-License-Identifier: MIT */
/* Appends operations that only x86 needs, and knows bits of its encoding. Private to arch/x86. */
#ifndef ARCH_X86_OPS_H
#define ARCH_X86_OPS_H

#include "arch/analysis/ops.h"
#include "arch/analysis/capstone_decoder.h"
#include "arch/x86/insn.h"

#define REX_B 0x01
#define REX_X 0x02
#define REX_R 0x04
#define REX_W 0x08

/* Returns the mask, by DWARF's number, of the register with this number in the encoding. */
static inline uint64_t x86_bit(const struct x86_mode *mode, unsigned encoding)
{
    return UINT64_C(1) << mode->numbers[encoding];
}

/*
 * Returns how many bytes a ModR/M byte, its SIB byte and its displacement take together, in 32- or
 * 64-bit addressing. `sib`: the byte behind `modrm`.
 */
static inline unsigned x86_modrm_size(uint8_t modrm, uint8_t sib)
{
    unsigned mod = modrm >> 6, rm = modrm & 7;
    unsigned size = mod != 3 && rm == 4 ? 2 : 1;

    if (mod == 1)
        size += 1;
    else if (mod == 2 || (mod == 0 && (rm == 5 || (rm == 4 && (sib & 7) == 5))))
        size += 4;
    return size;
}

static inline void op_registers(struct insn *insn, enum op_kind kind, uint8_t dst, uint8_t src,
                                uint8_t src2, uint8_t shift)
{
    struct op *op = insn_push_op(insn, kind);

    op->dst = dst;
    op->src = src;
    op->src2 = src2;
    op->shift = shift;
}

static inline void op_const(struct insn *insn, uint8_t dst, uint64_t imm)
{
    struct op *op = insn_push_op(insn, OP_CONST);

    op->dst = dst;
    op->imm = (int64_t)imm;
}

static inline void op_compare(struct insn *insn, uint8_t reg, uint64_t bound)
{
    struct op *op = insn_push_op(insn, OP_COMPARE);

    op->src = reg;
    op->imm = (int64_t)bound;
}

#endif
