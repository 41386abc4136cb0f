/* SPDX-License-Identifier: MIT */
/*
 * Handlers of exceptions that go on with another thread than the one that they have interrupted:
 *
 *     addi sp, sp, -128       the frame: all registers, and the PC, of what is interrupted
 *     sw   ra, 4(sp)
 *     …
 *     call handler            chooses a frame of the same shape: this one, or another thread's
 *     mv   sp, a0
 *     lw   t0, 0(sp)
 *     csrw mepc, t0
 *     …
 *     addi sp, sp, 128
 *     mret
 */
#include "unwind/prologue/prologue_walk.h"

#define RESTORE_INSNS_MAX 160 /* that take a frame apart */
#define HANDLER_INSNS_MAX 512 /* of a handler that is jumped to */
#define VECTOR_SIZE       4   /* bytes of an entry of a table of vectors */
#define VECTORS_MAX       64  /* of a table, before and behind an entry, that are looked at */

static bool writes(const struct op *op, uint8_t reg)
{
    if (op->kind == OP_CLOBBER)
        return op->mask >> reg & 1;
    return op->kind != OP_STORE && op->kind != OP_COMPARE && op->kind != OP_COMPARE_REG &&
           op->dst == reg;
}

/* By how much the instruction raises SP, added to *size; false: nobody knows. */
static bool add_raise(const struct prologue *a, const struct code_insn *insn, int64_t *size)
{
    const struct op *ops = code_ops(a->in.code, insn);
    const uint8_t sp = a->arch->sp;

    for (unsigned i = 0; i < insn->op_count; i++) {
        if (!writes(&ops[i], sp))
            continue;
        if (ops[i].kind != OP_ADD || ops[i].src != sp || ops[i].imm < 0 ||
            ops[i].imm > INT32_MAX - *size)
            return false;
        *size += ops[i].imm;
    }
    return true;
}

/*
 * How many bytes are above SP, behind the instruction at `node`, of the frame that is taken apart
 * from there on, up to the return to what was interrupted; 0: something else is done.
 */
static int64_t frame_size(const struct prologue *a, const struct node *node)
{
    int64_t size = 0;

    for (unsigned i = 0; i < RESTORE_INSNS_MAX; i++) {
        const struct code_insn *insn;

        node = prologue_node_behind(a, node);
        if (!node)
            return 0;
        insn = node_insn(a, node);
        if (insn->flow == FLOW_RETURN && insn->jump_reg == a->arch->trap_pc)
            return size;
        if (insn->flow != FLOW_NEXT || !add_raise(a, insn, &size))
            return 0;
    }
    return 0;
}

static bool saves_pc(const struct state *state, const struct arch *arch)
{
    for (unsigned i = 0; i < state->slot_count; i++)
        if (state->slots[i].value.kind == VALUE_ENTRY && state->slots[i].value.reg == arch->trap_pc)
            return true;
    return false;
}

static bool writes_sp(const struct prologue *a, const struct code_insn *insn)
{
    const struct op *ops = code_ops(a->in.code, insn);

    for (unsigned i = 0; i < insn->op_count; i++)
        if (writes(&ops[i], a->arch->sp))
            return true;
    return false;
}

/* Its first return is one to what was interrupted. */
static bool is_handler_at(const struct prologue *a, uint64_t vaddr, enum code_mode mode)
{
    struct code *code = a->in.code;
    uint8_t context = 0;
    uint32_t index;

    for (unsigned i = 0; i < HANDLER_INSNS_MAX; i++) {
        const struct code_insn *insn;

        if (code_get(code, vaddr, mode, context, &index) != STATUS_OK)
            return false;
        insn = code_insn(code, index);
        if (insn->flow == FLOW_RETURN)
            return insn->jump_reg == a->arch->trap_pc;
        vaddr += insn->size;
        context = insn->next_context;
    }
    return false;
}

/* What may be an entry of a table of vectors: a jump away, its target in *target. */
static bool is_vector_at(const struct prologue *a, uint64_t vaddr, uint64_t *target)
{
    const struct code_insn *insn;
    uint32_t index;

    if (vaddr % VECTOR_SIZE != 0 || code_get(a->in.code, vaddr, a->in.mode, 0, &index) != STATUS_OK)
        return false;
    insn = code_insn(a->in.code, index);
    *target = insn->target_vaddr;
    return insn->flow == FLOW_JUMP && insn->has_target && !insn->predicate &&
           insn->size == VECTOR_SIZE;
}

/* Does one of the jumps from `vaddr` on, every `step` bytes, lead to a handler? */
static bool leads_to_handler(const struct prologue *a, uint64_t vaddr, int64_t step)
{
    uint64_t target, last = UINT64_MAX; /* that was looked at: most are the same */

    for (unsigned i = 0; i < VECTORS_MAX && is_vector_at(a, vaddr, &target); i++) {
        if (target != last && is_handler_at(a, target, a->in.mode))
            return true;
        last = target;
        vaddr += (uint64_t)step;
    }
    return false;
}

bool prologue_is_vector(const struct prologue *a)
{
    const uint64_t start_vaddr = a->in.start_vaddr;
    uint64_t target;

    return is_vector_at(a, start_vaddr, &target) && !prologue_node_at(a, target) &&
           (leads_to_handler(a, start_vaddr, VECTOR_SIZE) ||
            leads_to_handler(a, start_vaddr - VECTOR_SIZE, -VECTOR_SIZE));
}

bool prologue_is_later_vector(const struct prologue *a, const struct node *node)
{
    const uint64_t vaddr = node_insn(a, node)->vaddr;
    uint64_t target;

    return a->is_handler && is_vector_at(a, vaddr, &target) &&
           (target == vaddr || !prologue_inside(a, target)) && prologue_is_vector(a);
}

void prologue_change_frame(const struct prologue *a, const struct node *node,
                           const struct state *before, struct state *after)
{
    const struct code_insn *insn = node_insn(a, node);
    const uint8_t sp = a->arch->sp;
    int64_t size;

    if (!a->is_handler || !writes_sp(a, insn) || after->regs[sp].kind != VALUE_UNKNOWN ||
        !saves_pc(before, a->arch) || (size = frame_size(a, node)) == 0)
        return;
    /* What was saved in the one is at the same places of the other, and in no register any more. */
    state_copy(after, before);
    for (unsigned i = 0; i < before->slot_count; i++)
        if (before->slots[i].value.kind == VALUE_ENTRY)
            after->regs[before->slots[i].value.reg] = (struct value){.kind = VALUE_UNKNOWN};
    after->regs[sp] = (struct value){.kind = VALUE_ENTRY, .reg = sp, .k = -size};
}
