/* SPDX-License-Identifier: MIT */
/*
 * Capstone's x86 operands in our terms: registers by DWARF's numbers, addresses without segment.
 * Private to insn_x86*.
 */
#ifndef ARCH_X86_OPERANDS_H
#define ARCH_X86_OPERANDS_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/x86/insn.h"

struct x86_register {
    uint8_t number; /* DWARF's; REG_NONE: no general register */
    uint8_t size;   /* bytes of it that are meant */
};

/* Of Capstone's register id. */
struct x86_register x86_register(const struct x86_mode *mode, unsigned reg);

/*
 * The register a whole register operand names; REG_NONE: another kind of operand, or a part of one.
 */
uint8_t x86_full_register(const struct x86_mode *mode, const cs_x86_op *operand);

/* base + (index << shift) + disp; either register may be REG_NONE. [index*1] is [base]. */
struct x86_address {
    uint8_t base, index, shift;
    int64_t disp;
};

/*
 * False: no memory operand, thread-local, or of another address size. Addresses relative to the PC
 * are absolute ones.
 */
bool x86_address(const struct x86_mode *mode, const cs_insn *insn, const cs_x86_op *operand,
                 struct x86_address *out);

/* The same, and it is [base + disp]. */
bool x86_simple_address(const struct x86_mode *mode, const cs_insn *insn, const cs_x86_op *operand,
                        struct x86_address *out);

/* Appends to `out` that registers written, and memory written at a known place, become unknown. */
void x86_unknown_effect(const struct x86_mode *mode, const cs_insn *insn, struct insn *out);

#endif
