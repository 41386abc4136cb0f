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
    uint8_t size;   /* bytes of the register that are accessed: 1 for al, 4 for eax */
};

/* Translates Capstone's register id (X86_REG_...). */
struct x86_register x86_register(const struct x86_mode *mode, unsigned reg);

/*
 * Returns DWARF's number of the general register that the operand is, in full width (mode->word).
 * REG_NONE: the operand is something else, or a part of a register.
 */
uint8_t x86_full_register(const struct x86_mode *mode, const cs_x86_op *operand);

/*
 * The address base + (index << shift) + disp. Registers have DWARF's numbers; REG_NONE: none. A
 * single register without scale is `base`.
 */
struct x86_address {
    uint8_t base, index, shift;
    int64_t disp;
};

/*
 * Fills *out from a memory operand. A PC-relative address becomes an absolute one. False: the
 * operand is no memory, is thread-local (FS, GS), or has another address size than the mode.
 */
bool x86_address(const struct x86_mode *mode, const cs_insn *insn, const cs_x86_op *operand,
                 struct x86_address *out);

/* Does the same as x86_address, but is false also if there is an index or no base register. */
bool x86_simple_address(const struct x86_mode *mode, const cs_insn *insn, const cs_x86_op *operand,
                        struct x86_address *out);

/*
 * Appends operations to `out` by which all registers that the instruction may write become unknown,
 * and the memory that it may write, if the address is base + disp.
 */
void x86_unknown_effect(const struct x86_mode *mode, const cs_insn *insn, struct insn *out);

#endif
