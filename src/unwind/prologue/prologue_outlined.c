/* SPDX-License-Identifier: MIT */
/*
 * Parts of prologues and epilogues that many functions share, and that are functions of their own
 * (RISC-V's -msave-restore). A prologue calls its part by another link register than LR, which that
 * part saves; an epilogue jumps to its part, which returns for it:
 *
 *      f:  jal  t0, save_2         save_2:     addi sp, sp, -32
 *          …                                   sd   s1, 8(sp)
 *          j    restore_2                      sd   s0, 16(sp)
 *                                              sd   ra, 24(sp)
 *                                              jr   t0
 *
 *                                  restore_2:  ld   s1, 8(sp)      CFA = sp + 32 already
 *                                              …
 *                                              addi sp, sp, 32
 *                                              ret
 *
 * Both are short and straight.
 */
#include "unwind/prologue/prologue_private.h"

#define INSNS_MAX_OUTLINED 64
#define LOADS_MAX          32

/* A register that was loaded from the stack above the entry SP. */
struct restored {
    uint8_t reg;
    int64_t off; /* from that SP */
};

struct straight {
    struct restored loads[LOADS_MAX];
    unsigned count;
    uint8_t return_reg; /* FLOW_RETURN's jump_reg; REG_NONE: it does not return */
};

static void note_load(struct straight *run, const struct arch *arch, const struct state *state,
                      const struct op *op)
{
    const struct value *base;

    if (op->kind != OP_LOAD || op->size != 0 || run->count == LOADS_MAX)
        return;
    base = &state->regs[op->src];
    if (base->kind == VALUE_ENTRY && base->reg == arch->sp)
        run->loads[run->count++] =
            (struct restored){.reg = op->dst,
                              .off = (int64_t)((uint64_t)base->k + (uint64_t)op->imm)};
}

/* Executes the code from `vaddr` to its return, on `state`, and notes its loads. */
static void run_straight(const struct prologue *a, uint64_t vaddr, enum code_mode mode,
                         struct state *state, struct straight *run)
{
    run->count = 0;
    run->return_reg = REG_NONE;
    for (unsigned i = 0; i < INSNS_MAX_OUTLINED; i++) {
        const struct code_insn *insn;
        const struct op *ops;
        uint32_t index;

        if (code_get(a->in.code, vaddr, mode, 0, &index) != STATUS_OK)
            return;
        insn = code_insn(a->in.code, index);
        ops = code_ops(a->in.code, insn);
        for (unsigned k = 0; k < insn->op_count; k++) {
            note_load(run, a->arch, state, &ops[k]);
            state_execute(state, a->arch, &ops[k], 1, 0);
        }
        if (insn->flow == FLOW_RETURN && !insn->predicate)
            run->return_reg = insn->jump_reg;
        if (insn->flow != FLOW_NEXT && (insn->flow != FLOW_JUMP || !insn->has_target))
            return;
        vaddr = insn->flow == FLOW_JUMP ? insn->target_vaddr : vaddr + insn->size;
    }
}

bool prologue_run_outlined(const struct prologue *a, const struct code_insn *call,
                           struct state *state)
{
    const struct value link = {.kind = VALUE_ENTRY, .reg = call->jump_reg};
    struct state after;
    struct straight run;

    if (!call->has_target)
        return false;
    state_copy(&after, state);
    after.regs[call->jump_reg] =
        (struct value){.kind = VALUE_CONST, .k = (int64_t)(call->vaddr + call->size)};
    run_straight(a, call->target_vaddr, (enum code_mode)call->target_mode, &after, &run);
    if (run.return_reg != link.reg)
        return false;
    state_copy(state, &after);
    return true;
}

/*
 * Makes the entry state of a part of an epilogue: the function that jumps there has saved the
 * registers that it restores.
 */
static bool enter_epilogue(const struct prologue *a, const struct straight *run,
                           const struct value *sp, struct state *out)
{
    const struct arch *arch = a->arch;
    const uint64_t kept = arch->callee_saved | UINT64_C(1) << arch->lr;
    bool restores_lr = false;

    if (sp->kind != VALUE_ENTRY || sp->reg != arch->sp || sp->k <= 0)
        return false;
    out->regs[arch->sp].k = -sp->k;
    for (unsigned i = 0; i < run->count; i++) {
        const struct restored *load = &run->loads[i];

        if (load->off < 0 || load->off >= sp->k)
            return false;
        if (!(kept >> load->reg & 1) || out->slot_count == STATE_SLOTS_MAX)
            continue;
        restores_lr = restores_lr || load->reg == arch->lr;
        out->regs[load->reg] = (struct value){.kind = VALUE_UNKNOWN};
        out->slots[out->slot_count++] =
            (struct slot){.addr = {.kind = VALUE_ENTRY, .reg = arch->sp, .k = load->off - sp->k},
                          .value = {.kind = VALUE_ENTRY, .reg = load->reg}};
    }
    return restores_lr;
}

static bool is_entered_with(const struct state *state, unsigned reg)
{
    const struct value *value = &state->regs[reg];

    return value->kind == VALUE_ENTRY && value->reg == reg && value->k == 0;
}

bool prologue_entry_state(const struct prologue *a, uint64_t vaddr, struct state *out)
{
    const struct arch *arch = a->arch;
    struct state after;
    struct straight run;

    state_init_entry(out, arch);
    if (arch->outline_link == REG_NONE)
        return false;
    state_copy(&after, out);
    run_straight(a, vaddr, a->in.mode, &after, &run);
    if (run.return_reg == arch->outline_link && is_entered_with(&after, arch->outline_link)) {
        out->link = arch->outline_link;
        return true;
    }
    if (run.return_reg == arch->lr && enter_epilogue(a, &run, &after.regs[arch->sp], out))
        return true;
    state_init_entry(out, arch);
    return false;
}
