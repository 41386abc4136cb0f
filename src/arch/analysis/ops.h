/* SPDX-License-Identifier: MIT */
/* Functions with which decoders append operations to a struct insn. */
#ifndef ARCH_ANALYSIS_OPS_H
#define ARCH_ANALYSIS_OPS_H

#include "arch/analysis/insn.h"

/*
 * Appends an operation of this kind, with REG_NONE as each register and 0 elsewhere, and returns it
 * for the caller to fill. If INSN_OPS_MAX operations are there (no instruction needs more), it
 * replaces the last.
 */
static inline struct op *insn_push_op(struct insn *insn, enum op_kind kind)
{
    struct op *op = &insn->ops[insn->op_count < INSN_OPS_MAX ? insn->op_count : INSN_OPS_MAX - 1];

    if (insn->op_count < INSN_OPS_MAX)
        insn->op_count++;
    *op = (struct op){.kind = (uint8_t)kind, .dst = REG_NONE, .src = REG_NONE, .src2 = REG_NONE};
    return op;
}

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
