/* SPDX-License-Identifier: MIT */
/*
 * The translation of one instruction from Capstone's form to struct insn. Shared by insn.c (data
 * flow) and jumps.c (control flow) and private to them.
 */
#ifndef ARCH_X86_TRANSLATION_H
#define ARCH_X86_TRANSLATION_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/x86/operands.h"
#include "arch/x86/ops.h"
#include "base/bits.h"

struct translation {
    const struct x86_mode *mode;
    const cs_insn *insn;
    const cs_x86 *x86;
    uint8_t sp, fp;
    bool word16; /* the operand size is 16 bits */
    struct insn *out;
};

/*
 * Return the immediate of an operand of `size` bytes as the machine extends it, with zeros or with
 * the sign (only for 4 bytes); Capstone extends only some.
 */
static inline uint64_t zero_extended(int64_t imm, unsigned size)
{
    return bits_low((uint64_t)imm, UINT64_C(8) * size);
}

static inline int64_t sign_extended(int64_t imm, unsigned size)
{
    return size == 4 ? (int32_t)imm : imm;
}

static inline bool full_address(const struct translation *t, const cs_x86_op *operand,
                                struct x86_address *out)
{
    return x86_address(t->mode, t->insn, operand, out);
}

static inline bool simple_address(const struct translation *t, const cs_x86_op *operand,
                                  struct x86_address *out)
{
    return x86_simple_address(t->mode, t->insn, operand, out);
}

static inline void push_value(const struct translation *t, uint8_t reg, unsigned size)
{
    op_add(t->out, t->sp, t->sp, -(int64_t)size);
    /* push rsp stores the value from before; nobody saves it that way. */
    op_store(t->out, t->sp, 0, reg == t->sp ? REG_NONE : reg, size);
}

static inline void load_element(const struct translation *t, uint8_t dst,
                                const struct x86_address *address, unsigned size, bool is_signed)
{
    struct op *op = insn_push_op(t->out, OP_ELEMENT);

    /* Unoptimized code scales the index before: [index + table]: base and index are swapped. */
    op->dst = dst;
    op->src = address->shift == 0 && size > 1 ? address->index : address->base;
    op->imm = address->disp;
    op->size = (uint16_t)size;
    op->shift = is_signed;
}

/*
 * Translates a jump, branch, call, return or trap completely into t->out (jumps.c). False: it is
 * another instruction; nothing is done.
 */
bool x86_control_flow(const struct translation *t);

#endif
