/* SPDX-License-Identifier: MIT */
#include "unwind/prologue/value.h"

#include <stddef.h>
#include <string.h>

#define SKIPPED_MAX 4 /* bytes of an instruction that caused an exception */

static const struct value unknown = {.kind = VALUE_UNKNOWN};

/* Compares the fields that the kind uses. */
static bool equal_in_use(const struct value *a, const struct value *b)
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
        return a->base == b->base && a->k == b->k && value_depth(a) == value_depth(b);
    case VALUE_ELEMENT:
    case VALUE_TABLE:
    case VALUE_STRIDE:
        return a->base == b->base && a->k == b->k && a->size == b->size && a->shift == b->shift;
    }
    return false;
}

/* Most compared values are the same in every byte. */
static bool equal(const struct value *a, const struct value *b)
{
    return memcmp(a, b, sizeof(*a)) == 0 || equal_in_use(a, b);
}

bool value_equal(const struct value *a, const struct value *b)
{
    return equal(a, b);
}

/* As registers: constants of 32-bit machines are unsigned, distances signed. */
static int64_t wrap(uint64_t k, enum value_kind kind, const struct arch *arch)
{
    if (arch->word_size == 8)
        return (int64_t)k;
    return kind == VALUE_CONST ? (int64_t)(uint32_t)k : (int64_t)(int32_t)k;
}

static struct value add_const(const struct value *value, int64_t k, const struct arch *arch)
{
    struct value sum = *value;

    switch ((enum value_kind)value->kind) {
    case VALUE_ENTRY:
        /* A handler that skips the trapping instruction still returns to the interrupted code. */
        if (value->reg == arch->trap_pc && value->k == 0 && k > 0 && k <= SKIPPED_MAX)
            return sum;
        sum.k = wrap((uint64_t)sum.k + (uint64_t)k, VALUE_ENTRY, arch);
        return sum;
    case VALUE_CONST:
    case VALUE_FRAME:
        sum.k = wrap((uint64_t)sum.k + (uint64_t)k, (enum value_kind)sum.kind, arch);
        return sum;
    case VALUE_STRIDE:
        if (sum.size == 0)
            return unknown;
        sum.k = wrap((uint64_t)sum.k + (uint64_t)k, VALUE_CONST, arch);
        return sum;
    case VALUE_TABLE:
        sum.base += (uint32_t)k;
        return sum;
    case VALUE_UNKNOWN:
    case VALUE_ELEMENT:
        break;
    }
    return unknown;
}

/* a - b for immediate operands of any size: wraps like the machine's arithmetic. */
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
    memset(state, 0, offsetof(struct state, slots));
    state->reg_count = arch->all_regs;
    state->link = arch->lr != REG_NONE ? arch->lr : arch->pc;
    for (unsigned reg = 0; reg < arch->all_regs; reg++)
        state->regs[reg] = (struct value){.kind = VALUE_ENTRY, .reg = (uint8_t)reg};
    state->regs[arch->pc] = unknown;
    if (arch->lr == REG_NONE) {
        state->slots[0] = (struct slot){.addr = {.kind = VALUE_ENTRY, .reg = arch->sp},
                                        .value = {.kind = VALUE_ENTRY, .reg = arch->pc}};
        state->slot_count = 1;
    }
}

void state_copy(struct state *to, const struct state *from)
{
    to->reg_count = from->reg_count;
    to->link = from->link;
    to->slot_count = from->slot_count;
    /* Not memcpy, which compilers turn into a string instruction that is slow to start. */
    memmove(to->regs, from->regs, from->reg_count * sizeof(to->regs[0]));
    to->regs[REG_TEMP] = to->regs[REG_TEMP2] = unknown;
    memmove(to->slots, from->slots, from->slot_count * sizeof(to->slots[0]));
}

const struct value *state_load(const struct state *state, const struct value *addr)
{
    for (unsigned i = 0; i < state->slot_count; i++)
        if (state->slots[i].addr.k == addr->k && equal(&state->slots[i].addr, addr))
            return &state->slots[i].value;
    return NULL;
}

static void remove_slot(struct state *state, unsigned index)
{
    state->slots[index] = state->slots[--state->slot_count];
}

/* Forgets slots that overlap [addr, addr + size). */
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

/*
 * Forgets the slots that a store to a realigned frame may overwrite: it is known only how far that
 * frame is below the entry's SP at least. The return address's slot stays: it is not overwritten.
 */
