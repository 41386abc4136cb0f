/* SPDX-License-Identifier: MIT */
/*
 * A64 instructions by the groups of their encoding (Arm ARM DDI 0487, C4.1): for what Capstone
 * 4.0.2 does not know, and for what any instruction may write, which Capstone's access lists tell
 * incompletely.
 *
 * Words are read as the processor reads them: little-endian, whatever the host.
 */
#ifndef ARCH_AARCH64_MASK_H
#define ARCH_AARCH64_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/analysis/insn.h"

/* What a callee may change (AAPCS64 6.1.1): x0 to x18, and the link register. */
#define A64_CALL_CLOBBERED (((UINT64_C(1) << 19) - 1) | UINT64_C(1) << 30)

#define A64_INSN_SIZE 4
#define A64_FP        29
#define A64_LR        30
#define A64_SP        31 /* DWARF's number, and the encoding's where register 31 is not XZR */

/* The instruction at `bytes`, A64_INSN_SIZE of them. */
static inline uint32_t a64_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/*
 * The general registers (bit mask by number, SP included) that the instruction may write, whether
 * its effect on them is modelled or not. What a call or the kernel changes is not among them.
 */
uint64_t a64_written(uint32_t word);

/*
 * The frame's memory that an instruction may write that insn_a64.c does not model: [base + offset,
 * + size). False: none at an address the encoding tells.
 */
bool a64_stored(uint32_t word, uint8_t *base, int64_t *offset, uint16_t *size);

/*
 * What is decoded without Capstone: all branches (it does not know those of pointer
 * authentication), what it does not know the meaning of (hints, the link register's authentication,
 * udf), and frequent instructions that merely write a register. Fills `out` but for its size.
 */
bool a64_decode_by_mask(uint32_t word, uint64_t vaddr, struct insn *out);

/* blr and its authenticating kin. */
bool a64_is_register_call(uint32_t word);

/* Bytes that ld1 … st4 move, and step over: 0, it is none with an immediate post-index. */
unsigned a64_structure_size(uint32_t word);

/*
 * The general registers, SP apart, that an instruction uses of which Capstone 4 and 5 know
 * different ones, or tell different operands: *reads. False: Capstone tells them, if it knows the
 * instruction. Of atomics it is the base: their data may be anything.
 */
bool a64_reads_by_mask(uint32_t word, uint64_t *reads);

/*
 * Loads and stores, exclusive or ordered, with a register field in use that they do not have:
 * Capstone 4 decodes them, Capstone 5 does not.
 */
bool a64_is_exclusive_undefined(uint32_t word);

/*
 * Does an instruction of Armv8.1 or later write the flags? Capstone does not say so, even where it
 * knows it.
 */
bool a64_later_flags(uint32_t word);

/* SVE and SME, which Capstone 4 knows nothing of and Capstone 5 some. */
bool a64_is_scalable(uint32_t word);

/*
 * Is the word in a group of Armv8.1 or later whose effect is no more than a64_written and
 * a64_stored say?
 */
bool a64_later_group(uint32_t word);

#endif
