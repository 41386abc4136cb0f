/* SPDX-License-Identifier: MIT */
/* Reports the results of an analysis: its instructions with their states, its rows. */
#include "unwind/prologue/prologue_explain.h"
#include "unwind/prologue/prologue_rows.h"
#include "base/search.h"
#include "unwind/prologue/prologue_walk.h"

/* One instruction and the state before it, as prologue_visit_fn. */
typedef bool visit_node_fn(void *context, const struct node *node, const struct code_insn *insn,
                           const struct state *state);

/* Reports the instructions from number `first` on, in address order. */
static void visit_nodes(const struct prologue *a, size_t first, visit_node_fn *visit, void *context)
{
    struct node_walk nodes;
    struct state merged;

    nodes.next_vaddr = 0;
    nodes.valid = false;
    for (size_t i = first; i < a->order_count; i++) {
        const struct node *node = &a->nodes[a->order[i]];
        const struct code_insn *insn = node_insn(a, node);
        unsigned path = 0;
        const struct state *state = node_walk_enter(&nodes, a, node, insn, &path, &merged);
        struct op compare;

        if (!visit(context, node, insn, state))
            return;
        if (!nodes.valid)
            continue;
        compare = walk_compared(a, &nodes.walk, insn);
        walk_execute(a, &nodes.walk, node, path);
        /* decoding may have moved it */
        node_walk_leave(&nodes, a, node_insn(a, node), path, &compare);
    }
}

struct visitor {
    prologue_visit_fn *visit;
    void *context;
    bool guessed; /* of the current block */
};

static bool visit_node(void *context, const struct node *node, const struct code_insn *insn,
                       const struct state *state)
{
    struct visitor *visitor = context;

    if (node->state >= 0)
        visitor->guessed = !node->reached;
    return visitor->visit(visitor->context, insn, state, visitor->guessed);
}

/* Returns the number of the last instruction with a kept state at or before `vaddr`. */
static size_t block_before(const struct prologue *a, uint64_t vaddr)
{
    size_t at =
        SEARCH_FIRST(i, 0, a->order_count, node_insn(a, &a->nodes[a->order[i]])->vaddr <= vaddr);

    while (at > 0 && a->nodes[a->order[--at]].state < 0)
        ;
    return at;
}

void prologue_visit_from(const struct prologue *a, uint64_t vaddr, prologue_visit_fn *visit,
                         void *context)
{
    struct visitor visitor = {.visit = visit, .context = context};

    visit_nodes(a, block_before(a, vaddr), visit_node, &visitor);
}

void prologue_visit(const struct prologue *a, prologue_visit_fn *visit, void *context)
{
    struct visitor visitor = {.visit = visit, .context = context};

    visit_nodes(a, 0, visit_node, &visitor);
}

void prologue_visit_data(const struct prologue *a, prologue_data_visit_fn *visit, void *context)
{
    for (size_t i = 0; i < a->data_count; i++)
        visit(context, a->data[i].start_vaddr, a->data[i].end_vaddr);
}

size_t prologue_size(const struct prologue *a)
{
    return a->node_count;
}

bool prologue_reaches(const struct prologue *a, uint64_t vaddr)
{
    return prologue_node_at(a, vaddr) != NULL;
}

bool prologue_goes_on(const struct prologue *a, const struct code_insn *insn)
{
    const struct node *node = prologue_node_at(a, insn->vaddr);

    return node && (node->falls_through || insn->predicate);
}

bool prologue_goes_anywhere(const struct prologue *a, const struct code_insn *insn)
{
    const struct node *node = prologue_node_at(a, insn->vaddr);

    return insn->flow == FLOW_INDIRECT && (!node || node->table < 0);
}

void prologue_execute(const struct prologue *a, const struct code_insn *insn, struct state *state)
{
    walk_effect(a, insn, state);
}

struct row_maker {
    const struct prologue *a;
    struct row_table *out;
    bool dynamic;
    struct row row;     /* being made; empty: none yet */
    struct state state; /* from which `row` was made */
    uint64_t written;   /* registers that the last instruction may have changed */
    bool stored;        /* it may have changed slots */
    enum status status;
};

/* Notes what the instruction may change of the registers and slots in rows. */
static void note_writes(struct row_maker *maker, const struct code_insn *insn)
{
    const struct op *ops = code_ops(maker->a->in.code, insn);

    maker->written = 0;
    maker->stored = false;
    if (insn->flow == FLOW_CALL || insn->predicate || insn->equal == EQUAL_FALLS ||
        maker->a->is_handler) { /* it may switch to another frame */
        maker->written = UINT64_MAX;
        maker->stored = true;
        return;
    }
    for (unsigned i = 0; i < insn->op_count; i++) {
        if (ops[i].kind == OP_CLOBBER)
            maker->written |= ops[i].mask;
        else if (ops[i].kind == OP_STORE)
            maker->stored = true;
        else if (ops[i].dst < OP_REG_MAX)
            maker->written |= UINT64_C(1) << ops[i].dst;
    }
    /* Another SP forgets slots below it. */
    maker->stored = maker->stored || (maker->written >> maker->a->arch->sp & 1);
}

