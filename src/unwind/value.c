#include "unwind/value.h"

#include <string.h>

static const struct value unknown = {.kind = VALUE_UNKNOWN};

bool value_equal(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind)
        return false;
    switch ((enum value_kind)a->kind) {
    case VALUE_UNKNOWN:
        return true;
    case VALUE_CONST:
        return a->k == b->k;
    case VALUE_ENTRY:
        return a->reg == b->reg && a->k == b->k;
    case VALUE_FRAME:
        return a->base == b->base && a->k == b->k;
    }
    return false;
}

static struct value add_const(const struct value *value, int64_t k)
{
    struct value sum = *value;

    if (value->kind == VALUE_UNKNOWN)
        return unknown;
    sum.k = (int64_t)((uint64_t)sum.k + (uint64_t)k);
    return sum;
}

/* a minus b, both from immediate operands and so of any size: wraps like the machine's arithmetic. */
static uint64_t distance(int64_t a, int64_t b)
{
    return (uint64_t)a - (uint64_t)b;
}

static bool is_frame_address(const struct value *value, const struct arch *arch)
{
    return value->kind == VALUE_FRAME || (value->kind == VALUE_ENTRY && value->reg == arch->sp);
}

static bool same_base(const struct value *a, const struct value *b)
{
    return a->kind == b->kind && (a->kind == VALUE_FRAME ? a->base == b->base : a->reg == b->reg);
}

void state_init_entry(struct state *state, const struct arch *arch)
{
    memset(state, 0, sizeof(*state));
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        state->regs[reg] = (struct value){.kind = VALUE_ENTRY, .reg = (uint8_t)reg};
    state->regs[arch->pc] = unknown;
    if (arch->lr == REG_NONE) {
        state->slots[0] = (struct slot){.addr = {.kind = VALUE_ENTRY, .reg = arch->sp},
                                        .value = {.kind = VALUE_ENTRY, .reg = arch->pc}};
        state->slot_count = 1;
    }
}

const struct value *state_load(const struct state *state, const struct value *addr)
{
    for (unsigned i = 0; i < state->slot_count; i++)
        if (value_equal(&state->slots[i].addr, addr))
            return &state->slots[i].value;
    return NULL;
}

static void remove_slot(struct state *state, unsigned index)
{
    state->slots[index] = state->slots[--state->slot_count];
}

/* Forgets the words that [addr, addr + size) touches. */
static void forget_memory(struct state *state, const struct arch *arch, const struct value *addr,
                          unsigned size)
{
    for (unsigned i = state->slot_count; i-- > 0;) {
        const struct value *slot = &state->slots[i].addr;

        if (same_base(slot, addr) &&
            (distance(slot->k, addr->k) < size || distance(addr->k, slot->k) < arch->word_size))
            remove_slot(state, i);
    }
}

/* Constants and unknown values are of no use in the frame area. */
static bool worth_keeping(const struct value *value)
{
    return value->kind == VALUE_ENTRY || value->kind == VALUE_FRAME;
}

static void store(struct state *state, const struct arch *arch, const struct op *op)
{
    struct value addr = add_const(&state->regs[op->dst], op->imm);
    const struct value *value = op->src == REG_NONE ? &unknown : &state->regs[op->src];

    /* An address that is not known is taken not to be that of a saved register. */
    if (!is_frame_address(&addr, arch))
        return;
    forget_memory(state, arch, &addr, op->size);
    if (op->size == arch->word_size && worth_keeping(value) && state->slot_count < STATE_SLOTS_MAX)
        state->slots[state->slot_count++] = (struct slot){.addr = addr, .value = *value};
}

static void load(struct state *state, const struct op *op)
{
    struct value addr = add_const(&state->regs[op->src], op->imm);
    const struct value *value = state_load(state, &addr);

    state->regs[op->dst] = value ? *value : unknown;
}

static struct value combine(const struct value *a, const struct value *b, bool subtract)
{
    if (b->kind == VALUE_CONST)
        return add_const(a, subtract ? (int64_t)(0 - (uint64_t)b->k) : b->k);
    if (a->kind == VALUE_CONST && !subtract)
        return add_const(b, a->k);
    if (subtract && a->kind != VALUE_UNKNOWN && same_base(a, b))
        return (struct value){.kind = VALUE_CONST, .k = (int64_t)distance(a->k, b->k)};
    return unknown;
}

static void execute_op(struct state *state, const struct arch *arch, const struct op *op,
                       uint32_t insn_off)
{
    switch ((enum op_kind)op->kind) {
    case OP_CONST:
        state->regs[op->dst] = (struct value){.kind = VALUE_CONST, .k = op->imm};
        return;
    case OP_ADD:
        state->regs[op->dst] = add_const(&state->regs[op->src], op->imm);
        return;
    case OP_ADD_REG:
    case OP_SUB_REG:
        state->regs[op->dst] =
            combine(&state->regs[op->src], &state->regs[op->src2], op->kind == OP_SUB_REG);
        return;
    case OP_ALIGN:
        /* Only an address in the frame becomes a frame base; masking anything else is arithmetic. */
        state->regs[op->dst] = is_frame_address(&state->regs[op->dst], arch)
                                   ? (struct value){.kind = VALUE_FRAME, .base = insn_off}
                                   : unknown;
        return;
    case OP_LOAD:
        load(state, op);
        return;
    case OP_STORE:
        store(state, arch, op);
        return;
    case OP_CLOBBER:
        for (unsigned reg = 0; reg < ARCH_REG_MAX; reg++)
            if (op->mask >> reg & 1)
                state->regs[reg] = unknown;
        return;
    }
}

/* Forgets what lies below `sp`, where a callee or a signal handler writes. */
static void drop_below(struct state *state, const struct value *sp)
{
    for (unsigned i = state->slot_count; i-- > 0;)
        if (same_base(&state->slots[i].addr, sp) &&
            (int64_t)distance(state->slots[i].addr.k, sp->k) < 0)
            remove_slot(state, i);
}

void state_execute(struct state *state, const struct arch *arch, const struct op *ops,
                   unsigned count, uint32_t insn_off)
{
    for (unsigned i = 0; i < count; i++) {
        struct value sp = state->regs[arch->sp];

        execute_op(state, arch, &ops[i], insn_off);
        /* SP has another base: nobody can tell any more how far below it the old red zone lies. */
        if (!same_base(&sp, &state->regs[arch->sp]))
            drop_below(state, &sp);
    }
}

void state_drop_below_sp(struct state *state, const struct arch *arch)
{
    drop_below(state, &state->regs[arch->sp]);
}

bool state_merge(struct state *into, const struct state *from, const struct arch *arch)
{
    bool changed = false;

    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (into->regs[reg].kind != VALUE_UNKNOWN &&
            !value_equal(&into->regs[reg], &from->regs[reg])) {
            into->regs[reg] = unknown;
            changed = true;
        }
    for (unsigned i = into->slot_count; i-- > 0;) {
        const struct value *other = state_load(from, &into->slots[i].addr);

        if (!other || !value_equal(other, &into->slots[i].value)) {
            remove_slot(into, i);
            changed = true;
        }
    }
    return changed;
}
