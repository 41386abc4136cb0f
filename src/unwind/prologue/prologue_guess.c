/* SPDX-License-Identifier: MIT */
/* Guesses the state in which code that no known path reaches is entered. */
#include "unwind/prologue/prologue_explain.h"
#include "unwind/prologue/prologue_walk.h"

/*
 * Makes the state of the most frequent depth, if that has at least 70 % and SP is always known (no
 * alloca); else what all states agree on. False: there are none.
 */
static bool consensus(const struct prologue *a, const struct classes *classes, struct state *out)
{
    const struct depth_class *best = NULL;
    unsigned total = 0;
    bool dynamic = false;

    for (unsigned i = 0; i < classes->count; i++) {
        const struct depth_class *depth = &classes->items[i];

        total += depth->count;
        dynamic = dynamic || depth->state.regs[a->arch->sp].kind == VALUE_UNKNOWN;
        if (!best || depth->count > best->count)
            best = depth;
    }
    if (!best)
        return false;
    state_copy(out, &best->state);
    for (unsigned i = 0; i < classes->count; i++)
        if (dynamic || best->count * 10 < total * 7)
            (void)state_merge(out, &classes->items[i].state, a->arch);
    return true;
}

/*
 * Makes the entry state if the function leaves SP alone, calls nothing and returns: then its other
 * parts have no frame either (string functions that jump into code by a multiple of its length).
 */
static bool never_framed(const struct prologue *a, struct state *out)
{
    uint64_t changed = 0;
    bool returns = false;

    if (a->in.not_entered)
        return false;
    for (size_t i = 0; i < a->node_count; i++) {
        const struct code_insn *insn = node_insn(a, &a->nodes[i]);

        if (insn->flow == FLOW_CALL)
            return false;
        returns = returns || insn->flow == FLOW_RETURN;
        if (insn->flow != FLOW_RETURN || a->arch->lr != REG_NONE) /* x86's pops that address */
            changed |= code_writes(a->in.code, insn);
    }
    if (!returns || changed >> a->arch->sp & 1)
        return false;
    state_init_entry(out, a->arch);
    for (unsigned reg = 0; reg < a->arch->reg_count; reg++)
        if (changed >> reg & 1)
            out->regs[reg] = (struct value){.kind = VALUE_UNKNOWN};
    return true;
}

#define TRAP_SIZE_MAX 4 /* bytes of a trap instruction */

/*
 * Returns the trap right before `vaddr` (RISC-V's unimp, ebreak), which a handler may skip on
 * boards; NULL: none, or a function begins at `vaddr`.
 */
static const struct node *trap_before(const struct prologue *a, uint64_t vaddr, enum code_mode mode)
{
    const unsigned unit = a->in.code->unit;

    if (a->arch->trap_pc == REG_NONE || code_strong_start(a->in.code, vaddr, mode))
        return NULL;
    for (unsigned back = unit; back <= TRAP_SIZE_MAX && back <= vaddr; back += unit) {
        const struct node *node = prologue_node_at(a, vaddr - back);
        const struct code_insn *insn = node ? node_insn(a, node) : NULL;

        if (insn && insn->size == back && insn->flow == FLOW_STOP && node->reached)
            return node;
    }
    return NULL;
}

/* Makes the state before a reached instruction; false: no path leads there any more. */
static bool state_at(const struct prologue *a, const struct node *wanted, struct state *out)
{
    const struct node *node = &a->nodes[wanted->block];
    struct path_walk walk;

    walk_begin(&walk, a->states.items[node->state]);
    while (node && node != wanted) {
        walk_execute(a, &walk, node, walk_enter(&walk, node_insn(a, node), a->arch));
        node = prologue_node_behind(a, node);
    }
    walk_join(&walk, a->arch);
    state_copy(out, &walk.paths[0]);
    return node != NULL;
}

/*
 * The code's end may give the state away. Else it is a case of a jump table that was not
 * understood, else code behind a skipped trap, else a landing pad, which has the frame of a call.
 */
bool prologue_guess_for_gap(const struct prologue *a, const struct node *gap, struct state *out)
{
    const struct arch *arch = a->arch;
    const struct code_insn insn = *node_insn(a, gap); /* decoding moves it */
    uint64_t kept = arch->callee_saved | UINT64_C(1) << arch->sp;
    const struct node *trap;

    if (prologue_entry_state(a, insn.vaddr, out))
        return true;
    if (prologue_is_later_vector(a, &insn)) {
        out->link = arch->trap_pc; /* all else is as at a function's entry */
        return true;
    }
    trap = trap_before(a, insn.vaddr, (enum code_mode)insn.mode);
    if (trap && a->indirect.total == 0 && state_at(a, trap, out))
        return true;
    /* Jumps leave LR alone. */
    if (arch->lr != REG_NONE && (a->indirect.total > 0 || a->called.total == 0))
        kept |= UINT64_C(1) << arch->lr;
    if (!consensus(a, &a->indirect, out) && !consensus(a, &a->called, out) &&
        !consensus(a, &a->left, out) && !never_framed(a, out))
        return false;
    /* Only SP and registers that calls preserve are known. */
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (!(kept >> reg & 1))
            out->regs[reg] = (struct value){.kind = VALUE_UNKNOWN};
    return true;
}

struct explained_guess prologue_guess(const struct prologue *a, uint64_t vaddr)
{
    const struct {
        const struct classes *classes;
        enum guess_from from;
    } tried[] = {{&a->indirect, GUESS_INDIRECT},
                 {&a->called, GUESS_CALLS},
                 {&a->left, GUESS_TAIL_CALLS}};
    struct explained_guess guess = {.from = GUESS_NO_FRAME};

    if (a->indirect.total == 0 && trap_before(a, vaddr, a->in.mode)) {
        guess.from = GUESS_TRAP;
        return guess;
    }
    for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++) {
        if (tried[i].classes->count == 0)
            continue;
        guess.from = tried[i].from;
        guess.all = tried[i].classes->total;
        for (unsigned k = 0; k < tried[i].classes->count; k++)
            if (tried[i].classes->items[k].count > guess.agreed)
                guess.agreed = tried[i].classes->items[k].count;
        return guess;
    }
    return guess;
}
