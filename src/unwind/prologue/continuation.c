/* SPDX-License-Identifier: MIT */
#include "unwind/prologue/continuation.h"

#include "unwind/prologue/value.h"

#define INSNS_MAX    64
#define INSNS_USED   8  /* a callee-saved register is used within these */
#define INSNS_SWITCH 96 /* setcontext has replaced SP within these */

/* Does the register hold what a callee-saved one held at the beginning? */
static bool holds_saved(const struct state *state, const struct arch *arch, uint8_t reg)
{
    const struct value *value = reg == REG_NONE ? NULL : &state->regs[reg];

    return value && value->kind == VALUE_ENTRY && value->reg < 64 && value->reg != arch->fp &&
           arch->callee_saved >> value->reg & 1;
}

/* Does the instruction make SP from a callee-saved register's value? */
static bool moves_sp_by_saved(struct code *code, const struct code_insn *insn,
                              const struct state *state)
{
    const struct arch *arch = code->arch;
    const struct op *ops = code_ops(code, insn);

    for (unsigned i = 0; i < insn->op_count; i++)
        if (ops[i].dst == arch->sp &&
            ((ops[i].kind == OP_ADD && holds_saved(state, arch, ops[i].src)) ||
             (ops[i].kind == OP_ADD_REG &&
              (holds_saved(state, arch, ops[i].src) || holds_saved(state, arch, ops[i].src2)))))
            return true;
    return false;
}

/* Does the code take what it needs from a callee-saved register, before it branches? */
static bool uses_saved(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    const struct arch *arch = code->arch;
    const bool has_lr = arch->lr != REG_NONE;
    struct state state;

    state_init_entry(&state, arch);
    for (unsigned i = 0; i < INSNS_USED; i++) {
        const struct code_insn *insn;
        uint32_t index;

        if (code_get(code, vaddr, mode, 0, &index) != STATUS_OK)
            return false;
        insn = code_insn(code, index);
        if (insn->predicate || insn->next_context || insn->flow != FLOW_NEXT)
            return false;
        if (!has_lr && moves_sp_by_saved(code, insn, &state))
            return true;
        state_execute(&state, arch, code_ops(code, insn), insn->op_count, 0);
        if (has_lr && holds_saved(&state, arch, arch->first_arg))
            return true;
        vaddr += insn->size;
    }
    return false;
}

/* The ways through the code that are left to be followed, where they have been, how they end. */
struct ways {
    struct code *code;
    prologue_callee_fn *callee;
    void *context;
    const struct continuation_place *place;
    uint64_t open[INSNS_MAX], seen[INSNS_MAX];
    unsigned open_count, seen_count;
    unsigned exits; /* how many lead to other functions, by calls or jumps */
    bool ends;      /* one ends in what never returns */
    bool switches;  /* one leads to a function that makes another stack the current one */
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

/* Does the instruction give SP a value that was in memory or another register? */
static bool replaces_sp(struct code *code, const struct code_insn *insn)
{
    const struct arch *arch = code->arch;
    const struct op *ops = code_ops(code, insn);

    for (unsigned i = 0; i < insn->op_count; i++) {
        if (ops[i].kind == OP_CLOBBER
                ? insn->flow == FLOW_NEXT && ops[i].mask >> arch->sp & 1
                : ops[i].dst == arch->sp &&
                      (ops[i].kind == OP_LOAD ||
                       (ops[i].kind == OP_ADD && ops[i].src != arch->sp && ops[i].src != arch->fp)))
            return true;
    }
    return false;
}

/* Does the function at `vaddr` switch stacks, as setcontext does, in its first instructions? */
static bool switches_stacks(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    for (unsigned i = 0; i < INSNS_SWITCH; i++) {
        const struct code_insn *insn;
        uint32_t index;

        if (code_get(code, vaddr, mode, 0, &index) != STATUS_OK)
            return false;
        insn = code_insn(code, index);
        if (replaces_sp(code, insn))
            return true;
        if (insn->flow != FLOW_NEXT && insn->flow != FLOW_BRANCH && insn->flow != FLOW_CALL)
            return false;
        vaddr += insn->size;
    }
    return false;
}

/* Does the called function, or the one jumped to, never return? Notes what it does. */
static bool never_returns(struct ways *ways, const struct code_insn *insn)
{
    const enum code_mode mode = (enum code_mode)insn->target_mode;
    struct callee callee = {.never_returns = false};

    if (insn->has_target && !insn->predicate)
        ways->callee(ways->context, insn->target_vaddr, mode, &callee);
    ways->exits++;
    ways->ends |= callee.never_returns;
    ways->switches = ways->switches ||
                     (insn->has_target && switches_stacks(ways->code, insn->target_vaddr, mode));
    return callee.never_returns;
}

/* Follows a jump; false: where it leads may return. */
static bool follow_jump(struct ways *ways, const struct code_insn *insn)
{
    if (!insn->has_target)
        return false;
    if (insn->target_vaddr >= ways->place->start_vaddr &&
        insn->target_vaddr < ways->place->end_vaddr)
        return open_way(ways, insn->target_vaddr);
    /* What is jumped to returns to the next word, or has nothing to return to in LR. */
    return never_returns(ways, insn) || ways->code->arch->lr != REG_NONE;
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
        return follow_jump(ways, insn) &&
               ((insn->flow == FLOW_JUMP && !insn->predicate) || open_way(ways, next_vaddr));
    case FLOW_STOP:
        ways->ends = true;
        return true;
    case FLOW_RETURN:
    case FLOW_INDIRECT:
        break;
    }
    return false;
}

static bool may_return(struct ways *ways)
{
    while (ways->open_count > 0) {
        const uint64_t vaddr = ways->open[--ways->open_count];
        struct code_insn insn;
        uint32_t index;

        if (ways->seen_count == INSNS_MAX ||
            code_get(ways->code, vaddr, ways->place->mode, 0, &index) != STATUS_OK)
            return true;
        ways->seen[ways->seen_count++] = vaddr;
        insn = *code_insn(ways->code, index); /* following it may move it */
        if (!follow(ways, &insn))
            return true;
    }
    return false;
}

bool continuation_at(struct code *code, prologue_callee_fn *callee, void *context,
                     const struct continuation_place *place)
{
    struct ways ways = {.code = code,
                        .callee = callee,
                        .context = context,
                        .place = place,
                        .open = {place->vaddr},
                        .open_count = 1};

    if (!uses_saved(code, place->vaddr, place->mode) || may_return(&ways))
        return false;
    return code->arch->lr == REG_NONE ? ways.ends : ways.exits > 1 && (ways.ends || ways.switches);
}