static void forget_entry_slots(struct state *state, const struct arch *arch,
                               const struct value *addr, unsigned size)
{
    int64_t end = (int64_t)distance(addr->k, (int64_t)value_depth(addr) * arch->word_size - size);

    for (unsigned i = state->slot_count; i-- > 0;)
        if (state->slots[i].addr.kind == VALUE_ENTRY && state->slots[i].addr.k < end &&
            state->slots[i].value.reg != arch->pc && state->slots[i].value.reg != arch->lr)
            remove_slot(state, i);
}

/* Rounds down an address of the frame, which makes a new frame base. */
static struct value align(const struct value *addr, const struct arch *arch, uint32_t insn_off)
{
    struct value base = {.kind = VALUE_FRAME, .base = insn_off};
    uint64_t depth = addr->kind == VALUE_FRAME ? value_depth(addr) : 0;

    if (addr->k < 0)
        depth += distance(0, addr->k) / arch->word_size;
    else if (addr->k > 0)
        depth = 0;
    if (depth > UINT16_MAX)
        depth = UINT16_MAX;
    base.size = depth & 0xff;
    base.shift = depth >> 8 & 0xff;
    return base;
}

/* Slots do not keep unknown values, nor constants that cannot be addresses. */
static bool worth_keeping(const struct value *value)
{
    return value->kind == VALUE_ENTRY || value->kind == VALUE_FRAME ||
           (value->kind == VALUE_CONST && (uint64_t)value->k >= 4096);
}

static bool is_return_address(const struct state *state, const struct value *value)
{
    return value->kind == VALUE_ENTRY && value->reg == state->link && value->k == 0;
}

/* Counts the registers and slots with the return address. */
static unsigned count_return_addresses(const struct state *state)
{
    unsigned count = 0;

    for (unsigned reg = 0; reg < state->reg_count; reg++)
        count += is_return_address(state, &state->regs[reg]);
    for (unsigned i = 0; i < state->slot_count; i++)
        count += is_return_address(state, &state->slots[i].value);
    return count;
}

/*
 * Does the store change where the function returns to? It does if the word has the only copy of
 * LR's entry value (__builtin_eh_return): the new value is the return address from there on.
 */
static bool redirects_return(const struct state *state, const struct arch *arch,
                             const struct value *addr, const struct op *op)
{
    const struct value *old;

    if (state->link != arch->lr || op->size != arch->word_size || op->src == REG_NONE)
        return false;
    old = state_load(state, addr);
    return old && is_return_address(state, old) && count_return_addresses(state) == 1;
}

static void store(struct state *state, const struct arch *arch, const struct op *op)
{
    struct value addr = add_const(&state->regs[op->dst], op->imm, arch);
    const struct value *value = op->src == REG_NONE ? &unknown : &state->regs[op->src];

    /* A store to an unknown address is taken not to change a slot. */
    if (!is_frame_address(&addr, arch) || redirects_return(state, arch, &addr, op))
        return;
    forget_memory(state, arch, &addr, op->size);
    if (addr.kind == VALUE_FRAME && addr.k >= 0)
        forget_entry_slots(state, arch, &addr, op->size);
    if (op->size == arch->word_size && worth_keeping(value) && state->slot_count < STATE_SLOTS_MAX)
        state->slots[state->slot_count++] = (struct slot){.addr = addr, .value = *value};
}

static void load(struct state *state, const struct arch *arch, const struct op *op)
{
    struct value addr = add_const(&state->regs[op->src], op->imm, arch);
    const struct value *value = state_load(state, &addr);
    const uint8_t size = op->size ? (uint8_t)op->size : arch->word_size;

    if (addr.kind == VALUE_STRIDE && addr.size == size)
        state->regs[op->dst] = (struct value){.kind = VALUE_ELEMENT,
                                              .size = size,
                                              .shift = op->size && op->shift ? VALUE_SIGNED : 0,
                                              .k = addr.k};
    else
        state->regs[op->dst] = value && op->size == 0 ? *value : unknown;
}

/* Makes base + (element << shift), the target of a jump table. */
static struct value table_target(const struct value *base, const struct value *element,
                                 const struct op *op)
{
    struct value target = *element;
    int64_t distance_to_base = (int64_t)distance(base->k, element->k);

    if (op->size && (op->size & ~OP_UNSIGNED) < element->size)
        return unknown; /* cut to fewer bytes */
    if (element->base)
        return unknown; /* a whole address */
    if (op->size & OP_UNSIGNED && element->shift & VALUE_SIGNED)
        return unknown;
    target.kind = VALUE_TABLE;
    target.base = (uint32_t)(int32_t)distance_to_base;
    target.shift = (uint8_t)(element->shift | op->shift);
    if (op->size == element->size)
        target.shift |= VALUE_SIGNED;
    return distance_to_base == (int32_t)distance_to_base ? target : unknown;
}

