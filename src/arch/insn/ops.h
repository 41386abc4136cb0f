/* Appending operations: those that the instruction sets append alike. Private to insn*. */
#ifndef ARCH_INSN_OPS_H
#define ARCH_INSN_OPS_H

#include "arch/insn/private.h"

static inline void op_add(struct insn *insn, uint8_t dst, uint8_t src, int64_t imm)
{
    struct op *op = insn_push_op(insn, OP_ADD);

    op->dst = dst;
    op->src = src;
    op->imm = imm;
}

static inline void op_load(struct insn *insn, uint8_t dst, uint8_t base, int64_t disp)
{
    struct op *op = insn_push_op(insn, OP_LOAD);

    op->dst = dst;
    op->src = base;
    op->imm = disp;
}

static inline void op_store(struct insn *insn, uint8_t base, int64_t disp, uint8_t src,
                            unsigned size)
{
    struct op *op = insn_push_op(insn, OP_STORE);

    op->dst = base;
    op->src = src;
    op->imm = disp;
    op->size = (uint16_t)size;
}

static inline void op_clobber(struct insn *insn, uint64_t mask)
{
    if (mask)
        insn_push_op(insn, OP_CLOBBER)->mask = mask;
}

#endif
