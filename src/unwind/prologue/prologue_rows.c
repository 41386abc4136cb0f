/* SPDX-License-Identifier: MIT */
#include "unwind/prologue/prologue_rows.h"

#include <string.h>

/*
 * a minus b where it fits a rule. Both may come from immediate operands: the difference may wrap.
 */
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
    for (unsigned i = 0; i < arch->reg_count + 2u; i++) {
        uint8_t reg = i == 0 ? arch->sp : i == 1 ? arch->fp : (uint8_t)(i - 2);
        const struct value *value = &state->regs[reg];
        int32_t off;

        if ((registers >> reg & 1) && is_entry_sp(value, arch) &&
            offset_between(arch->cfa_entry_off, value->k, &off)) {
            row->cfa = (struct rule){.kind = CFA_REG, .reg = reg, .off = off};
            return true;
        }
    }
    return false;
}

/*
 * The register (frame pointer or SP) that reaches frame base `base`, for what a realigned frame
 * holds.
 */
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

    bool comparable = sp->kind == VALUE_FRAME ? addr->kind == VALUE_FRAME && sp->base == addr->base
                                              : is_entry_sp(sp, arch) && is_entry_sp(addr, arch);

    return comparable && (int64_t)((uint64_t)addr->k - (uint64_t)sp->k) < -(int64_t)arch->red_zone;
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

/* Where a slot is, as seen from the frame; false: it cannot be reached. */
static bool rule_for_slot(const struct state *state, const struct arch *arch,
                          const struct slot *slot, struct rule *out)
{
    uint8_t base;
    int32_t off;

    if (slot->addr.kind == VALUE_FRAME) {
        if (!frame_register(state, arch, &slot->addr, &base, &off))
            return false;
        *out = (struct rule){.kind = RULE_AT_REG, .reg = base, .off = off};
        return true;
    }
    if (!offset_between(slot->addr.k, arch->cfa_entry_off, &off))
        return false;
    *out = (struct rule){.kind = RULE_AT_CFA, .off = off};
    return true;
}

/*
 * Where the entry values of `registers` (a mask) are in the frame; returns those that were found.
 */
static uint64_t rules_for_saved(const struct state *state, const struct arch *arch,
                                uint64_t registers, struct rule rules[ARCH_REG_MAX])
{
    uint64_t found = 0;

    for (unsigned i = 0; i < state->slot_count; i++) {
        const struct slot *slot = &state->slots[i];
        uint64_t bit = UINT64_C(1) << slot->value.reg;

        if (slot->value.kind != VALUE_ENTRY || slot->value.k != 0 || !(registers & ~found & bit) ||
            below_sp(state, arch, &slot->addr))
            continue;
        if (rule_for_slot(state, arch, slot, &rules[slot->value.reg]))
            found |= bit;
    }
    return found;
}

/* Which other register of `mask` holds the entry value of `reg`; UNDEFINED: none. */
static struct rule rule_for_moved(const struct state *state, const struct arch *arch, unsigned reg,
                                  uint64_t mask)
{
    for (unsigned other = 0; other < arch->reg_count; other++)
        if (other != reg && (mask >> other & 1) && is_entry_value(&state->regs[other], reg))
            return (struct rule){.kind = RULE_IN_REG, .reg = (uint8_t)other};
    return (struct rule){.kind = RULE_UNDEFINED};
}

/* Where the entry value of `reg`, which is not in the frame, is now: in a register or nowhere. */
static struct rule rule_for_unsaved(const struct state *state, const struct arch *arch,
                                    unsigned reg)
{
    struct rule rule;

    if (!is_entry_value(&state->regs[reg], reg))
        return rule_for_moved(state, arch, reg, ~(UINT64_C(1) << arch->pc));
    /* Only the return address is looked for elsewhere when it is still in its place. */
    rule = rule_for_moved(state, arch, reg, arch->callee_saved);
    return rule.kind == RULE_IN_REG ? rule : (struct rule){.kind = RULE_SAME};
}

