/* SPDX-License-Identifier: MIT */
#include "unwind/code/vector.h"

#define HANDLER_INSNS_MAX 512  /* of a handler, from the jump's target on */
#define HANDLER_BYTES_MAX 2048 /* over which a jump in it leads */
#define TABLE_INSNS_MAX   2048 /* of all handlers of a table, for one question */
#define VECTOR_SIZE       4    /* bytes of an entry */
#define VECTORS_MAX       64   /* of a table, before and behind an entry */

/* Does control go on behind the instruction? *end_vaddr: furthest target of jumps so far. */
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
 * Is the first return of the code at `vaddr` one from an exception? Code that ends with a loop, or
 * with a call that does not return, has none: the next function's return does not count. Subtracts
 * the instructions that it looks at from *left.
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

/* Is there an unconditional direct jump of an entry's size? *target: where it leads. */
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
    uint64_t target, last = UINT64_MAX; /* most entries are equal */

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
