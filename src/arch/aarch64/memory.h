/* SPDX-License-Identifier: MIT */
/*
 * Appends the effect of A64 loads and stores, by Capstone's operands, to a struct insn: on memory,
 * on the registers loaded and on a base that is written back. Private to arch/aarch64.
 *
 * All return false for an effect that is not modelled; some operations may have been appended then.
 */
#ifndef ARCH_AARCH64_MEMORY_H
#define ARCH_AARCH64_MEMORY_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/analysis/insn.h"

/*
 * Appends to `out` the effect of str, stp and their like, which store `count` registers at
 * ascending addresses. With an index register the address is not known, and nothing is appended.
 * False: not modelled; some operations may have been appended.
 */
bool a64_store(const cs_insn *insn, unsigned count, struct insn *out);

/*
 * Appends to `out` the effect of ldr, ldp and their like, which load `count` registers, also from a
 * literal or an element of a jump table. False: not modelled; some operations may have been
 * appended.
 */
bool a64_load(const cs_insn *insn, unsigned count, struct insn *out);

/*
 * Appends to `out` the effect of a ld1 ... st4 that adds the number of bytes moved to its base
 * (Capstone 5 does not tell that number). False: another instruction.
 */
bool a64_structure(uint32_t word, struct insn *out);

#endif
