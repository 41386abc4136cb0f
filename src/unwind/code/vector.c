/* SPDX-License-Identifier: MIT */
#include "unwind/code/vector.h"

#define HANDLER_INSNS_MAX 512  /* of a handler that is jumped to */
#define TABLE_INSNS_MAX   2048 /* of all that a table leads to, on both sides of an entry */
#define VECTOR_SIZE       4    /* bytes of an entry */
#define VECTORS_MAX       64   /* of a table, before and behind an entry, that are looked at */

/* Its first return is one to what was interrupted. *left: so many instructions may be looked at. */
static bool is_handler_at(struct code *code, uint64_t vaddr, enum code_mode mode, unsigned *left)
{
    uint8_t context = 0;
    uint32_t index;

    for (unsigned i = 0; i<HANDLER_INSNS_MAX && * left> 0; i++, --*left) {
        const struct code_insn *insn;

        if (code_get(code, vaddr, mode, context, &index) != STATUS_OK)
            return false;
        insn = code_insn(code, index);
        if (insn->flow == FLOW_RETURN)
            return insn->jump_reg == code->arch->trap_pc;
        vaddr += insn->size;
        context = insn->next_context;
    }
    return false;
}

/* What may be an entry of a table of vectors: a jump away, its target in *target. */
static bool is_jump_at(struct code *code, uint64_t vaddr, enum code_mode mode, uint64_t *target)
{
    const struct code_insn *insn;
    uint32_t index;

    if (vaddr % VECTOR_SIZE != 0 || code_get(code, vaddr, mode, 0, &index) != STATUS_OK)
        return false;
    insn = code_insn(code, index);
    *target = insn->target_vaddr;
    return insn->flow == FLOW_JUMP && insn->has_target && !insn->predicate &&
           insn->size == VECTOR_SIZE;
}

/* Does one of the jumps from `vaddr` on, every `step` bytes, lead to a handler? */
static bool leads_to_handler(struct code *code, uint64_t vaddr, enum code_mode mode, int64_t step,
                             unsigned *left)
{
    uint64_t target, last = UINT64_MAX; /* that was looked at: most are the same */

    for (unsigned i = 0; i < VECTORS_MAX && is_jump_at(code, vaddr, mode, &target); i++) {
        if (target != last && is_handler_at(code, target, mode, left))
            return true;
        last = target;
        vaddr += (uint64_t)step;
    }
    return false;
}

bool code_is_vector(struct code *code, uint64_t vaddr, enum code_mode mode, uint64_t *target)
{
    unsigned left = TABLE_INSNS_MAX;

    return code->arch->trap_pc != REG_NONE && is_jump_at(code, vaddr, mode, target) &&
           (leads_to_handler(code, vaddr, mode, VECTOR_SIZE, &left) ||
            leads_to_handler(code, vaddr - VECTOR_SIZE, mode, -VECTOR_SIZE, &left));
}
