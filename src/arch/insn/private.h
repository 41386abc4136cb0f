/* What the insn_*.c files share: the decoder's insides. Private to insn*. */
#ifndef ARCH_INSN_PRIVATE_H
#define ARCH_INSN_PRIVATE_H

#include "arch/insn/capstone_calls.h"
#include "arch/insn/insn.h"

struct decoder {
    const struct insn_set *set;
    const struct capstone_calls *capstone;
    csh handle;
    cs_insn *insn; /* reused: disasm_iter allocates nothing */
};

extern const struct insn_set insn_set_x86_64, insn_set_i386, insn_set_a32, insn_set_t32,
    insn_set_a64;

/*
 * Appends an operation. No instruction has more than INSN_OPS_MAX; one more would take the last
 * one's place.
 */
static inline struct op *insn_push_op(struct insn *insn, enum op_kind kind)
{
    struct op *op = &insn->ops[insn->op_count < INSN_OPS_MAX ? insn->op_count : INSN_OPS_MAX - 1];

    if (insn->op_count < INSN_OPS_MAX)
        insn->op_count++;
    *op = (struct op){.kind = (uint8_t)kind, .dst = REG_NONE, .src = REG_NONE, .src2 = REG_NONE};
    return op;
}

#endif