/* Of which registers, besides SP, rows tell where the entry value is. */
static uint64_t rows_registers(const struct state *state, const struct arch *arch)
{
    const uint64_t usual = arch->callee_saved | UINT64_C(1) << state->link;

    /* What is interrupted expects all of them back. */
    if (state->link == arch->trap_pc)
        return (usual | ((UINT64_C(1) << arch->reg_count) - 1)) &
               ~(UINT64_C(1) << arch->sp | UINT64_C(1) << arch->pc);
    /* A part of a prologue leaves LR to the prologue's function. */
    return arch->lr == REG_NONE ? usual : usual | UINT64_C(1) << arch->lr;
}

/* Where the entry values of what calls preserve, and of the return address, are now. */
static void rules_for(const struct state *state, const struct arch *arch, unsigned ra,
                      struct rule rules[ARCH_REG_MAX])
{
    uint64_t wanted = rows_registers(state, arch);

    for (uint64_t left = wanted; left; left &= left - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(left);

        /*
         * LR is overwritten by the next call, before anybody looks: what was saved of it is the
         * better place. So is, in a handler of exceptions, what was saved of all that callees may
         * change.
         */
        if (reg == ra || reg == arch->lr || !is_entry_value(&state->regs[reg], reg) ||
            (ra == arch->trap_pc && !(arch->callee_saved >> reg & 1)))
            continue;
        rules[reg] = (struct rule){.kind = RULE_SAME};
        wanted &= ~(UINT64_C(1) << reg);
    }
    wanted &= ~rules_for_saved(state, arch, wanted, rules);
    for (; wanted; wanted &= wanted - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(wanted);

        rules[reg] = rule_for_unsaved(state, arch, reg);
    }
}

/*
 * Code that starts a thread or a process marks the deepest frame by zeroing the frame pointer
 * (psABI 3.4.1, and glibc and musl in clone) without having saved anything. Where registers were
 * saved it is plain arithmetic.
 */
static bool is_outermost(const struct state *state, const struct arch *arch)
{
    const struct value *fp = &state->regs[arch->fp];

    if (fp->kind != VALUE_CONST || fp->k != 0)
        return false;
    for (unsigned i = 0; i < state->slot_count; i++)
        if (state->slots[i].value.kind == VALUE_ENTRY && state->slots[i].value.k == 0 &&
            (arch->callee_saved >> state->slots[i].value.reg & 1))
            return false;
    /* What the ABI has at a return address's place is argc in _start, and may be popped. */
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if ((arch->callee_saved >> reg & 1) && reg != arch->fp &&
            !is_entry_value(&state->regs[reg], reg) && !is_entry_value(&state->regs[reg], arch->pc))
            return false;
    return true;
}

/* Is FP a frame pointer where compilers put it, and so what CFI counts from? */
static bool is_frame_pointer(const struct state *state, const struct arch *arch)
{
    const struct value *fp = &state->regs[arch->fp];
    int32_t off;

    return arch->frame_cfa_off != FRAME_CFA_VARIES && is_entry_sp(fp, arch) &&
           offset_between(arch->cfa_entry_off, fp->k, &off) && off == arch->frame_cfa_off;
}

/*
 * A caller is looked up at its call instruction, but with the registers that its callee left: what
 * calls preserve comes first, a scratch register (r10 in the prologue of a realigned frame) last.
 */
static enum cfa_choice find_cfa(const struct state *state, const struct arch *arch, bool dynamic,
                                struct row *row)
{
    uint64_t preserved = arch->callee_saved | UINT64_C(1) << arch->sp;

    if ((dynamic || is_frame_pointer(state, arch)) &&
        cfa_from_register(state, arch, UINT64_C(1) << arch->fp, row))
        return dynamic ? CHOICE_FP_DYNAMIC : CHOICE_FP_KEPT;
    if (cfa_from_register(state, arch, preserved, row))
        return CHOICE_PRESERVED;
    if (cfa_from_slot(state, arch, row))
        return CHOICE_SLOT;
    return cfa_from_register(state, arch, ~preserved & ~(UINT64_C(1) << arch->pc), row)
               ? CHOICE_SCRATCH
               : CHOICE_NONE;
}

/* No code has popped its own return address: the state is wrong. */
static bool is_sp_above(const struct state *state, const struct arch *arch)
{
    return is_entry_sp(&state->regs[arch->sp], arch) && state->regs[arch->sp].k > 0;
}

