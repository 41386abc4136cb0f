/* SPDX-License-Identifier: MIT */
/*
 * The effect of A64 loads and stores, from Capstone's operands: on memory, on the registers loaded
 * and on a base that is written back. Private to arch/aarch64.
 *
 * False: not modelled; some operations may have been appended.
 */
#ifndef ARCH_AARCH64_MEMORY_H
#define ARCH_AARCH64_MEMORY_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/analysis/insn.h"

/*
 * str, stp and their like: stores `count` registers at ascending addresses. With an index register
 * the address is not known, and nothing is appended.
 */
bool a64_store(const cs_insn *insn, unsigned count, struct insn *out);

/* ldr, ldp and their like, with literals and elements of jump tables: loads `count` registers. */
bool a64_load(const cs_insn *insn, unsigned count, struct insn *out);

/* ld1 ... st4 with a post-index of the number of bytes moved, which Capstone 5 does not tell. */
bool a64_structure(uint32_t word, struct insn *out);

#endif
