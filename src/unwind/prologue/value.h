/* SPDX-License-Identifier: MIT */
/*
 * The abstract values of prologue analysis, and the machine state made of them.
 *
 * As in gdb's prologue-value.h a value is unknown, a constant, or a register's value at the
 * function's entry plus a constant. In addition a stack pointer that was rounded down (and rsp,
 * -32) is a new frame base, an unknown distance below the entry's SP, to which constants may be
 * added.
 *
 * The slots of a state are the words of the stack with known values: saved registers, the return
 * address where calls push it, the CFA where a realigned frame keeps it. Their addresses are the
 * entry's SP or a frame base, plus an offset.
 *
 * A value may be unknown; it may not be wrong: two states that meet keep what they agree on.
 */
#ifndef UNWIND_PROLOGUE_VALUE_H
#define UNWIND_PROLOGUE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "arch/analysis/insn.h"

enum value_kind {
    VALUE_UNKNOWN,
    VALUE_CONST, /* the number k */
    VALUE_ENTRY, /* the value of register `reg` at entry, plus k */
    VALUE_FRAME, /* frame base number `base`, plus k */
    /* For jump tables. "element" is any element of `size` bytes of the table at address k. */
    VALUE_ELEMENT, /* an element; base 1: with bit 0 set */
    VALUE_TABLE,   /* k + base + (element << shift); base is signed */
    VALUE_STRIDE,  /* k + any multiple of `size`; size 0: k is 0, any multiple of 1 << shift */
};

struct value {
    uint8_t kind; /* enum value_kind, says how the other members are used */
    uint8_t reg;  /* VALUE_ENTRY: number of the register */
    uint8_t size; /* bytes of an element; VALUE_FRAME: low byte of value_depth */
    /*
     * VALUE_TABLE, VALUE_STRIDE: as above; bit 7 of VALUE_ELEMENT, VALUE_TABLE: elements are
     * signed; VALUE_FRAME: high byte of value_depth
     */
    uint8_t shift;
    uint32_t base;
    int64_t k;
};

#define VALUE_SIGNED 0x80 /* bit of value.shift: the table's elements are signed */

/* Returns how many words a VALUE_FRAME's base is below the entry's SP, at least. */
static inline unsigned value_depth(const struct value *value)
{
    return value->size | (unsigned)value->shift << 8;
}

/*
 * Whether both values have the same kind, and are equal in the members that this kind uses. Two
 * unknown values are equal.
 */
bool value_equal(const struct value *a, const struct value *b);

#define STATE_SLOTS_MAX 40 /* words of the stack; further ones are unknown */

struct slot {
    struct value addr; /* the word's address: VALUE_ENTRY of SP, or VALUE_FRAME */
    struct value value;
};

struct state {
    uint8_t reg_count; /* arch->all_regs; state_copy does not copy the REG_TEMPs after these */
    uint8_t link;      /* register that has the return address at entry; PC: calls push it */
    uint8_t slot_count;
    struct value regs[OP_REG_MAX];
    struct slot slots[STATE_SLOTS_MAX];
};

/*
 * Fills *state with the state before a function's first instruction: each register except PC has
 * its entry value, the return address is where the ABI puts it.
 */
void state_init_entry(struct state *state, const struct arch *arch);

/*
 * Copies the registers and the slots in use of *from; REG_TEMP and REG_TEMP2 become unknown in *to.
 */
void state_copy(struct state *to, const struct state *from);

/*
 * Changes `state` as the `count` operations of one instruction do. `insn_off`, its offset in the
 * function, becomes the number of a frame base that it makes.
 */
void state_execute(struct state *state, const struct arch *arch, const struct op *ops,
                   unsigned count, uint32_t insn_off);

/* Removes the slots below SP, which a callee may overwrite. */
void state_drop_below_sp(struct state *state, const struct arch *arch);

/*
 * Makes unknown in `into` the registers and slots that differ in `from`. True: some register or
 * slot of `into` changed.
 */
bool state_merge(struct state *into, const struct state *from, const struct arch *arch);

/* Whether SP is known to have its entry value. */
bool state_at_entry_depth(const struct state *state, const struct arch *arch);

/* Whether SP is known, or FP is at a known distance from the entry's SP. */
bool state_tells_frame(const struct state *state, const struct arch *arch);

/*
 * Returns the value of the stack's word at `addr`, valid until the state changes; NULL: not known.
 */
const struct value *state_load(const struct state *state, const struct value *addr);

#endif
