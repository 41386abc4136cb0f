/* SPDX-License-Identifier: MIT */
/* Finds the state of a function that its FDE says is entered in mid-frame. */
#include "base/vec.h"
#include "unwind/prologue_source_private.h"

static bool is_entry_row(const struct row *row, const struct arch *arch)
{
    return row->cfa.kind == CFA_REG && row->cfa.reg == arch->sp &&
           row->cfa.off == arch->cfa_entry_off;
}

/* Adds the word at CFA + off, which has the value that `reg` had at the function's entry. */
static bool add_word(struct state *state, const struct arch *arch, int32_t off, uint8_t reg)
{
    const struct value addr = {.kind = VALUE_ENTRY,
                               .reg = arch->sp,
                               .k = (int64_t)arch->cfa_entry_off + off};

    if (state_load(state, &addr) || state->slot_count >= STATE_SLOTS_MAX)
        return false;
    state->slots[state->slot_count++] =
        (struct slot){.addr = addr, .value = {.kind = VALUE_ENTRY, .reg = reg}};
    return true;
}

/* False: the return address is where no analysis expects it. */
static bool place_return_address(struct state *state, const struct arch *arch,
                                 const struct rule *ra)
{
    if (arch->lr == REG_NONE)
        return ra->kind == RULE_AT_CFA && ra->off == -arch->cfa_entry_off;
    if (ra->kind != RULE_AT_CFA)
        return (ra->kind == RULE_IN_REG || ra->kind == RULE_SAME) && ra->reg == arch->lr;
    state->regs[arch->lr].kind = VALUE_UNKNOWN;
    return add_word(state, arch, ra->off, arch->lr);
}

/* Makes the state that the row describes. False: it has rules that a state cannot express. */
static bool state_of_row(const struct row *row, const struct arch *arch, struct state *state)
{
    if (row->cfa.kind != CFA_REG || row->signal_frame)
        return false;
    state_init_entry(state, arch);
    if (!place_return_address(state, arch, &row->ra))
        return false;
    for (uint8_t reg = 0; reg < ARCH_REG_MAX && reg < arch->all_regs; reg++) {
        const struct rule *rule = &row->regs[reg];

        if (reg == arch->sp || reg == arch->lr || reg == arch->pc ||
            rule->kind == RULE_UNSPECIFIED || rule->kind == RULE_SAME)
            continue;
        state->regs[reg].kind = VALUE_UNKNOWN;
        if (rule->kind == RULE_AT_CFA && !add_word(state, arch, rule->off, reg))
            return false;
    }
    state->regs[arch->sp].kind = VALUE_UNKNOWN;
    state->regs[row->cfa.reg] = (struct value){.kind = VALUE_ENTRY,
                                               .reg = arch->sp,
                                               .k = (int64_t)arch->cfa_entry_off - row->cfa.off};
    return state_tells_frame(state, arch);
}

static bool is_called(struct prologue_source *source, uint64_t vaddr, struct arrivals *arrivals)
{
    const struct calls *calls;

    if (module_code_calls(source->code, &calls) == STATUS_OK)
        return calls_lead_to(calls, vaddr);
    arrivals->no_memory = true;
    return true;
}

void prologue_arrive_by_table(struct prologue_source *source, const struct code_function *function,
                              struct prologue_input *input, struct arrivals *arrivals)
{
    const struct arch *arch = input->code->arch;
    struct row row;

    if (arrivals->count > 0 || !module_functions_first_row(source->functions, function, &row) ||
        is_entry_row(&row, arch) || is_called(source, function->start_vaddr, arrivals))
        return;
    if (vec_reserve(&arrivals->items, &arrivals->cap, 1, sizeof(*arrivals->items)) != STATUS_OK) {
        arrivals->no_memory = true;
        return;
    }
    if (!state_of_row(&row, arch, &arrivals->items[0].state))
        return;
    arrivals->items[0].vaddr = function->start_vaddr;
    arrivals->items[0].source_vaddr = 0;
    arrivals->count = 1;
    input->not_entered = true;
}
