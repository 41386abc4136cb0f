/* SPDX-License-Identifier: MIT */
/*
 * The unwind row: the one currency of this room.
 *
 * For the addresses [start, end) of a module a row says how the registers of a frame's caller are
 * got:
 *
 *        higher addresses
 *      │ caller's frame   │
 *      ├──────────────────┤ ◄── CFA: the stack pointer before the call (x86: before the return
 *      │ return address   │         address was pushed). Every offset of a row counts from here.
 *      │ saved registers  │
 *      │ locals           │
 *      └──────────────────┘ ◄── SP now
 *
 * Row sources (CFI, prologue analysis, …) make rows and never see a stack; row_execute applies a
 * row to registers and memory and never sees an ELF file. DWARF 5 section 6.4 has the rules'
 * meaning.
 */
#ifndef UNWIND_ROW_ROW_H
#define UNWIND_ROW_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "unwind/row/memory.h"
#include "unwind/row/trust.h"

enum cfa_kind {
    CFA_UNKNOWN,
    CFA_REG,   /* reg + off */
    CFA_DEREF, /* the word at reg + off, plus add (a frame that was realigned) */
    CFA_EXPR,  /* DWARF expression */
};

enum rule_kind {
    RULE_UNSPECIFIED, /* the source says nothing: callee-saved registers keep their value */
    RULE_UNDEFINED,   /* cannot be recovered; for the return address: there is no caller */
    RULE_SAME,        /* still in the register */
    RULE_AT_CFA,      /* saved at CFA + off */
    RULE_IS_CFA,      /* is CFA + off */
    RULE_IN_REG,      /* in another register */
    RULE_AT_REG,      /* saved at reg + off, reg being this frame's */
    RULE_AT_EXPR,     /* saved at the address a DWARF expression gives */
    RULE_IS_EXPR,     /* is what a DWARF expression gives */
};

struct rule {
    uint8_t kind; /* enum rule_kind; of the CFA: enum cfa_kind */
    uint8_t reg;
    uint16_t expr_size;
    int32_t off; /* of an expression: where it begins in exprs */
};

struct row {
    uint64_t start_vaddr, end_vaddr;
    struct rule cfa;
    int32_t cfa_add;    /* CFA_DEREF */
    uint32_t args_size; /* bytes of arguments that were pushed (DW_CFA_GNU_args_size) */
    struct rule ra;
    struct rule regs[ARCH_REG_MAX]; /* by register; SP's default is the CFA */
    const uint8_t *exprs; /* borrowed from the section or static; lives as long as the source */
    uint64_t exprs_size;
    bool signal_frame;   /* the caller was interrupted, not calling */
    bool call_site_only; /* holds at call instructions only */
    bool has_returned;   /* does what a return does: the caller goes on behind its call */
    bool frame_to_end;   /* of a table that never says that the frame is gone: wrong in epilogues */
    bool ra_signed;      /* AArch64: the return address carries a pointer authentication code */
    enum trust source;
};

/* A row that says nothing, for [start, end). */
void row_init(struct row *row, uint64_t start_vaddr, uint64_t end_vaddr, enum trust source);

/*
 * Applies `row` to a frame's registers: the caller's registers (PC included) go to `caller`, the
 * frame's CFA to *cfa. `bias` turns addresses in expressions into run-time ones. END: the row says
 * that there is no caller. FAULT: a word that was not captured, or a register that is not known.
 * BAD_DATA: a malformed expression. NOT_FOUND: the row has no CFA or no return address rule.
 */
MUST_CHECK enum status row_execute(const struct row *row, const struct arch *arch, uint64_t bias,
                                   const struct regs *frame, const struct memory *memory,
                                   struct regs *caller, uint64_t *cfa);

/* As expr_base, of the expression of a rule. */
uint8_t row_expr_base(const struct row *row, const struct rule *rule, bool *is_deref);

/* True when both rows give the same rules (ranges and sources aside). */
bool row_same_rules(const struct row *a, const struct row *b);

#endif
