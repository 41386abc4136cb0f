/* SPDX-License-Identifier: MIT */
#include "unwind/prologue/prologue_explain.h"

#include "unwind/prologue/prologue_walk.h"

struct explainer {
    struct prologue *a;
    const struct explain_watch *watch;
    struct node_walk nodes;
    struct state before, after;
    bool guessed;  /* the state follows from a guess */
    bool returned; /* the last instruction is a call, or padding behind one */
};

static void tell_way(const struct explainer *e, enum way_kind kind, uint64_t from_vaddr,
                     const struct node *target, const struct state *state)
{
    const struct prologue *a = e->a;
    struct explained_way way = {.kind = kind, .from_vaddr = from_vaddr};
    struct state merged;

    if (!e->watch->way || !target || target->state < 0)
        return;
    way.kept = a->states.items[target->state];
    state_copy(&merged, way.kept);
    way.to_vaddr = node_insn(a, target)->vaddr;
    way.state = state;
    way.left_out = state_merge(&merged, state, a->arch);
    e->watch->way(e->watch->context, &way);
}

static void tell_entries(const struct explainer *e, const struct explain_entries *entries)
{
    const struct prologue *a = e->a;
    struct state entry;

    state_init_entry(&entry, a->arch);
    if (!a->in.not_entered)
        tell_way(e, WAY_CALLERS, 0, prologue_node_at(a, a->in.start_vaddr), &entry);
    for (size_t i = 0; i < entries->arrival_count; i++)
        tell_way(e, WAY_OUTSIDE, entries->arrivals[i].source_vaddr,
                 prologue_node_at(a, entries->arrivals[i].vaddr), &entries->arrivals[i].state);
}

/* Reports the guesses at the begin of unreached code. */
static void tell_guesses(const struct explainer *e)
{
    const struct prologue *a = e->a;

    for (size_t i = 0; i < a->node_count; i++)
        if (a->nodes[i].gap && a->nodes[i].state >= 0 && !a->nodes[i].reached)
            tell_way(e, WAY_GUESS, 0, &a->nodes[i], a->states.items[a->nodes[i].state]);
}

static void tell_cases(const struct explainer *e, uint64_t from_vaddr, const struct node *node,
                       const struct state *state)
{
    const struct prologue *a = e->a;
    const struct table *table = &a->tables[node->table];

    for (uint32_t i = 0; i < table->case_count; i++)
        tell_way(e, WAY_CASE, from_vaddr,
                 prologue_node_at(a, a->cases[table->first_case + i].vaddr), state);
}

static void tell_thrown(const struct explainer *e, const struct explained_insn *it,
                        const struct state *state)
{
    const struct prologue *a = e->a;
    const struct landing_pad *pad = prologue_find_landing_pad(a, it->insn->vaddr + it->insn->size);
    struct state thrown;

    if (!pad)
        return;
    state_copy(&thrown, state);
    prologue_throw_from(a, &thrown, (int64_t)pad->popped - it->callee.pops);
    tell_way(e, WAY_THROW, it->insn->vaddr, prologue_node_at(a, pad->landing_pad_vaddr), &thrown);
}

/* Reports the states that the instruction hands on by jumping, as run_jump of prologue.c. */
static void tell_jump(const struct explainer *e, const struct code_insn *insn,
                      const struct op *compare, const struct state *state)
{
    const struct prologue *a = e->a;
    enum way_kind kind = WAY_JUMP;
    const struct node *target;
    struct state taken;
    uint64_t vaddr;

    if (!prologue_inner_target(a, insn, &vaddr) || !(target = prologue_node_at(a, vaddr)))
        return;
    state_copy(&taken, state);
    if (insn->flow == FLOW_CALL && code_reads_pc(a->in.code, insn)) {
        prologue_push_pc(a, target, &taken);
    } else if (insn->flow == FLOW_CALL) {
        state_init_entry(&taken, a->arch);
        if (insn->jump_reg != REG_NONE)
            taken.link = insn->jump_reg;
        kind = WAY_CALLED;
    } else if (insn->equal == EQUAL_TAKEN && compare->kind == OP_COMPARE_REG &&
               !walk_make_equal(compare, &taken)) {
        return;
    }
    tell_way(e, kind, insn->vaddr, target, &taken);
}

