/* SPDX-License-Identifier: MIT */
/* Translates Capstone's x86 operands to DWARF's numbers and addresses. Private to arch/x86. */
#ifndef ARCH_X86_OPERANDS_H
#define ARCH_X86_OPERANDS_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/x86/insn.h"

struct x86_register {
    uint8_t number; /* DWARF's; REG_NONE: no general register */
    uint8_t size;   /* bytes of it that are accessed */
};

/* Translates Capstone's register id. */
struct x86_register x86_register(const struct x86_mode *mode, unsigned reg);

/* Returns the register that the operand is; REG_NONE: another operand, or part of a register. */
uint8_t x86_full_register(const struct x86_mode *mode, const cs_x86_op *operand);

/* base + (index << shift) + disp; either register may be REG_NONE. [index*1] is [base]. */
struct x86_address {
    uint8_t base, index, shift;
    int64_t disp;
};

/*
 * Fills *out from a memory operand. A PC-relative address becomes an absolute one. False: no memory
 * operand, thread-local (FS, GS), or of another address size.
 */
bool x86_address(const struct x86_mode *mode, const cs_insn *insn, const cs_x86_op *operand,
                 struct x86_address *out);

/* The same, but only for [base + disp]. */
bool x86_simple_address(const struct x86_mode *mode, const cs_insn *insn, const cs_x86_op *operand,
                        struct x86_address *out);

/*
 * Appends to `out` that all registers that the instruction writes become unknown, and memory that
 * it writes at a known place.
 */
void x86_unknown_effect(const struct x86_mode *mode, const cs_insn *insn, struct insn *out);

#endif