/* Does the state make the row of maker->state? */
static bool is_same_row(const struct row_maker *maker, const struct node *node,
                        const struct state *state)
{
    bool joined = node->state >= 0;

    return state_same_row(state, &maker->state, maker->a->arch,
                          joined ? UINT64_MAX : maker->written, joined || maker->stored);
}

static bool is_begun(const struct row *row)
{
    return row->end_vaddr > row->start_vaddr;
}

/* Adds the row that is being made. */
static void flush(struct row_maker *maker)
{
    if (is_begun(&maker->row) && maker->status == STATUS_OK)
        maker->status = row_table_add(maker->out, &maker->row);
}

static bool make_row(void *context, const struct node *node, const struct code_insn *insn,
                     const struct state *state)
{
    struct row_maker *maker = context;
    uint64_t start_vaddr = insn->vaddr - node->padding, end_vaddr = insn->vaddr + insn->size;
    bool follows = is_begun(&maker->row) && maker->row.end_vaddr == start_vaddr;
    struct row row;

    if (!state)
        return true;
    if (follows && is_same_row(maker, node, state)) {
        maker->row.end_vaddr = end_vaddr;
        note_writes(maker, insn);
        return true;
    }
    note_writes(maker, insn);
    state_copy(&maker->state, state);
    row_init(&row, start_vaddr, end_vaddr, TRUST_PROLOGUE);
    state_to_row(state, maker->a->arch, maker->dynamic, &row);
    if (follows && row_same_rules(&maker->row, &row)) {
        maker->row.end_vaddr = end_vaddr;
        return true;
    }
    flush(maker);
    maker->row = row;
    return maker->status == STATUS_OK;
}

bool prologue_is_dynamic(const struct prologue *a)
{
    for (size_t i = 0; i < a->states.count; i++) {
        const struct value *fp = &a->states.items[i]->regs[a->arch->fp];

        if (a->states.items[i]->regs[a->arch->sp].kind == VALUE_UNKNOWN &&
            fp->kind == VALUE_ENTRY && fp->reg == a->arch->sp)
            return true;
    }
    return false;
}

enum status prologue_rows(const struct prologue *a, struct row_table *out)
{
    struct row_maker maker;

    *out = (struct row_table){0};
    maker.a = a;
    maker.out = out;
    maker.dynamic = prologue_is_dynamic(a);
    maker.status = STATUS_OK;
    row_init(&maker.row, 0, 0, TRUST_PROLOGUE);
    visit_nodes(a, 0, make_row, &maker);
    flush(&maker);
    if (maker.status != STATUS_OK)
        row_table_deinit(out);
    else
        row_table_trim(out);
    return maker.status;
}

struct jump_finder {
    uint64_t vaddr, target_vaddr;
    struct state *out;
    bool found;
};

static bool find_jump(void *context, const struct node *node, const struct code_insn *insn,
                      const struct state *state)
{
    struct jump_finder *finder = context;

    (void)node;
    if (insn->vaddr < finder->vaddr)
        return true;
    if (state && insn->vaddr == finder->vaddr && insn->has_target &&
        insn->target_vaddr == finder->target_vaddr &&
        (insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH)) {
        state_copy(finder->out, state);
        finder->found = true;
    }
    return false;
}

enum status prologue_state_at_jump(const struct prologue *a, uint64_t vaddr, uint64_t target_vaddr,
                                   struct state *out)
{
    struct jump_finder finder = {.vaddr = vaddr, .target_vaddr = target_vaddr, .out = out};

    visit_nodes(a, block_before(a, vaddr), find_jump, &finder);
    return finder.found ? STATUS_OK : STATUS_NOT_FOUND;
}

struct case_finder {
    const struct prologue *prologue;
    uint64_t start_vaddr, end_vaddr;
    struct prologue_arrival *out;
    size_t count, max;
};

static bool take_cases(void *context, const struct code_insn *insn, const struct state *state,
                       bool guessed)
{
    struct case_finder *f = context;
    const struct prologue *a = f->prologue;

    if (insn->flow != FLOW_INDIRECT || !state || guessed)
        return true;
    for (size_t i = 0; i < a->outer_count && f->count < f->max; i++) {
        if (a->outer[i].insn_vaddr != insn->vaddr || a->outer[i].vaddr < f->start_vaddr ||
            a->outer[i].vaddr >= f->end_vaddr)
            continue;
        f->out[f->count].vaddr = a->outer[i].vaddr;
        f->out[f->count].source_vaddr = insn->vaddr;
        state_copy(&f->out[f->count].state, state);
        walk_effect(a, insn, &f->out[f->count++].state);
    }
    return f->count < f->max;
}

size_t prologue_outer_cases(const struct prologue *a, uint64_t start_vaddr, uint64_t end_vaddr,
                            struct prologue_arrival *out, size_t max)
{
    struct case_finder finder = {
        .prologue = a, .start_vaddr = start_vaddr, .end_vaddr = end_vaddr, .out = out, .max = max};

    if (a->outer_count > 0 && max > 0)
        prologue_visit(a, take_cases, &finder);
    return finder.count;
}
