/* SPDX-License-Identifier: MIT */
/*
 * The abstract values of prologue analysis, and the machine state made of them.
 *
 * As in gdb's prologue-value.h a value is unknown, a constant, or the value a register had when the
 * function was entered, plus a constant. One kind more: a stack pointer that was rounded down (and
 * rsp, -32) is a new frame base, an unknown distance below the entry's SP, to which constants may
 * be added.
 *
 * The frame area holds the words of the stack whose values are known: saved registers, the return
 * address where calls push it, the CFA where a realigned frame keeps it. Addresses are (base,
 * offset): the entry's SP or a frame base.
 *
 * An answer may be unknown; it may not be wrong: two states that meet keep what they agree on.
 */
#ifndef UNWIND_PROLOGUE_VALUE_H
#define UNWIND_PROLOGUE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "arch/analysis/insn.h"

enum value_kind {
    VALUE_UNKNOWN,
    VALUE_CONST, /* k */
    VALUE_ENTRY, /* the value of register reg at entry, plus k */
    VALUE_FRAME, /* frame base number `base`, plus k */
    /* What jump tables are made of. */
    /* some element of `size` bytes of the table at k; base 1: with bit 0 set */
    VALUE_ELEMENT,
    VALUE_TABLE, /* k + base + (some element of the table at k << shift); base is signed */
    /* k + some multiple of `size`; size 0: k is 0, and it is one of 1 << shift, shift > 7 */
    VALUE_STRIDE,
};

struct value {
    uint8_t kind; /* enum value_kind */
    uint8_t reg;  /* VALUE_ENTRY */
    uint8_t size; /* bytes of an element; VALUE_FRAME: with shift, see value_depth */
    /*
     * VALUE_TABLE: elements are multiplied by 1 << shift. VALUE_ELEMENT, VALUE_TABLE: bit 7: signed
     */
    uint8_t shift;
    uint32_t base;
    int64_t k;
};

#define VALUE_SIGNED 0x80 /* in shift */

/* VALUE_FRAME: its base is at least so many words below the entry's SP. */
static inline unsigned value_depth(const struct value *value)
{
    return value->size | (unsigned)value->shift << 8;
}

bool value_equal(const struct value *a, const struct value *b);

#define STATE_SLOTS_MAX 40 /* what does not fit is unknown */

struct slot {
    struct value addr; /* VALUE_ENTRY of SP, or VALUE_FRAME */
    struct value value;
};

struct state {
    uint8_t reg_count; /* the architecture's, all; an instruction's REG_TEMPs are not handed on */
    uint8_t link;      /* which register, LR or another, or PC, has the return address at entry */
    uint8_t slot_count;
    struct value regs[OP_REG_MAX];
    struct slot slots[STATE_SLOTS_MAX];
};

/*
 * A function's first instruction: every register has its entry value, the return address is where
 * the ABI puts it.
 */
void state_init_entry(struct state *state, const struct arch *arch);

/* As assignment, without the registers and slots that are not in use. */
void state_copy(struct state *to, const struct state *from);

/*
 * Executes the operations of one instruction. `insn_off` (within the function) numbers new frame
 * bases.
 */
void state_execute(struct state *state, const struct arch *arch, const struct op *ops,
                   unsigned count, uint32_t insn_off);

/* What a call leaves: everything below SP is the callee's. */
void state_drop_below_sp(struct state *state, const struct arch *arch);

/* Keeps in `into` what it agrees on with `from`; true when that changed it. */
bool state_merge(struct state *into, const struct state *from, const struct arch *arch);

/* Is SP where it was when the function was entered? */
bool state_at_entry_depth(const struct state *state, const struct arch *arch);

/* Does SP or the frame pointer tell where the frame is? */
bool state_tells_frame(const struct state *state, const struct arch *arch);

/* The word at `addr`, or NULL when it is not known. */
const struct value *state_load(const struct state *state, const struct value *addr);

#endif
