/* SPDX-License-Identifier: MIT */
#include "unwind/prologue/prologue_rows.h"

#include <string.h>

/* *off = a - b; false: it does not fit a rule. Immediate operands may make the difference wrap. */
static bool offset_between(int64_t a, int64_t b, int32_t *off)
{
    int64_t wide = (int64_t)((uint64_t)a - (uint64_t)b);

    *off = (int32_t)wide;
    return wide == *off;
}

/* Is the value the entry's SP + k? */
static bool is_entry_sp(const struct value *value, const struct arch *arch)
{
    return value->kind == VALUE_ENTRY && value->reg == arch->sp;
}

/* Computes the CFA from one of `registers`: SP first, then the frame pointer, then any. */
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

/* Finds the register (FP or SP) from which `addr`, in a realigned frame, is *off away. */
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

/* Is the word below SP (and red zone), so that it is not part of a captured stack? */
static bool below_sp(const struct state *state, const struct arch *arch, const struct value *addr)
{
    const struct value *sp = &state->regs[arch->sp];

    bool comparable = sp->kind == VALUE_FRAME ? addr->kind == VALUE_FRAME && sp->base == addr->base
                                              : is_entry_sp(sp, arch) && is_entry_sp(addr, arch);

    return comparable && (int64_t)((uint64_t)addr->k - (uint64_t)sp->k) < -(int64_t)arch->red_zone;
}

/* Finds the CFA, or a distance from it, in a slot of a realigned frame: CFA = [fp + off] + add. */
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

/* Makes the rule for the slot's place; false: it cannot be expressed. */
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

/* Makes rules for those of `registers` (a mask) whose entry values are in slots; returns these. */
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

/* Finds another register of `mask` with the entry value of `reg`; RULE_UNDEFINED: none. */
static struct rule rule_for_moved(const struct state *state, const struct arch *arch, unsigned reg,
                                  uint64_t mask)
{
    for (unsigned other = 0; other < arch->reg_count; other++)
        if (other != reg && (mask >> other & 1) && is_entry_value(&state->regs[other], reg))
            return (struct rule){.kind = RULE_IN_REG, .reg = (uint8_t)other};
    return (struct rule){.kind = RULE_UNDEFINED};
}

/* Makes the rule of `reg`, whose entry value is in no slot: in a register, or lost. */
static struct rule rule_for_unsaved(const struct state *state, const struct arch *arch,
                                    unsigned reg)
{
    struct rule rule;

    if (!is_entry_value(&state->regs[reg], reg))
        return rule_for_moved(state, arch, reg, ~(UINT64_C(1) << arch->pc));
    /* A return address that is still in its place may be in a callee-saved register, too. */
    rule = rule_for_moved(state, arch, reg, arch->callee_saved);
    return rule.kind == RULE_IN_REG ? rule : (struct rule){.kind = RULE_SAME};
}

/* Returns the registers, besides SP, for which rows have rules. */
static uint64_t rows_registers(const struct state *state, const struct arch *arch)
{
    const uint64_t usual = arch->callee_saved | UINT64_C(1) << state->link;

    /* Interrupted code expects all registers back. */
    if (state->link == arch->trap_pc)
        return (usual | ((UINT64_C(1) << arch->reg_count) - 1)) &
               ~(UINT64_C(1) << arch->sp | UINT64_C(1) << arch->pc);
    /* A part of a prologue leaves LR to its caller. */
    return arch->lr == REG_NONE ? usual : usual | UINT64_C(1) << arch->lr;
}

/* Makes the rules for registers that calls preserve, and for the return address. */
static void rules_for(const struct state *state, const struct arch *arch, unsigned ra,
                      struct rule rules[ARCH_REG_MAX])
{
    uint64_t wanted = rows_registers(state, arch);

