/* SPDX-License-Identifier: MIT */
/*
 * DWARF expressions as CFI uses them (DWARF 5 sections 2.5 and 6.4.2): a stack machine over the
 * frame's registers and memory. All other operations are UNSUPPORTED.
 */
#ifndef UNWIND_ROW_EXPR_H
#define UNWIND_ROW_EXPR_H

#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "unwind/row/memory.h"

#define EXPR_STACK_MAX 64    /* values; more are BAD_DATA */
#define EXPR_STEPS_MAX 10000 /* executed operations, since expressions may loop; more: BAD_DATA */

struct expr_context {
    const struct arch *arch;
    const struct regs *regs;
    const struct memory *memory;
    uint64_t bias; /* added to DW_OP_addr */
};

/*
 * Evaluates an expression and stores the top of its stack in *out. `initial` is pushed first (the
 * CFA, for register rules); NULL: nothing is. BAD_DATA: malformed, or over a cap. UNSUPPORTED: an
 * operation that CFI does not use. FAULT: memory that was not captured, or a register that is not
 * known.
 */
MUST_CHECK enum status expr_evaluate(const struct expr_context *context, const uint8_t *bytes,
                                     uint64_t size, const uint64_t *initial, uint64_t *out);

/*
 * Returns N of an expression of one of these forms, REG_NONE of any other (*is_deref may be set
 * then, too):
 *
 *     DW_OP_bregN offset                  *is_deref = false
 *     DW_OP_bregN offset, DW_OP_deref     *is_deref = true
 */
uint8_t expr_base(const uint8_t *bytes, uint64_t size, bool *is_deref);

#endif
