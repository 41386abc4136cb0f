/* SPDX-License-Identifier: MIT */
/*
 * A64 loads and stores, as Capstone takes them to pieces: what they do to the frame's memory, to
 * the registers loaded and to a base that is written back. Private to insn_a64*.
 *
 * False: not modelled; operations may have been appended.
 */
#ifndef ARCH_AARCH64_MEMORY_H
#define ARCH_AARCH64_MEMORY_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/analysis/insn.h"

/* str, stp and their kin: `count` registers at ascending addresses. */
bool a64_store(const cs_insn *insn, unsigned count, struct insn *out);

/* ldr, ldp and their kin, literals and elements of jump tables included. */
bool a64_load(const cs_insn *insn, unsigned count, struct insn *out);

/* ld1 … st4 with a post-index that is the number of bytes moved, which Capstone 5 does not tell. */
bool a64_structure(uint32_t word, struct insn *out);

#endif
