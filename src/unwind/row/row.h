/* SPDX-License-Identifier: MIT */
/*
 * The unwind row: tells for the addresses [start, end) of a module how to compute the registers of
 * a frame's caller from the frame's own.
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
    CFA_REG,   /* CFA = reg + off */
    CFA_DEREF, /* CFA = the word at address reg + off, plus cfa_add (a frame that was realigned) */
    CFA_EXPR,  /* CFA = value of a DWARF expression */
};

enum rule_kind {
    /*
     * The row says nothing: the caller's value is the frame's for callee-saved registers, the CFA
     * for SP, and unknown for other registers.
     */
    RULE_UNSPECIFIED,
    RULE_UNDEFINED, /* the caller's value is lost; for the return address: there is no caller */
    RULE_SAME,      /* the caller's value is still in the register */
    RULE_AT_CFA,    /* the caller's value is saved at address CFA + off */
    RULE_IS_CFA,    /* the caller's value is CFA + off */
    RULE_IN_REG,    /* the caller's value is this frame's reg + off */
    RULE_AT_REG,    /* the caller's value is saved at address reg + off, by this frame's reg */
    /* the caller's value is saved at the address that is a DWARF expression's value */
    RULE_AT_EXPR,
    RULE_IS_EXPR, /* the caller's value is the value of a DWARF expression */
};

struct rule {
    uint8_t kind; /* enum rule_kind; in row.cfa: enum cfa_kind */
    uint8_t reg;
    uint16_t expr_size; /* bytes of the rule's expression */
    int32_t off;        /* in bytes; for an expression: where it begins in row.exprs */
};

struct row {
    uint64_t start_vaddr, end_vaddr;
    struct rule cfa;
    int32_t cfa_add;    /* CFA_DEREF only: bytes added to the word that is read */
    uint32_t args_size; /* bytes of pushed arguments (DW_CFA_GNU_args_size) */
    struct rule ra;
    struct rule regs[ARCH_REG_MAX]; /* the rules of the registers, by register number */
    const uint8_t *exprs; /* expressions of the rules; borrowed from the row's source, or static */
    uint64_t exprs_size;
    /* the frame is a signal trampoline's: its caller was interrupted, and did not call */
    bool signal_frame;
    bool call_site_only; /* the row holds at call instructions only */
    /* the row is a return instruction's: the caller is already past its call, not in it */
    bool has_returned;
    /*
     * the row is from a table without rows for epilogues, and so is wrong in an epilogue that has
     * removed the frame
     */
    bool frame_to_end;
    bool ra_signed; /* AArch64: the return address has a pointer authentication code in it */
    enum trust source;
};

/* Fills `row` with a row of `source` for [start_vaddr, end_vaddr) that has no rules. */
void row_init(struct row *row, uint64_t start_vaddr, uint64_t end_vaddr, enum trust source);

/*
 * Applies `row` to the registers of a frame: sets *caller to the caller's registers (PC included),
 * and *cfa to the frame's CFA. A register other than PC and SP that cannot be recovered is unknown
 * in *caller. `bias`: the load bias, added to addresses in expressions. END: the row says that
 * there is no caller. FAULT: CFA, return address or SP need a word that was not captured, or a
 * register that is not known. BAD_DATA, UNSUPPORTED: an expression is malformed, or has operations
 * that CFI does not use. NOT_FOUND: the row has no CFA, or (where calls push the return address) no
 * rule for the return address.
 */
MUST_CHECK enum status row_execute(const struct row *row, const struct arch *arch, uint64_t bias,
                                   const struct regs *frame, const struct memory *memory,
                                   struct regs *caller, uint64_t *cfa);

/*
 * Returns expr_base (expr.h) of the rule's expression, and sets *is_deref as that does; REG_NONE
 * also if the expression is not within row->exprs.
 */
uint8_t row_expr_base(const struct row *row, const struct rule *rule, bool *is_deref);

/*
 * Whether the return address lies at or above the CFA: code that jumped to the function had pushed
 * the link register, and the function drops it. The caller's SP is then behind it, not the CFA
 * (AArch64: a PLT's first entry, and glibc's rows of _dl_runtime_resolve). Never by exception
 * tables of ARM: their last vsp is the caller's SP, whatever was popped before (EHABI 10.3).
 */
bool row_drops_link(const struct row *row, const struct arch *arch);

/*
 * Whether the rules and flags of both rows are equal. Ranges, sources, args_size and frame_to_end
 * are not compared.
 */
bool row_same_rules(const struct row *a, const struct row *b);

#endif
