/* SPDX-License-Identifier: MIT */
#include "unwind/prologue/prologue_walk.h"

#include "unwind/code/leaf.h"

/* Instructions that load arguments again before a function starts over. */
#define RESTART_INSNS_MAX 64

void walk_effect(const struct prologue *a, const struct code_insn *insn, struct state *state)
{
    if (insn->op_count)
        state_execute(state, a->arch, code_ops(a->in.code, insn), insn->op_count,
                      (uint32_t)(insn->vaddr - a->in.start_vaddr));
    if (insn->flow == FLOW_CALL)
        state_drop_below_sp(state, a->arch);
}

/* Returns the scratch registers, besides LR, with the return address. */
static uint64_t copies_of_lr(const struct state *state, const struct arch *arch)
{
    uint64_t regs = 0;

    for (unsigned reg = 0; arch->lr != REG_NONE && reg < arch->reg_count; reg++)
        if (reg != arch->lr && !(arch->callee_saved >> reg & 1) &&
            state->regs[reg].kind == VALUE_ENTRY && state->regs[reg].reg == arch->lr &&
            state->regs[reg].k == 0)
            regs |= UINT64_C(1) << reg;
    return regs;
}

/* Does the instruction change nothing but registers other than SP and LR? */
static bool only_loads(const struct prologue *a, const struct code_insn *insn)
{
    const struct op *ops = code_ops(a->in.code, insn);
    const uint64_t lr = a->arch->lr != REG_NONE ? UINT64_C(1) << a->arch->lr : 0;
    const uint64_t fixed = UINT64_C(1) << a->arch->sp | lr;

    for (unsigned i = 0; i < insn->op_count; i++)
        if (ops[i].kind == OP_STORE ||
            (ops[i].kind == OP_CLOBBER ? (ops[i].mask & fixed) != 0
                                       : ops[i].dst == a->arch->sp || ops[i].dst == a->arch->lr))
            return false;
    return true;
}

/*
 * Does control go back to the function's start, over loads of registers only? Go's functions do so
 * when their stack is too small: the callee, morestack, gets LR, and restores it.
 */
static bool restarts_function(const struct prologue *a, const struct node *call)
{
    const struct node *node = prologue_node_behind(a, call);

    for (unsigned i = 0; node && i < RESTART_INSNS_MAX; i++) {
        const struct code_insn *insn = node_insn(a, node);

        if (insn->flow == FLOW_JUMP)
            return !insn->predicate && insn->has_target &&
                   insn->target_vaddr == a->in.start_vaddr && !a->in.not_entered;
        if (insn->flow != FLOW_NEXT || insn->predicate || !only_loads(a, insn))
            return false;
        node = prologue_node_behind(a, node);
    }
    return false;
}

/*
 * Executes a call. Its callee may pop arguments; a pc thunk leaves all other registers alone, a
 * callee without calls those that it does not change.
 */
static void execute_call(const struct prologue *a, const struct node *node, struct state *state)
{
    const uint64_t return_vaddr = node_insn(a, node)->vaddr + node_insn(a, node)->size;
    const struct arch *arch = a->arch;
    const uint64_t copies = copies_of_lr(state, arch);
    const struct code_insn call = *node_insn(a, node); /* decoding moves it */
    struct callee callee;
    uint64_t changed = UINT64_MAX;
    bool restarts;

    if (call.jump_reg != REG_NONE && prologue_run_outlined(a, &call, state))
        return;
    prologue_callee(a, node, &callee); /* may decode, which moves the instruction */
    if (copies && node_insn(a, node)->has_target)
        changed = leaf_changes(a->in.code, node_insn(a, node)->target_vaddr,
                               (enum code_mode)node_insn(a, node)->target_mode);
    if (callee.pc_reg != REG_NONE) {
        state_drop_below_sp(state, arch);
        state->regs[callee.pc_reg] =
            (struct value){.kind = VALUE_CONST, .k = (int64_t)return_vaddr};
        return;
    }
    restarts = copies && state_at_entry_depth(state, arch) && restarts_function(a, node);
    walk_effect(a, node_insn(a, node), state);
    for (uint64_t left = copies & ~changed; left; left &= left - 1)
        state->regs[__builtin_ctzll(left)] = (struct value){.kind = VALUE_ENTRY, .reg = arch->lr};
    if (restarts)
        state->regs[arch->lr] = (struct value){.kind = VALUE_ENTRY, .reg = arch->lr};
    if (callee.pops) {
        const struct op pop = {.kind = OP_ADD,
                               .dst = arch->sp,
                               .src = arch->sp,
                               .imm = callee.pops};

        state_execute(state, arch, &pop, 1, 0);
    }
}

