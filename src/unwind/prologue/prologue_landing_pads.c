/* SPDX-License-Identifier: MIT */
/* Makes the states of landing pads, at which calls that throw continue. */
#include "base/vec.h"
#include "base/search.h"
#include "unwind/prologue/prologue_walk.h"

/* Looks up the address before the end, as for a return address. */
const struct landing_pad *prologue_find_landing_pad(const struct prologue *a, uint64_t end_vaddr)
{
    uint64_t vaddr = end_vaddr - 1;
    size_t at =
        SEARCH_FIRST(i, 0, a->in.landing_pad_count, a->in.landing_pads[i].start_vaddr <= vaddr);

    return at > 0 && vaddr < a->in.landing_pads[at - 1].end_vaddr ? &a->in.landing_pads[at - 1]
                                                                  : NULL;
}

bool prologue_is_deeper(const struct prologue *a, const struct state *state,
                        const struct state *other)
{
    const struct value *x = &state->regs[a->arch->sp], *y = &other->regs[a->arch->sp];

    return x->kind == y->kind && x->k < y->k &&
           ((x->kind == VALUE_ENTRY && x->reg == y->reg) ||
            (x->kind == VALUE_FRAME && x->base == y->base));
}

/* Merges a further state for a landing pad; of two depths the shallower counts. */
static void add_state(const struct prologue *a, struct state *into, const struct state *state)
{
    if (prologue_is_deeper(a, into, state))
        state_copy(into, state);
    else if (!prologue_is_deeper(a, state, into))
        (void)state_merge(into, state, a->arch);
}

static void note_thrown(struct prologue *a, struct node *landing_pad, const struct state *state)
{
    if (landing_pad->thrown >= 0) {
        add_state(a, &a->thrown[landing_pad->thrown].state, state);
        return;
    }
    if (a->thrown_count >= STATES_MAX) {
        a->failed = STATUS_UNSUPPORTED;
        return;
    }
    if (vec_reserve(&a->thrown, &a->thrown_cap, a->thrown_count + 1, sizeof(*a->thrown)) !=
        STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    landing_pad->thrown = (int32_t)a->thrown_count;
    a->thrown[a->thrown_count].index = (uint32_t)(landing_pad - a->nodes);
    state_copy(&a->thrown[a->thrown_count++].state, state);
}

void prologue_throw_from(const struct prologue *a, struct state *state, int64_t popped)
{
    const struct op pop = {.kind = OP_ADD, .dst = a->arch->sp, .src = a->arch->sp, .imm = popped};

    state_execute(state, a->arch, &pop, popped != 0, 0);
}

void prologue_throw(struct prologue *a, uint32_t index, const struct state *state)
{
    const struct code_insn *insn = node_insn(a, &a->nodes[index]);
    const struct landing_pad *landing_pad = prologue_find_landing_pad(a, insn->vaddr + insn->size);
    struct node *target = landing_pad ? prologue_node_at(a, landing_pad->landing_pad_vaddr) : NULL;
    struct callee callee;
    struct state thrown;

    if (!target || !target->leader)
        return;
    prologue_callee(a, &a->nodes[index], &callee);
    state_copy(&thrown, state);
    prologue_throw_from(a, &thrown, (int64_t)landing_pad->popped - callee.pops);
    note_thrown(a, target, &thrown);
}

struct thrower {
    const struct prologue *prologue;
    const struct landing_pad *landing_pad;
    struct state *out;
    bool found;
};

static bool take_call(void *context, const struct code_insn *insn, const struct state *state,
                      bool guessed)
{
    struct thrower *t = context;
    uint64_t last_vaddr = insn->vaddr + insn->size - 1;
    struct state thrown;

    (void)guessed;
    if (insn->flow != FLOW_CALL || !state || last_vaddr < t->landing_pad->start_vaddr)
        return true;
    if (last_vaddr >= t->landing_pad->end_vaddr)
        return false;
    state_copy(&thrown, state);
    walk_effect(t->prologue, insn, &thrown);
    prologue_throw_from(t->prologue, &thrown, t->landing_pad->popped);
    if (t->found)
        add_state(t->prologue, t->out, &thrown);
    else
        state_copy(t->out, &thrown);
    t->found = true;
    return true;
}

enum status prologue_state_at_landing_pad(const struct prologue *a,
                                          const struct landing_pad *landing_pad, struct state *out)
{
    struct thrower thrower = {.prologue = a, .landing_pad = landing_pad, .out = out};

    prologue_visit_from(a, landing_pad->start_vaddr, take_call, &thrower);
    return thrower.found ? STATUS_OK : STATUS_NOT_FOUND;
}