    for (uint64_t left = wanted; left; left &= left - 1) {
        unsigned reg = (unsigned)__builtin_ctzll(left);

        /*
         * LR is overwritten by the next call, before the row is used: a saved copy is the better
         * place. In exception handlers that goes for all registers that callees may change.
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
 * Does the state say that there is no caller? Code that starts a thread or a process zeroes the
 * frame pointer (psABI 3.4.1; glibc's and musl's clone), keeps no copy of it and has saved no
 * register. Where registers were saved the zero is plain arithmetic.
 */
static bool is_outermost(const struct state *state, const struct arch *arch)
{
    const struct value *fp = &state->regs[arch->fp];

    if (fp->kind != VALUE_CONST || fp->k != 0 ||
        rule_for_moved(state, arch, arch->fp, ~UINT64_C(0)).kind == RULE_IN_REG)
        return false;
    for (unsigned i = 0; i < state->slot_count; i++)
        if (state->slots[i].value.kind == VALUE_ENTRY && state->slots[i].value.k == 0 &&
            (arch->callee_saved >> state->slots[i].value.reg & 1))
            return false;
    /* In _start argc is where a return address would be, and may be popped. */
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if ((arch->callee_saved >> reg & 1) && reg != arch->fp &&
            !is_entry_value(&state->regs[reg], reg) && !is_entry_value(&state->regs[reg], arch->pc))
            return false;
    return true;
}

/* Is FP a frame pointer at its usual distance from the CFA, as CFI has it? */
static bool is_frame_pointer(const struct state *state, const struct arch *arch)
{
    const struct value *fp = &state->regs[arch->fp];
    int32_t off;

    return arch->frame_cfa_off != FRAME_CFA_VARIES && is_entry_sp(fp, arch) &&
           offset_between(arch->cfa_entry_off, fp->k, &off) && off == arch->frame_cfa_off;
}

/*
 * A caller's row is looked up at its call, but used with the registers that the callee left: so
 * registers that calls preserve come first, and scratch registers (r10 in the prologue of a
 * realigned frame) last.
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

/* Has the code popped its return address into a register? Then sets *ra to the rule for that. */
static bool has_popped_return(const struct state *state, const struct arch *arch, struct rule *ra)
{
    const struct value *sp = &state->regs[arch->sp];

    if (arch->lr != REG_NONE || !is_entry_sp(sp, arch) || sp->k != arch->cfa_entry_off)
        return false;
    *ra = rule_for_moved(state, arch, arch->pc, ~(UINT64_C(1) << arch->pc));
    return ra->kind == RULE_IN_REG;
}

/* Is SP above what it was at the entry, though no return address was popped? The state is wrong. */
static bool is_sp_above(const struct state *state, const struct arch *arch)
{
    const struct value *sp = &state->regs[arch->sp];
    struct rule ra;

    return is_entry_sp(sp, arch) && sp->k > 0 && !has_popped_return(state, arch, &ra);
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
    (void)has_popped_return(state, arch, &row->ra);
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
        /* The return address is lost, which does not mean that there is no caller: no answer. */
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
 * May a row depend on the value, in a register or slot? Rows are made of frame addresses and of the
 * entry values that they locate.
 */
static bool in_rows(const struct state *state, const struct value *value, const struct arch *arch)
{
    return value->kind == VALUE_FRAME ||
           (value->kind == VALUE_ENTRY &&
            (value->reg == arch->sp ||
             (value->k == 0 && (rows_registers(state, arch) >> value->reg & 1))));
}

/* The same for a register; see is_outermost. */
static bool register_in_rows(const struct state *state, unsigned reg, const struct arch *arch)
{
    const struct value *value = &state->regs[reg];

    return in_rows(state, value, arch) ||
           (value->kind == VALUE_ENTRY && value->reg == arch->pc && value->k == 0) ||
           (reg == arch->fp && value->kind == VALUE_CONST && value->k == 0);
}

/* Returns the first slot from `index` on that a row may depend on. */
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
        return true; /* most often */
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