static void tell_next(struct explainer *e, const struct node *node, const struct explained_insn *it)
{
    const struct prologue *a = e->a;
    const struct node *next = prologue_node_behind(a, node);
    struct path_walk *walk = &e->nodes.walk;

    e->returned = it->insn->flow == FLOW_CALL || (e->returned && it->insn->padding);
    if (!e->nodes.valid || !next || !next->leader || code_reads_pc(a->in.code, it->insn))
        return;
    walk_join(walk, a->arch);
    tell_way(e, e->returned ? WAY_RETURN : WAY_NEXT, it->insn->vaddr, next, &walk->paths[0]);
}

/* Executes an instruction that a path leads to, and reports where its state goes. */
static void follow_insn(struct explainer *e, const struct node *node, unsigned path,
                        struct explained_insn *it)
{
    const struct prologue *a = e->a;
    const struct op compare = walk_compared(a, &e->nodes.walk, it->insn);

    walk_execute(a, &e->nodes.walk, node, path);
    it->insn = node_insn(a, node); /* decoding may have moved it */
    it->ops = code_ops(a->in.code, it->insn);
    state_copy(&e->after, &e->nodes.walk.paths[path]);
    it->before = &e->before;
    it->after = &e->after;
    if (node->table >= 0)
        tell_cases(e, it->insn->vaddr, node, &e->after);
    if (it->insn->flow == FLOW_CALL)
        tell_thrown(e, it, &e->after);
    if (it->insn->has_target)
        tell_jump(e, it->insn, &compare, &e->after);
    node_walk_leave(&e->nodes, a, it->insn, path, &compare);
    tell_next(e, node, it);
}

static void explain_node(struct explainer *e, const struct node *node)
{
    const struct prologue *a = e->a;
    struct explained_insn it = {.insn = node_insn(a, node),
                                .joins = node->state >= 0,
                                .goes_on = node->falls_through,
                                .padding = node->padding,
                                .callee = {.pc_reg = REG_NONE}};
    const struct state *state;
    struct state merged;
    unsigned path = 0;

    if (it.insn->flow == FLOW_CALL)
        prologue_callee(a, node, &it.callee); /* may decode, which moves the instruction */
    it.insn = node_insn(a, node);
    it.ops = code_ops(a->in.code, it.insn);
    it.goes_on = it.goes_on || it.insn->predicate;
    it.case_count = node->table >= 0 ? a->tables[node->table].case_count : 0;
    state = node_walk_enter(&e->nodes, a, node, it.insn, &path, &merged);
    if (node->state >= 0)
        e->guessed = !node->reached;
    it.guessed = e->guessed;
    if (state) {
        state_copy(&e->before, state);
        follow_insn(e, node, path, &it);
    } else {
        e->returned = false;
    }
    if (e->watch->insn)
        e->watch->insn(e->watch->context, &it);
}

void prologue_explain(struct prologue *a, const struct explain_entries *entries,
                      const struct explain_watch *watch)
{
    struct explainer e;

    e.a = a;
    e.watch = watch;
    e.nodes.next_vaddr = 0;
    e.nodes.valid = e.guessed = e.returned = false;
    a->in.landing_pads = entries->landing_pads;
    a->in.landing_pad_count = entries->landing_pad_count;
    tell_entries(&e, entries);
    tell_guesses(&e);
    for (size_t i = 0; i < a->order_count; i++)
        explain_node(&e, &a->nodes[a->order[i]]);
    a->in.landing_pads = NULL;
    a->in.landing_pad_count = 0;
}