struct op walk_compared(const struct prologue *a, const struct path_walk *walk,
                        const struct code_insn *insn)
{
    const struct op *ops = code_ops(a->in.code, insn);

    return insn->flow == FLOW_BRANCH && insn->op_count && ops[0].kind == OP_COMPARE_REG
               ? ops[0]
               : walk->compare;
}

void walk_begin(struct path_walk *walk, const struct state *state)
{
    state_copy(&walk->paths[0], state);
    walk->ended[0] = false;
    walk->predicate = 0;
    walk->compare.kind = OP_CLOBBER;
}

void walk_join(struct path_walk *walk, const struct arch *arch)
{
    if (!walk->predicate)
        return;
    walk->predicate = 0;
    if (walk->ended[0]) {
        state_copy(&walk->paths[0], &walk->paths[1]);
        walk->ended[0] = walk->ended[1];
    } else if (!walk->ended[1]) {
        (void)state_merge(&walk->paths[0], &walk->paths[1], arch);
    }
}

unsigned walk_choose(struct path_walk *walk, const struct code_insn *insn, const struct arch *arch)
{
    uint8_t when = insn->predicate ? insn->predicate : insn->taken_when;

    /* An `it` of T32 between two blocks of a condition is on both paths. */
    if (walk->predicate && !when && insn->flow == FLOW_NEXT && insn->op_count == 0 &&
        !insn->writes_flags)
        return 0;
    if (walk->predicate && when != walk->predicate &&
        (!when || when - 1 != ((walk->predicate - 1) ^ 1)))
        walk_join(walk, arch);
    if (insn->predicate && !walk->predicate) {
        walk->predicate = insn->predicate;
        state_copy(&walk->paths[1], &walk->paths[0]);
        walk->ended[1] = walk->ended[0];
    }
    return !walk->predicate || when == walk->predicate ? 0 : 1;
}

const struct state *walk_both(const struct path_walk *walk, const struct arch *arch,
                              struct state *merged)
{
    if (walk->ended[0] || walk->ended[1])
        return &walk->paths[walk->ended[0] ? 1 : 0];
    state_copy(merged, &walk->paths[0]);
    (void)state_merge(merged, &walk->paths[1], arch);
    return merged;
}

void walk_execute(const struct prologue *a, struct path_walk *walk, const struct node *node,
                  unsigned path)
{
    const struct code_insn *insn = node_insn(a, node);
    const struct op *ops = code_ops(a->in.code, insn);
    struct state before;

    walk->compare.kind = OP_CLOBBER;
    if (prologue_is_far_jump(a, insn)) {
        walk->paths[path].regs[a->arch->lr] = (struct value){.kind = VALUE_UNKNOWN};
        walk->ended[path] = true;
        return;
    }
    if (insn->flow == FLOW_CALL) {
        execute_call(a, node, &walk->paths[path]);
        walk->ended[path] = walk->ended[path] || !node->falls_through;
        return;
    }
    if (a->is_handler)
        state_copy(&before, &walk->paths[path]);
    walk_effect(a, insn, &walk->paths[path]);
    if (a->is_handler)
        prologue_change_frame(a, node, &before, &walk->paths[path]);
    if (insn->op_count == 1 && ops[0].kind == OP_COMPARE_REG && !insn->predicate &&
        insn->flow != FLOW_BRANCH)
        walk->compare = ops[0];
    if (!node->falls_through)
        walk->ended[path] = true;
}

bool walk_make_equal(const struct op *compare, struct state *state)
{
    struct value *a, *b;

    if (compare->kind != OP_COMPARE_REG)
        return true;
    a = &state->regs[compare->src];
    b = &state->regs[compare->src2];
    if (a->kind == VALUE_UNKNOWN)
        *a = *b;
    else if (b->kind == VALUE_UNKNOWN)
        *b = *a;
    else if (a->kind == VALUE_ENTRY && b->kind == VALUE_ENTRY && a->reg == b->reg)
        return a->k == b->k;
    return true;
}