/* Cuts a constant to its low bytes and extends it, as the operation does. */
static int64_t extend(int64_t k, unsigned size)
{
    switch (size) {
    case 1:
        return (int8_t)k;
    case 2:
        return (int16_t)k;
    case 4:
        return (int32_t)k;
    case 4 | OP_UNSIGNED:
        return (uint32_t)k;
    }
    return k;
}

/* May the value be any number? */
static bool is_index(const struct value *value, const struct arch *arch)
{
    return value->kind == VALUE_UNKNOWN ||
           (value->kind == VALUE_ENTRY && !is_frame_address(value, arch));
}

/* Makes src + (src2 << shift); src2 may be cut to low bytes and extended before. */
static struct value add_reg(const struct value *a, const struct value *b, const struct op *op,
                            const struct arch *arch)
{
    if (op->shift == 0 && op->size == 0 && b->kind == VALUE_CONST && a->kind == VALUE_ELEMENT)
        return table_target(b, a, op);
    if (b->kind == VALUE_CONST)
        return add_const(a, (int64_t)((uint64_t)extend(b->k, op->size) << (op->shift & 63)), arch);
    if (a->kind == VALUE_CONST && b->kind == VALUE_ELEMENT)
        return table_target(a, b, op);
    /* A jump forward into straight code, by an index. */
    if (op->dst == arch->pc && a->kind == VALUE_CONST && is_index(b, arch) && op->shift < 8)
        return (struct value){.kind = VALUE_STRIDE, .size = (uint8_t)(1u << op->shift), .k = a->k};
    /* An element of a table of words, by an index. */
    if (a->kind == VALUE_CONST && is_index(b, arch) &&
        UINT64_C(1) << (op->shift & 63) == arch->word_size)
        return (struct value){.kind = VALUE_STRIDE, .size = arch->word_size, .k = a->k};
    if (a->kind == VALUE_CONST && op->shift == 0 && op->size == 0)
        return add_const(b, a->k, arch);
    /* The return goes past a table behind the call (libgcc's __gnu_thumb1_case_uqi). */
    if (op->dst == arch->lr && a->kind == VALUE_ENTRY && a->reg == arch->lr && a->k == 0 &&
        is_index(b, arch))
        return *a;
    return unknown;
}

static struct value set_thumb_bit(const struct value *value)
{
    struct value out = *value;

    if (value->kind == VALUE_CONST)
        out.k |= 1;
    else if (value->kind == VALUE_ELEMENT)
        out.base = 1;
    else
        return unknown;
    return out;
}

static struct value subtract_reg(const struct value *a, const struct value *b,
                                 const struct arch *arch)
{
    if (b->kind == VALUE_CONST)
        return add_const(a, (int64_t)(0 - (uint64_t)b->k), arch);
    if ((is_frame_address(a, arch) || a->kind == VALUE_ENTRY) && same_base(a, b))
        return (struct value){.kind = VALUE_CONST,
                              .k = wrap(distance(a->k, b->k), VALUE_CONST, arch)};
    return unknown;
}

/* Shifts a constant, or an index, which becomes a multiple of an element's size. */
static struct value shift_by(const struct value *value, int64_t by, const struct arch *arch)
{
    const bool is_shifted = value->kind == VALUE_STRIDE && value->size == 0;
    const int64_t scale = by < 0 && is_shifted ? value->shift + by : by;

    if (value->kind == VALUE_CONST && by > -64 && by < 64)
        return (
            struct value){.kind = VALUE_CONST,
                          .k = wrap(by < 0 ? (uint64_t)value->k >> -by : (uint64_t)value->k << by,
                                    VALUE_CONST, arch)};
    if (scale <= 0 || scale >= 64 || (by < 0 && !is_shifted))
        return unknown;
    if (scale > 7)
        return (struct value){.kind = VALUE_STRIDE, .shift = (uint8_t)scale};
    return (struct value){.kind = VALUE_STRIDE, .size = (uint8_t)(1u << scale)};
}

/* Executes movt, movk: replaces 16 bits of a constant. */
static struct value insert(const struct value *value, const struct op *op)
{
    struct value out = *value;

    if (value->kind != VALUE_CONST)
        return unknown;
    out.k = (int64_t)(((uint64_t)out.k & ~(UINT64_C(0xffff) << (op->shift & 63))) |
                      ((uint64_t)op->imm & 0xffff) << (op->shift & 63));
    return out;
}

static struct value element(const struct state *state, const struct op *op, const struct arch *arch)
{
    struct value table = {.kind = VALUE_CONST, .k = op->imm};

