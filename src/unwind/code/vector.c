/* SPDX-License-Identifier: MIT */
#include "unwind/code/vector.h"

#define HANDLER_INSNS_MAX 512  /* of a handler that is jumped to */
#define HANDLER_BYTES_MAX 2048 /* that a jump in it leads on */
#define TABLE_INSNS_MAX   2048 /* of all that a table leads to, on both sides of an entry */
#define VECTOR_SIZE       4    /* bytes of an entry */
#define VECTORS_MAX       64   /* of a table, before and behind an entry, that are looked at */

/* Does control go on behind the instruction? *end_vaddr: the furthest that jumps have led to. */
static bool goes_on(const struct code_insn *insn, uint64_t *end_vaddr)
{
    const uint64_t next_vaddr = insn->vaddr + insn->size;

    if (insn->has_target && insn->flow != FLOW_CALL && insn->target_vaddr > *end_vaddr &&
        insn->target_vaddr - insn->vaddr <= HANDLER_BYTES_MAX)
        *end_vaddr = insn->target_vaddr;
    return insn->predicate || insn->flow == FLOW_NEXT || insn->flow == FLOW_BRANCH ||
           insn->flow == FLOW_CALL || *end_vaddr >= next_vaddr;
}

/*
 * Its first return is one to what was interrupted. What ends with a loop, or with a call that does
 * not return, has none: that of the next function is not its own. *left: so many instructions may
 * be looked at.
 */
static bool is_handler_at(struct code *code, uint64_t vaddr, enum code_mode mode, unsigned *left)
{
    uint64_t end_vaddr = vaddr;
    uint8_t context = 0;
    bool has_called = false;
    uint32_t index;

    for (unsigned i = 0; i<HANDLER_INSNS_MAX && * left> 0; i++, --*left) {
        const struct code_insn *insn;

        if ((has_called && code_strong_start(code, vaddr, mode)) ||
            code_get(code, vaddr, mode, context, &index) != STATUS_OK)
            return false;
        insn = code_insn(code, index);
        if (insn->flow == FLOW_RETURN)
            return insn->jump_reg == code->arch->trap_pc;
        if (!goes_on(insn, &end_vaddr))
            return false;
        has_called = has_called || insn->flow == FLOW_CALL;
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
