/* SPDX-License-Identifier: MIT */
#include "unwind/prologue/continuation.h"

#include "unwind/prologue/value.h"

#define INSNS_MAX  64
#define INSNS_USED 8   /* a callee-saved register is used within these */
#define BYTES_MAX  256 /* what jumps farther leaves the code */

static bool is_saved(const struct arch *arch, uint8_t reg)
{
    return reg < 64 && reg != arch->fp && arch->callee_saved >> reg & 1;
}

/* Does the register hold what a callee-saved one held at the beginning? */
static bool holds_saved(const struct state *state, const struct arch *arch, uint8_t reg)
{
    const struct value *value = &state->regs[reg];

    return value->kind == VALUE_ENTRY && is_saved(arch, value->reg) && value->reg != reg;
}

/* Has SP, or a register that calls do not keep, got the value of one that they do? */
static bool has_used_saved(const struct state *state, const struct arch *arch)
{
    const struct value *sp = &state->regs[arch->sp];

    if (sp->kind == VALUE_UNKNOWN || holds_saved(state, arch, arch->sp))
        return true;
    for (uint8_t reg = 0; reg < arch->reg_count; reg++)
        if (!is_saved(arch, reg) && reg != arch->fp && reg != arch->pc &&
            holds_saved(state, arch, reg))
            return true;
    return false;
}

/* Does the code use a callee-saved register before it branches? */
static bool uses_saved(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    struct state state;

    state_init_entry(&state, code->arch);
    for (unsigned i = 0; i < INSNS_USED; i++) {
        const struct code_insn *insn;
        uint32_t index;

        if (code_get(code, vaddr, mode, 0, &index) != STATUS_OK)
            return false;
        insn = code_insn(code, index);
        if (insn->predicate || insn->next_context || insn->flow != FLOW_NEXT)
            return false;
        state_execute(&state, code->arch, code_ops(code, insn), insn->op_count, 0);
        if (has_used_saved(&state, code->arch))
            return true;
        vaddr += insn->size;
    }
    return false;
}

/* The ways through the code that are left to be followed, and where they have been. */
struct ways {
    struct code *code;
    prologue_callee_fn *callee;
    void *context;
    uint64_t start_vaddr;
    uint64_t open[INSNS_MAX], seen[INSNS_MAX];
    unsigned open_count, seen_count;
};

static bool open_way(struct ways *ways, uint64_t vaddr)
{
    for (unsigned i = 0; i < ways->seen_count; i++)
        if (ways->seen[i] == vaddr)
            return true;
    if (ways->open_count == INSNS_MAX)
        return false;
    ways->open[ways->open_count++] = vaddr;
    return true;
}

static bool never_returns(const struct ways *ways, const struct code_insn *insn)
{
    struct callee callee = {.never_returns = false};

    if (insn->has_target && !insn->predicate)
        ways->callee(ways->context, insn->target_vaddr, (enum code_mode)insn->target_mode, &callee);
    return callee.never_returns;
}

/*
 * Does a jump end the way? Where calls leave the return address in LR, a function that is jumped to
 * has none to return to.
 */
static bool leaves(const struct ways *ways, const struct code_insn *insn)
{
    return (insn->target_vaddr < ways->start_vaddr ||
            insn->target_vaddr - ways->start_vaddr > BYTES_MAX) &&
           (ways->code->arch->lr != REG_NONE || never_returns(ways, insn));
}

/* Follows one instruction; false: it may return. */
static bool follow(struct ways *ways, const struct code_insn *insn)
{
    const struct arch *arch = ways->code->arch;
    const uint64_t next_vaddr = insn->vaddr + insn->size;

    if (insn->next_context) /* of T32's conditional blocks nothing is followed */
        return false;
    switch ((enum flow)insn->flow) {
    case FLOW_NEXT:
        if (arch->lr != REG_NONE && code_writes(ways->code, insn) >> arch->lr & 1)
            return false;
        return open_way(ways, next_vaddr);
    case FLOW_CALL:
        return never_returns(ways, insn) || open_way(ways, next_vaddr);
    case FLOW_JUMP:
    case FLOW_BRANCH:
        if (!insn->has_target || (!leaves(ways, insn) && !open_way(ways, insn->target_vaddr)))
            return false;
        return (insn->flow == FLOW_JUMP && !insn->predicate) || open_way(ways, next_vaddr);
    case FLOW_STOP:
        return true;
    case FLOW_RETURN:
    case FLOW_INDIRECT:
        break;
    }
    return false;
}

static bool may_return(struct ways *ways, enum code_mode mode)
{
    while (ways->open_count > 0) {
        const uint64_t vaddr = ways->open[--ways->open_count];
        struct code_insn insn;
        uint32_t index;

        if (ways->seen_count == INSNS_MAX ||
            code_get(ways->code, vaddr, mode, 0, &index) != STATUS_OK)
            return true;
        ways->seen[ways->seen_count++] = vaddr;
        insn = *code_insn(ways->code, index); /* following it may move it */
        if (!follow(ways, &insn))
            return true;
    }
    return false;
}

bool continuation_at(struct code *code, prologue_callee_fn *callee, void *context, uint64_t vaddr,
                     enum code_mode mode)
{
    struct ways ways = {.code = code,
                        .callee = callee,
                        .context = context,
                        .start_vaddr = vaddr,
                        .open = {vaddr},
                        .open_count = 1};

    return uses_saved(code, vaddr, mode) && !may_return(&ways, mode);
}