void state_to_row(const struct state *state, const struct arch *arch, bool dynamic, struct row *row)
{
    const unsigned ra = state->link;
    bool known = find_cfa(state, arch, dynamic, row) != CHOICE_NONE;

    if (is_outermost(state, arch)) {
        row->ra = (struct rule){.kind = RULE_UNDEFINED};
        return;
    }
    if (known && is_sp_above(state, arch)) {
        row->cfa = (struct rule){.kind = CFA_UNKNOWN};
        return;
    }
    if (!known)
        return;
    rules_for(state, arch, ra, row->regs);
    row->ra = row->regs[ra];
    if (ra == arch->trap_pc) {
        row->signal_frame = true;
        row->source = TRUST_EXCEPTION;
    }
    if (arch->lr != REG_NONE && ra != arch->lr) {
        row->regs[ra] = (struct rule){.kind = RULE_UNSPECIFIED};
        if (row->ra.kind == RULE_SAME)
            row->ra = (struct rule){.kind = RULE_IN_REG, .reg = (uint8_t)ra};
    }
    if (row->ra.kind == RULE_UNDEFINED) {
        /* Lost, which is not the same as "there is no caller": no answer. */
        row->ra = (struct rule){.kind = RULE_UNSPECIFIED};
        row->cfa = (struct rule){.kind = CFA_UNKNOWN};
    }
}

enum row_reason state_row_reason(const struct state *state, const struct arch *arch, bool dynamic,
                                 enum cfa_choice *choice)
{
    struct row row;

    row_init(&row, 0, 0, TRUST_PROLOGUE);
    *choice = find_cfa(state, arch, dynamic, &row);
    if (is_outermost(state, arch))
        return ROW_OUTERMOST;
    if (*choice == CHOICE_NONE)
        return ROW_NO_CFA;
    if (is_sp_above(state, arch))
        return ROW_SP_ABOVE;
    state_to_row(state, arch, dynamic, &row);
    return row.cfa.kind == CFA_UNKNOWN ? ROW_NO_RA : ROW_COMPLETE;
}

/*
 * May a row depend on the value, where it is in a register or slot? These are made of frame
 * addresses and of the entry values that they tell of.
 */
static bool in_rows(const struct state *state, const struct value *value, const struct arch *arch)
{
    return value->kind == VALUE_FRAME ||
           (value->kind == VALUE_ENTRY &&
            (value->reg == arch->sp ||
             (value->k == 0 && (rows_registers(state, arch) >> value->reg & 1))));
}

/* The same of a register; see is_outermost. */
static bool register_in_rows(const struct state *state, unsigned reg, const struct arch *arch)
{
    const struct value *value = &state->regs[reg];

    return in_rows(state, value, arch) ||
           (value->kind == VALUE_ENTRY && value->reg == arch->pc && value->k == 0) ||
           (reg == arch->fp && value->kind == VALUE_CONST && value->k == 0);
}

/* The number of the first slot from `index` on that a row may depend on. */
static unsigned next_in_rows(const struct state *state, unsigned index, const struct arch *arch)
{
    while (index < state->slot_count && !in_rows(state, &state->slots[index].value, arch))
        index++;
    return index;
}

static bool same_slots(const struct state *a, const struct state *b, const struct arch *arch)
{
    unsigned i, k;

    if (a->slot_count == b->slot_count &&
        memcmp(a->slots, b->slots, a->slot_count * sizeof(a->slots[0])) == 0)
        return true; /* as most often */
    i = next_in_rows(a, 0, arch);
    k = next_in_rows(b, 0, arch);
    while (i < a->slot_count && k < b->slot_count &&
           memcmp(&a->slots[i], &b->slots[k], sizeof(a->slots[i])) == 0) {
        i = next_in_rows(a, i + 1, arch);
        k = next_in_rows(b, k + 1, arch);
    }
    return i == a->slot_count && k == b->slot_count;
}

bool state_same_row(const struct state *a, const struct state *b, const struct arch *arch,
                    uint64_t registers, bool slots)
{
    registers &= (UINT64_C(1) << arch->all_regs) - 1;
    for (; registers; registers &= registers - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(registers);

        if (memcmp(&a->regs[reg], &b->regs[reg], sizeof(a->regs[reg])) != 0 &&
            (register_in_rows(a, reg, arch) || register_in_rows(b, reg, arch)))
            return false;
    }
    return !slots || same_slots(a, b, arch);
}
