/* SPDX-License-Identifier: MIT */
/*
 * Evaluates DWARF expressions as CFI uses them (DWARF 5 sections 2.5 and 6.4.2): a stack machine
 * over the frame's registers and memory. All other operations are UNSUPPORTED.
 */
#ifndef UNWIND_ROW_EXPR_H
#define UNWIND_ROW_EXPR_H

#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "unwind/row/memory.h"

#define EXPR_STACK_MAX 64 /* values on the stack; with more expr_evaluate returns BAD_DATA */
/* executed operations, as expressions may loop; with more it returns BAD_DATA */
#define EXPR_STEPS_MAX 10000

struct expr_context {
    const struct arch *arch;
    const struct regs *regs;
    const struct memory *memory;
    uint64_t bias; /* load bias: added to the address of DW_OP_addr */
};

/*
 * Evaluates the expression of `size` bytes, and sets *out to the top of its stack. Pushes *initial
 * first (the CFA, for register rules); NULL: nothing. BAD_DATA: the expression is malformed, or
 * exceeds a limit above. UNSUPPORTED: it has an operation that CFI does not use. FAULT: it reads
 * memory that was not captured, or a register that is not known.
 */
MUST_CHECK enum status expr_evaluate(const struct expr_context *context, const uint8_t *bytes,
                                     uint64_t size, const uint64_t *initial, uint64_t *out);

/*
 * Returns the register N of an expression of one of these forms, and sets *is_deref; REG_NONE: the
 * expression has another form, and *is_deref may have any value.
 *
 *     DW_OP_bregN offset                  *is_deref = false
 *     DW_OP_bregN offset, DW_OP_deref     *is_deref = true
 */
uint8_t expr_base(const uint8_t *bytes, uint64_t size, bool *is_deref);

#endif
