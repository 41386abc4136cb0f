/* SPDX-License-Identifier: MIT */
#include "unwind/prologue/prologue.h"

#include <stdlib.h>

#include "base/vec.h"
#include "unwind/prologue/prologue_walk.h"

/* Memory of larger analyses is not pooled. */
#define POOLED_NODES_MAX  16384
#define POOLED_STATES_MAX 1024

static void todo_push(struct prologue *a, uint32_t item)
{
    if (vec_reserve(&a->todo, &a->todo_cap, a->todo_count + 1, sizeof(*a->todo)) != STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    a->todo[a->todo_count++] = item;
}

void prologue_queue(struct prologue *a, struct node *node)
{
    if (node->queued)
        return;
    node->queued = true;
    todo_push(a, (uint32_t)(node - a->nodes));
}

static bool same_depth(const struct prologue *a, const struct state *x, const struct state *y)
{
    return value_equal(&x->regs[a->arch->sp], &y->regs[a->arch->sp]);
}

/* Merges `state` into the one kept at `node`, or keeps it as the first. */
static void arrive(struct prologue *a, struct node *node, const struct state *state)
{
    if (a->guessing && node->reached)
        return; /* guesses do not change known states */
    if (node->state >= 0) {
        if (state_merge(a->states.items[node->state], state, a->arch))
            prologue_queue(a, node);
        return;
    }
    if (a->states.count >= STATES_MAX) {
        a->failed = STATUS_UNSUPPORTED;
        return;
    }
    node->state = (int32_t)a->states.count;
    if (states_add(&a->states, state) != STATUS_OK) {
        node->state = -1;
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    prologue_queue(a, node);
}

/*
 * Enters a subroutine inside the function (hand-written code has such, under one FDE), like a
 * function: its caller is this one.
 */
static void arrive_called(struct prologue *a, const struct code_insn *call, struct node *target)
{
    struct state entry;

    state_init_entry(&entry, a->arch);
    if (call->jump_reg != REG_NONE)
        entry.link = call->jump_reg;
    arrive(a, target, &entry);
}

void prologue_push_pc(const struct prologue *a, const struct node *target, struct state *state)
{
    const struct arch *arch = a->arch;
    const struct op push[] = {
        {.kind = OP_ADD, .dst = arch->sp, .src = arch->sp, .imm = -(int64_t)arch->word_size},
        {.kind = OP_CONST, .dst = REG_TEMP, .imm = (int64_t)node_insn(a, target)->vaddr},
        {.kind = OP_STORE, .dst = arch->sp, .src = REG_TEMP, .size = arch->word_size}};

    state_execute(state, arch, push, 3, 0);
}

static void arrive_behind(struct prologue *a, struct node *target, struct state *state)
{
    prologue_push_pc(a, target, state);
    arrive(a, target, state);
}

static void note_return(struct prologue *a, struct node *node, const struct state *state)
{
    if (node->pending >= 0) {
        (void)state_merge(&a->returned[node->pending].state, state, a->arch);
        return;
    }
    if (a->returned_count >= STATES_MAX) {
        a->failed = STATUS_UNSUPPORTED;
        return;
    }
    if (vec_reserve(&a->returned, &a->returned_cap, a->returned_count + 1, sizeof(*a->returned)) !=
        STATUS_OK) {
        a->failed = STATUS_NO_MEMORY;
        return;
    }
    node->pending = (int32_t)a->returned_count;
    a->returned[a->returned_count].index = (uint32_t)(node - a->nodes);
    state_copy(&a->returned[a->returned_count++].state, state);
}

/*
 * Takes the state behind a call, which may not return, after those of jumps to that place: it
 * counts if it has the same stack depth, or one that is no longer known, or if no other came.
 */
static void arrive_returned(struct prologue *a)
{
    const struct returned *last = &a->returned[--a->returned_count];
    struct node *node = &a->nodes[last->index];
    struct state state;

    state_copy(&state, &last->state);
    node->pending = -1;
    if (node->state < 0 || state.regs[a->arch->sp].kind == VALUE_UNKNOWN ||
        same_depth(a, a->states.items[node->state], &state))
        arrive(a, node, &state);
}

/* Landing pads are entered after all calls that are reached without them. */
static void arrive_thrown(struct prologue *a)
{
    const struct returned *last = &a->thrown[--a->thrown_count];
    struct node *node = &a->nodes[last->index];
    struct state state;

    state_copy(&state, &last->state);
    node->thrown = -1;
    if (node->state < 0 || !prologue_is_deeper(a, &state, a->states.items[node->state]))
        arrive(a, node, &state);
}

/* Merges the state into the class of its stack depth. */
static void note_class(struct prologue *a, struct classes *classes, const struct state *state)
{
    classes->total++;
    for (unsigned i = 0; i < classes->count; i++)
        if (same_depth(a, &classes->items[i].state, state)) {
            classes->items[i].count++;
            (void)state_merge(&classes->items[i].state, state, a->arch);
            return;
        }
    if (classes->count >= CLASSES_MAX)
        return;
    state_copy(&classes->items[classes->count].state, state);
    classes->items[classes->count++].count = 1;
}

/* Hands the state on to the cases of the jump table; without a table notes it for guesses. */
static void run_indirect(struct prologue *a, uint32_t index, const struct state *after)
{
    uint8_t jump_reg = node_insn(a, &a->nodes[index])->jump_reg;
    const struct table *table;

    if (jump_reg == REG_NONE || !prologue_resolve_table(a, index, jump_reg, after)) {
        const struct value *target = jump_reg == REG_NONE ? NULL : &after->regs[jump_reg];
        bool through_table =
            target && (target->kind == VALUE_TABLE || target->kind == VALUE_ELEMENT);

        /* Without a frame, a jump through no table is a tail call. */
        note_class(a,
                   through_table || !state_at_entry_depth(after, a->arch) ? &a->indirect : &a->left,
                   after);
        return;
    }
    table = &a->tables[a->nodes[index].table];
    if (table->value.kind == VALUE_STRIDE) /* not all of its cases may be known */
        note_class(a, &a->indirect, after);
    for (uint32_t i = 0; i < table->case_count; i++) {
        struct node *target = prologue_node_at(a, a->cases[table->first_case + i].vaddr);

        if (target)
            arrive(a, target, after);
    }
}

/* gcc uses a saved LR as any register, also to jump through a table (bx lr). */
static bool is_table_return(const struct code_insn *insn, const struct state *after)
{
    return insn->flow == FLOW_RETURN && insn->jump_reg != REG_NONE &&
           after->regs[insn->jump_reg].kind == VALUE_TABLE;
}

/* Is LR's entry value in a slot at or above SP, which nothing has popped? */
static bool keeps_saved_lr(const struct prologue *a, const struct state *state)
{
    const struct value *sp = &state->regs[a->arch->sp];

    for (unsigned i = 0; a->arch->lr != REG_NONE && i < state->slot_count; i++) {
        const struct slot *slot = &state->slots[i];

        if (slot->addr.kind == VALUE_ENTRY && slot->addr.k >= sp->k &&
            slot->value.kind == VALUE_ENTRY && slot->value.reg == a->arch->lr)
            return true;
    }
    return false;
}

/* Notes that a state has come to a jump that may leave the function. */
static void note_leap(struct prologue *a, const struct code_insn *insn, const struct state *state)
{
    const struct value *sp = &state->regs[a->arch->sp];

    for (size_t i = 0; i < a->leap_count; i++) {
        struct leap *leap = &a->leaps[i];

        if (node_insn(a, &a->nodes[leap->node]) != insn)
            continue;
        leap->reached = true;
        leap->in_frame = !state_at_entry_depth(state, a->arch) || keeps_saved_lr(a, state);
        leap->torn_down = false;
        for (unsigned k = 0; k < state->slot_count; k++)
            leap->torn_down = leap->torn_down || (state->slots[k].addr.kind == VALUE_ENTRY &&
                                                  state->slots[k].addr.k < sp->k);
        return;
    }
}

/*
 * Does a jump with a frame lead to the function's start? No function does that: the code is another
 * function's, which begins behind a call that does not return and has no frame.
 */
static bool starts_with_frame(const struct prologue *a, const struct node *target,
                              const struct state *state)
{
    return !a->in.not_entered && node_insn(a, target)->vaddr == a->in.start_vaddr &&
           !state_at_entry_depth(state, a->arch);
}

/* Hands the state on to the target of the instruction. */
static void run_jump(struct prologue *a, const struct code_insn *insn, const struct op *compare,
                     struct state *state)
{
    struct state taken;
    struct node *target;
    uint64_t vaddr;

    if (!prologue_inner_target(a, insn, &vaddr))
        return;
    target = prologue_node_at(a, vaddr);
    if (!target) {
        note_leap(a, insn, state);
        return;
    }
    if (insn->flow == FLOW_CALL && !prologue_is_far_jump(a, insn)) {
        if (!code_reads_pc(a->in.code, insn)) {
            arrive_called(a, insn, target);
        } else {
            state_copy(&taken, state);
            arrive_behind(a, target, &taken);
        }
    } else if (insn->equal == EQUAL_TAKEN && compare->kind == OP_COMPARE_REG) {
        state_copy(&taken, state);
        if (walk_make_equal(compare, &taken))
            arrive(a, target, &taken);
    } else if (!starts_with_frame(a, target, state)) {
        arrive(a, target, state);
    }
}

/* Runs one instruction of a block; false: the block ends. */
static bool run_instruction(struct prologue *a, struct path_walk *walk, uint32_t index)
{
    const struct code_insn *insn = node_insn(a, &a->nodes[index]);
    unsigned path = walk_enter(walk, insn, a->arch);
    struct op compare = walk_compared(a, walk, insn);

    walk_execute(a, walk, &a->nodes[index], path);
    insn = node_insn(a, &a->nodes[index]); /* decoding may have moved it */
    if (insn->flow == FLOW_INDIRECT || is_table_return(insn, &walk->paths[path])) {
        run_indirect(a, index, &walk->paths[path]);
        insn = node_insn(a, &a->nodes[index]);
    } else if (insn->flow == FLOW_CALL && !prologue_is_far_jump(a, insn)) {
        note_class(a, &a->called, &walk->paths[path]);
        prologue_throw(a, index, &walk->paths[path]);
        insn = node_insn(a, &a->nodes[index]);
    }
    if (insn->has_target)
        run_jump(a, insn, &compare, &walk->paths[path]);
    walk_jumped(walk, insn, path);
    if (insn->equal == EQUAL_FALLS && !walk_make_equal(&compare, &walk->paths[path]))
        walk->ended[path] = true;
    return walk_leave(walk, insn, a->arch);
}

/* Runs a block from its leader, and hands the states on. */
static void run_block(struct prologue *a, uint32_t index)
{
    bool returned = false; /* behind a call, perhaps with padding between */
    const uint32_t block = index;
    struct path_walk walk;

    walk_begin(&walk, a->states.items[a->nodes[index].state]);
    for (;;) {
        const struct code_insn *insn;
        struct node *next;

        if (++a->steps > STEPS_MAX) {
            a->failed = STATUS_UNSUPPORTED;
            return;
        }
        if (!a->guessing) {
            a->nodes[index].reached = true;
            a->nodes[index].block = block;
        }
        if (!run_instruction(a, &walk, index))
            return;
        insn = node_insn(a, &a->nodes[index]);
        next = prologue_node_behind(a, &a->nodes[index]);
        if (!next)
            return;
        if (code_reads_pc(a->in.code, insn))
            return; /* arrive_behind has handed the state on */
        returned = insn->flow == FLOW_CALL || (returned && insn->padding);
        if (next->leader) {
            walk_join(&walk, a->arch);
            if (returned)
                note_return(a, next, &walk.paths[0]);
            else
                arrive(a, next, &walk.paths[0]);
            return;
        }
        if (a->guessing && next->reached)
            return;
        index = (uint32_t)(next - a->nodes);
    }
}

static void propagate(struct prologue *a)
{
    while ((a->todo_count > 0 || a->thrown_count > 0 || a->returned_count > 0) &&
           a->failed == STATUS_OK) {
        uint32_t index;

        if (a->todo_count == 0) {
            if (a->thrown_count > 0)
                arrive_thrown(a);
            else
                arrive_returned(a);
            continue;
        }
        index = a->todo[--a->todo_count];
        a->nodes[index].queued = false;
        run_block(a, index);
    }
}

/* Runs all queued blocks, and the leaps that stay in the function. */
static void follow(struct prologue *a)
{
    do
        propagate(a);
    while (a->failed == STATUS_OK && prologue_resolve_leaps(a));
}

static void enter(struct prologue *a)
{
    struct node *node = prologue_node_at(a, a->in.start_vaddr);
    bool entered = !a->in.not_entered && node;
    struct state entry;

    (void)prologue_entry_state(a, a->in.start_vaddr, &entry);
    if (a->is_handler)
        entry.link = a->arch->trap_pc;
    if (entered) {
        arrive(a, node, &entry);
        for (size_t i = 0; i < a->in.arrival_count; i++)
            if (a->in.arrivals[i].vaddr == a->in.start_vaddr)
                arrive(a, node, &a->in.arrivals[i].state);
        follow(a);
    }
    /* Its own states are better than those from analyses of other functions. */
    a->guessing = entered;
    for (size_t i = 0; i < a->in.arrival_count && a->failed == STATUS_OK; i++) {
        node = prologue_node_at(a, a->in.arrivals[i].vaddr);
        if (node && node->leader)
            arrive(a, node, &a->in.arrivals[i].state);
    }
    follow(a);
    a->guessing = false;
}

static void forget_classes(struct prologue *a)
{
    a->indirect.count = a->indirect.total = 0;
    a->called.count = a->called.total = 0;
    a->left.count = a->left.total = 0;
}

static void forget_states(struct prologue *a)
{
    for (size_t i = 0; i < a->node_count; i++) {
        a->nodes[i].state = a->nodes[i].pending = a->nodes[i].thrown = -1;
        a->nodes[i].reached = a->nodes[i].queued = false;
    }
    states_clear(&a->states);
    a->returned_count = a->thrown_count = a->todo_count = 0;
    forget_classes(a);
}

/* Does the function return from an exception anywhere? */
static bool returns_to_trap(const struct prologue *a)
{
    for (size_t i = 0; i < a->node_count; i++) {
        const struct code_insn *insn = node_insn(a, &a->nodes[i]);

        if (insn->flow == FLOW_RETURN && insn->jump_reg == a->arch->trap_pc)
            return true;
    }
    return false;
}

/*
 * Runs the function from its entries. Jump tables, which are found meanwhile, may bring paths to
 * places behind calls that were thought to return: then runs it again, with all paths known.
 */
static void run_entered(struct prologue *a)
{
    size_t nodes;

    prologue_discover_entered(a);
    a->is_vector = a->arch->trap_pc != REG_NONE && prologue_is_vector(a);
    a->is_handler =
        a->is_vector || a->in.is_trap_entry || (a->arch->trap_pc != REG_NONE && returns_to_trap(a));
    nodes = a->node_count;
    enter(a);
    if (a->failed != STATUS_OK || (a->node_count == nodes && a->case_count == 0))
        return;
    forget_states(a);
    enter(a);
}

/*
 * Runs unreached code from guessed states: cases of jump tables, else landing pads, which have the
 * frame of a call.
 */
static void fill_gaps(struct prologue *a)
{
    prologue_discover_gaps(a);
    prologue_mark_leaders(a);
    a->guessing = true;
    for (size_t i = 0; i < a->node_count && a->failed == STATUS_OK; i++) {
        struct node *node = &a->nodes[i];
        struct state state;

        if (!node->gap || node->state >= 0 || !prologue_guess_for_gap(a, node, &state))
            continue;
        arrive(a, node, &state);
        propagate(a);
    }
    a->guessing = false;
}

static void release(struct prologue *a)
{
    free(a->nodes);
    states_deinit(&a->states);
    free(a->todo);
    free(a->places);
    free(a->returned);
    free(a->thrown);
    free(a->tables);
    free(a->cases);
    free(a->outer);
    free(a->leaps);
    free(a->data);
    free(a->data_bits);
    free(a->order);
    free(a);
}

void prologue_destroy(struct prologue *a)
{
    struct prologue_pool *pool = a ? a->in.pool : NULL;

    if (pool && pool->count < PROLOGUE_POOL_MAX && a->node_cap <= POOLED_NODES_MAX &&
        a->states.cap <= POOLED_STATES_MAX && a->returned_cap <= POOLED_STATES_MAX &&
        a->thrown_cap <= POOLED_STATES_MAX && a->case_cap + a->outer_cap <= POOLED_NODES_MAX)
        pool->items[pool->count++] = a;
    else if (a)
        release(a);
}

void prologue_pool_deinit(struct prologue_pool *pool)
{
    while (pool->count > 0)
        release(pool->items[--pool->count]);
}

/* Returns memory for an analysis, from the pool if there is any. */
static struct prologue *allocate(struct prologue_pool *pool)
{
    struct prologue *a = pool && pool->count > 0 ? pool->items[--pool->count] : NULL;

    if (!a)
        return calloc(1, sizeof(*a));
    states_clear(&a->states);
    a->node_count = a->todo_count = a->place_count = a->returned_count = a->thrown_count = 0;
    a->table_count = a->case_count = a->outer_count = a->leap_count = 0;
    a->data_count = a->data_bits_size = a->order_count = 0;
    a->marked_nodes = a->marked_cases = a->ended_nodes = 0;
    a->taken_bytes = 0;
    a->steps = 0;
    a->guessing = false;
    a->failed = STATUS_OK;
    forget_classes(a);
    return a;
}

enum status prologue_create(const struct prologue_input *input, struct prologue **out)
{
    struct prologue *a;

    if (input->end_vaddr <= input->start_vaddr ||
        input->end_vaddr - input->start_vaddr > PROLOGUE_FUNCTION_MAX ||
        input->end_vaddr > UINT64_MAX - 0xffff) /* sums of addresses would wrap */
        return STATUS_UNSUPPORTED;
    a = allocate(input->pool);
    if (!a)
        return STATUS_NO_MEMORY;
    a->in = *input;
    a->arch = input->code->arch;
    a->walk = code_new_walk(input->code);
    a->replaced = input->code->replaced;
    a->far_jump = code_far_jump(a->in.code, a->in.start_vaddr, a->in.mode);
    run_entered(a);
    if (!a->in.reached_only && a->failed == STATUS_OK)
        fill_gaps(a);
    if (a->failed == STATUS_OK)
        prologue_make_order(a);
    if (a->failed != STATUS_OK) {
        enum status status = a->failed;

        prologue_destroy(a);
        return status;
    }
    a->in.arrivals = NULL;
    a->in.arrival_count = 0;
    a->in.landing_pads = NULL;
    a->in.landing_pad_count = 0;
    *out = a;
    return STATUS_OK;
}
