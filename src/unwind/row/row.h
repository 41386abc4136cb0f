/* SPDX-License-Identifier: MIT */
/*
 * The unwind row: for the addresses [start, end) of a module, how to compute the registers of a
 * frame's caller from the frame's own.
 *
 *        higher addresses
 *      │ caller's frame   │
 *      ├──────────────────┤ ◄── CFA: the stack pointer before the call (x86: before the return
 *      │ return address   │         address was pushed)
 *      │ saved registers  │
 *      │ locals           │
 *      └──────────────────┘ ◄── SP now
 *
 * Row sources (CFI, prologue analysis, …) make rows and never read a stack; row_execute applies a
 * row to registers and memory and never reads an ELF file. The rules mean what DWARF 5 section 6.4
 * says.
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
    CFA_DEREF, /* the word at reg + off, plus cfa_add (a frame that was realigned) */
    CFA_EXPR,  /* DWARF expression */
};

enum rule_kind {
    /* No statement: callee-saved registers keep their value, SP is the CFA, others are unknown. */
    RULE_UNSPECIFIED,
    RULE_UNDEFINED, /* cannot be recovered; for the return address: there is no caller */
    RULE_SAME,      /* still in the register */
    RULE_AT_CFA,    /* saved at CFA + off */
    RULE_IS_CFA,    /* CFA + off */
    RULE_IN_REG,    /* this frame's reg + off */
    RULE_AT_REG,    /* saved at this frame's reg + off */
    RULE_AT_EXPR,   /* saved at the address that a DWARF expression gives */
    RULE_IS_EXPR,   /* the value of a DWARF expression */
};

struct rule {
    uint8_t kind; /* enum rule_kind; in row.cfa: enum cfa_kind */
    uint8_t reg;
    uint16_t expr_size; /* bytes */
    int32_t off;        /* bytes; of an expression: where it begins in row.exprs */
};

struct row {
    uint64_t start_vaddr, end_vaddr;
    struct rule cfa;
    int32_t cfa_add;    /* for CFA_DEREF */
    uint32_t args_size; /* bytes of pushed arguments (DW_CFA_GNU_args_size) */
    struct rule ra;
    struct rule regs[ARCH_REG_MAX]; /* by register */
    const uint8_t *exprs; /* borrowed from the section, or static; lives as long as the source */
    uint64_t exprs_size;
    bool signal_frame;   /* the caller was interrupted; it did not call */
    bool call_site_only; /* holds at call instructions only */
    bool has_returned;   /* of a return instruction: the caller is behind its call, not in it */
    bool frame_to_end;   /* from a table without epilogues: wrong where the frame is gone */
    bool ra_signed;      /* AArch64: the return address carries a pointer authentication code */
    enum trust source;
};

/* Fills `row` with a row for [start, end) that has no rules. */
void row_init(struct row *row, uint64_t start_vaddr, uint64_t end_vaddr, enum trust source);

/*
 * Applies `row` to the registers of a frame: stores the caller's registers (PC included) in
 * `caller` and the frame's CFA in *cfa. A register other than PC and SP that cannot be recovered is
 * unknown in `caller`. `bias` is added to addresses in expressions. END: the row says that there is
 * no caller. FAULT: CFA, return address or SP need a word that was not captured, or a register that
 * is not known. BAD_DATA, UNSUPPORTED: an expression is malformed, or not one for CFI. NOT_FOUND:
 * the row has no CFA, or (where calls push the return address) no rule for the return address.
 */
MUST_CHECK enum status row_execute(const struct row *row, const struct arch *arch, uint64_t bias,
                                   const struct regs *frame, const struct memory *memory,
                                   struct regs *caller, uint64_t *cfa);

/* Returns expr_base of the rule's expression; REG_NONE also if it lies outside row->exprs. */
uint8_t row_expr_base(const struct row *row, const struct rule *rule, bool *is_deref);

/*
 * Are the rules and flags of both rows the same? Ranges, sources, args_size and frame_to_end are
 * not compared.
 */
bool row_same_rules(const struct row *a, const struct row *b);

#endif
