#include "unwind/prologue_rows.h"

/* a minus b where it fits a rule. Both may come from immediate operands: the difference may wrap. */
static bool offset_between(int64_t a, int64_t b, int32_t *off)
{
    int64_t wide = (int64_t)((uint64_t)a - (uint64_t)b);

    *off = (int32_t)wide;
    return wide == *off;
}

/* value is the entry's SP + k. */
static bool is_entry_sp(const struct value *value, const struct arch *arch)
{
    return value->kind == VALUE_ENTRY && value->reg == arch->sp;
}

/* One of `registers` that points into the frame: SP first, then the frame pointer, then any. */
static bool cfa_from_register(const struct state *state, const struct arch *arch,
                              uint64_t registers, struct row *row)
{
    uint8_t order[ARCH_REG_MAX + 2] = {arch->sp, arch->fp};

    for (unsigned reg = 0; reg < ARCH_REG_MAX; reg++)
        order[reg + 2] = (uint8_t)reg;
    for (unsigned i = 0; i < sizeof(order); i++) {
        const struct value *value = &state->regs[order[i]];
        int32_t off;

        if ((registers >> order[i] & 1) && is_entry_sp(value, arch) &&
            offset_between(arch->cfa_entry_off, value->k, &off)) {
            row->cfa = (struct rule){.kind = CFA_REG, .reg = order[i], .off = off};
            return true;
        }
    }
    return false;
}

/* The register (frame pointer or SP) that reaches frame base `base`, for what a realigned frame holds. */
static bool frame_register(const struct state *state, const struct arch *arch,
                           const struct value *addr, uint8_t *reg, int32_t *off)
{
    const uint8_t candidates[] = {arch->fp, arch->sp};

    for (unsigned i = 0; i < sizeof(candidates); i++) {
        const struct value *value = &state->regs[candidates[i]];

        if (value->kind == VALUE_FRAME && value->base == addr->base &&
            offset_between(addr->k, value->k, off)) {
            *reg = candidates[i];
            return true;
        }
    }
    return false;
}

/* What a pop has left behind is not part of a captured stack. */
static bool below_sp(const struct state *state, const struct arch *arch, const struct value *addr)
{
    const struct value *sp = &state->regs[arch->sp];

    return sp->kind == VALUE_FRAME && sp->base == addr->base &&
           (int64_t)((uint64_t)addr->k - (uint64_t)sp->k) < 0;
}

/* A realigned frame keeps the CFA, or a distance from it, in a slot: CFA = [fp + off] + add. */
static bool cfa_from_slot(const struct state *state, const struct arch *arch, struct row *row)
{
    for (unsigned i = 0; i < state->slot_count; i++) {
        const struct slot *slot = &state->slots[i];
        uint8_t reg;
        int32_t off;

        if (slot->addr.kind != VALUE_FRAME || !is_entry_sp(&slot->value, arch) ||
            below_sp(state, arch, &slot->addr) ||
            !frame_register(state, arch, &slot->addr, &reg, &off) ||
            !offset_between(arch->cfa_entry_off, slot->value.k, &row->cfa_add))
            continue;
        row->cfa = (struct rule){.kind = CFA_DEREF, .reg = reg, .off = off};
        return true;
    }
    return false;
}

static bool is_entry_value(const struct value *value, unsigned reg)
{
    return value->kind == VALUE_ENTRY && value->reg == reg && value->k == 0;
}

/* Where the entry value of `reg` is now: in the frame, in itself, in another register, nowhere. */
static struct rule rule_for(const struct state *state, const struct arch *arch, unsigned reg,
                            unsigned home)
{
    uint8_t base;
    int32_t off;

    if (is_entry_value(&state->regs[home], reg))
        return (struct rule){.kind = RULE_SAME};
    for (unsigned i = 0; i < state->slot_count; i++) {
        const struct slot *slot = &state->slots[i];

        if (!is_entry_value(&slot->value, reg))
            continue;
        if (slot->addr.kind == VALUE_FRAME) {
            if (frame_register(state, arch, &slot->addr, &base, &off))
                return (struct rule){.kind = RULE_AT_REG, .reg = base, .off = off};
        } else if (offset_between(slot->addr.k, arch->cfa_entry_off, &off)) {
            return (struct rule){.kind = RULE_AT_CFA, .off = off};
        }
    }
    for (unsigned other = 0; other < arch->reg_count; other++)
        if (other != arch->pc && is_entry_value(&state->regs[other], reg))
            return (struct rule){.kind = RULE_IN_REG, .reg = (uint8_t)other};
    return (struct rule){.kind = RULE_UNDEFINED};
}

/*
 * Code that starts a thread or a process marks the deepest frame by zeroing the frame pointer (psABI 3.4.1, and glibc
 * and musl in clone). No other code zeroes it without having saved it.
 */
static bool is_outermost(const struct state *state, const struct arch *arch)
{
    const struct value *fp = &state->regs[arch->fp];

    return fp->kind == VALUE_CONST && fp->k == 0 &&
           rule_for(state, arch, arch->fp, arch->fp).kind == RULE_UNDEFINED;
}

/*
 * A caller is looked up at its call instruction, but with the registers that its callee left: what calls preserve
 * comes first, a scratch register (r10 in the prologue of a realigned frame) last.
 */
static bool find_cfa(const struct state *state, const struct arch *arch, struct row *row)
{
    uint64_t preserved = arch->callee_saved | UINT64_C(1) << arch->sp;

    return cfa_from_register(state, arch, preserved, row) || cfa_from_slot(state, arch, row) ||
           cfa_from_register(state, arch, ~preserved & ~(UINT64_C(1) << arch->pc), row);
}

void state_to_row(const struct state *state, const struct arch *arch, struct row *row)
{
    unsigned ra = arch->lr != REG_NONE ? arch->lr : arch->pc;
    bool known = find_cfa(state, arch, row);

    if (is_outermost(state, arch)) {
        row->ra = (struct rule){.kind = RULE_UNDEFINED};
        return;
    }
    /* No code has popped its own return address: SP above its entry value says that the state is wrong. */
    if (known && is_entry_sp(&state->regs[arch->sp], arch) && state->regs[arch->sp].k > 0) {
        row->cfa = (struct rule){.kind = CFA_UNKNOWN};
        return;
    }
    if (!known)
        return;
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (arch->callee_saved >> reg & 1)
            row->regs[reg] = rule_for(state, arch, reg, reg);
    row->ra = rule_for(state, arch, ra, ra);
    row->regs[ra] = row->ra;
    if (row->ra.kind == RULE_UNDEFINED) {
        /* Lost, which is not the same as "there is no caller": no answer. */
        row->ra = (struct rule){.kind = RULE_UNSPECIFIED};
        row->cfa = (struct rule){.kind = CFA_UNKNOWN};
    }
}
