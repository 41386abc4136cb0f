/* SPDX-License-Identifier: MIT */
/*
 * DWARF expressions as CFI uses them (DWARF 5 sections 2.5 and 6.4.2): a stack machine over the
 * frame's registers and memory. Operations that need debugging information entries are UNSUPPORTED.
 */
#ifndef UNWIND_ROW_EXPR_H
#define UNWIND_ROW_EXPR_H

#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "unwind/row/memory.h"

#define EXPR_STACK_MAX 64
#define EXPR_STEPS_MAX 10000 /* operations executed, since expressions may loop */

struct expr_context {
    const struct arch *arch;
    const struct regs *regs;
    const struct memory *memory;
    uint64_t bias; /* added to DW_OP_addr */
};

/*
 * Evaluates with *initial (the CFA, for register rules) pushed first unless NULL. BAD_DATA,
 * UNSUPPORTED; FAULT for memory that was not captured and registers that are not known.
 */
MUST_CHECK enum status expr_evaluate(const struct expr_context *context, const uint8_t *bytes,
                                     uint64_t size, const uint64_t *initial, uint64_t *out);

/*
 * The register of an expression that is DW_OP_bregN, and may be DW_OP_deref behind it; REG_NONE: it
 * is another.
 */
uint8_t expr_base(const uint8_t *bytes, uint64_t size, bool *is_deref);

#endif
