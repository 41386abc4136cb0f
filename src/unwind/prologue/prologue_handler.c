/* SPDX-License-Identifier: MIT */
/*
 * Exception handlers that may return to another thread than the one that they have interrupted:
 *     addi sp, sp, -128       the frame: all registers, and the PC, of the interrupted thread
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
#include "unwind/code/vector.h"
#include "unwind/prologue/prologue_walk.h"

#define RESTORE_INSNS_MAX 160 /* that restore the registers of a frame */

static bool writes(const struct op *op, uint8_t reg)
{
    if (op->kind == OP_CLOBBER)
        return op->mask >> reg & 1;
    return op->kind != OP_STORE && op->kind != OP_COMPARE && op->kind != OP_COMPARE_REG &&
           op->dst == reg;
}

/* Adds to *size by how much the instruction raises SP; false: not known. */
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
 * Returns by how many bytes the code behind `node` raises SP up to the return from the exception:
 * the size of the frame. 0: it does anything else.
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

bool prologue_is_vector(const struct prologue *a)
{
    uint64_t target;

    return code_is_vector(a->in.code, a->in.start_vaddr, a->in.mode, &target) &&
           !prologue_node_at(a, target);
}

bool prologue_is_later_vector(const struct prologue *a, const struct code_insn *insn)
{
    return a->is_vector && insn->flow == FLOW_JUMP && insn->has_target && !insn->predicate &&
           (insn->target_vaddr == insn->vaddr || !prologue_inside(a, insn->target_vaddr));
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
    /* The registers are saved at the same places of the new frame, and no longer in registers. */
    state_copy(after, before);
    for (unsigned i = 0; i < before->slot_count; i++)
        if (before->slots[i].value.kind == VALUE_ENTRY)
            after->regs[before->slots[i].value.reg] = (struct value){.kind = VALUE_UNKNOWN};
    after->regs[sp] = (struct value){.kind = VALUE_ENTRY, .reg = sp, .k = -size};
}