    if (op->src != REG_NONE)
        table = add_const(&state->regs[op->src], op->imm, arch);
    if (table.kind != VALUE_CONST)
        return unknown;
    return (struct value){.kind = VALUE_ELEMENT,
                          .size = (uint8_t)op->size,
                          .shift = op->shift ? VALUE_SIGNED : 0,
                          .k = table.k};
}

static void execute_op(struct state *state, const struct arch *arch, const struct op *op,
                       uint32_t insn_off)
{
    switch ((enum op_kind)op->kind) {
    case OP_CONST:
        state->regs[op->dst] =
            (struct value){.kind = VALUE_CONST, .k = wrap((uint64_t)op->imm, VALUE_CONST, arch)};
        return;
    case OP_LITERAL: /* resolved literals are OP_CONST */
        state->regs[op->dst] = unknown;
        return;
    case OP_INSERT:
        state->regs[op->dst] = insert(&state->regs[op->dst], op);
        return;
    case OP_ADD:
        state->regs[op->dst] = add_const(&state->regs[op->src], op->imm, arch);
        return;
    case OP_ADD_REG:
        state->regs[op->dst] = add_reg(&state->regs[op->src], &state->regs[op->src2], op, arch);
        return;
    case OP_SUB_REG:
        state->regs[op->dst] = subtract_reg(&state->regs[op->src], &state->regs[op->src2], arch);
        return;
    case OP_SHIFT:
        state->regs[op->dst] = shift_by(&state->regs[op->src], op->imm, arch);
        return;
    case OP_THUMB:
        state->regs[op->dst] = set_thumb_bit(&state->regs[op->src]);
        return;
    case OP_ELEMENT:
        state->regs[op->dst] = element(state, op, arch);
        return;
    case OP_STRIDE:
        state->regs[op->dst] =
            (struct value){.kind = VALUE_STRIDE, .size = (uint8_t)op->size, .k = op->imm};
        return;
    case OP_ALIGN:
        /* Only frame addresses become frame bases; other masking is arithmetic. */
        state->regs[op->dst] = is_frame_address(&state->regs[op->dst], arch)
                                   ? align(&state->regs[op->dst], arch, insn_off)
                                   : unknown;
        return;
    case OP_LOAD:
        load(state, arch, op);
        return;
    case OP_STORE:
        store(state, arch, op);
        return;
    case OP_CLOBBER:
        for (uint64_t mask = op->mask; mask; mask &= mask - 1)
            state->regs[__builtin_ctzll(mask)] = unknown;
        return;
    case OP_COMPARE:
    case OP_COMPARE_REG:
        return;
    }
}

/* Forgets slots below `sp`, where callees and signal handlers write. */
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
        /* With another base of SP the distance of the old red zone is not known. */
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
    const bool links_differ = into->link != from->link;
    bool changed = false;

    /* Most states that meet are equal. */
    if (!links_differ && into->slot_count == from->slot_count &&
        memcmp(into->regs, from->regs, arch->all_regs * sizeof(into->regs[0])) == 0 &&
        memcmp(into->slots, from->slots, into->slot_count * sizeof(into->slots[0])) == 0)
        return false;
    for (unsigned reg = 0; reg < arch->all_regs; reg++) {
        /* Without SP and FP no row tells of a frame whose return address may be in either. */
        const bool is_lost = links_differ && (reg == arch->sp || reg == arch->fp);

        if (into->regs[reg].kind != VALUE_UNKNOWN &&
            (is_lost || !equal(&into->regs[reg], &from->regs[reg]))) {
            into->regs[reg] = unknown;
            changed = true;
        }
    }
    for (unsigned i = into->slot_count; i-- > 0;) {
        const struct value *other;

        /* Equal slots are mostly in the same place. */
        if (i < from->slot_count &&
            memcmp(&into->slots[i], &from->slots[i], sizeof(into->slots[i])) == 0)
            continue;
        other = state_load(from, &into->slots[i].addr);
        if (!other || !equal(other, &into->slots[i].value)) {
            remove_slot(into, i);
            changed = true;
        }
    }
    return changed;
}

bool state_at_entry_depth(const struct state *state, const struct arch *arch)
{
    const struct value *sp = &state->regs[arch->sp];

    return sp->kind == VALUE_ENTRY && sp->reg == arch->sp && sp->k == 0;
}

bool state_tells_frame(const struct state *state, const struct arch *arch)
{
    const struct value *fp = &state->regs[arch->fp];

    return state->regs[arch->sp].kind != VALUE_UNKNOWN ||
           (fp->kind == VALUE_ENTRY && fp->reg == arch->sp);
}
