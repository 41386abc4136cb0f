/* SPDX-License-Identifier: MIT */
/*
 * Decodes A64 instructions by the groups of their encoding (Arm ARM DDI 0487, C4.1): those that
 * Capstone 4.0.2 does not know, and the registers that any instruction may write, of which
 * Capstone's access lists are incomplete.
 *
 * Words are read as the processor reads them: little-endian, whatever the host.
 */
#ifndef ARCH_AARCH64_MASK_H
#define ARCH_AARCH64_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/analysis/insn.h"

/* Mask of the registers that a callee may change (AAPCS64 6.1.1): x0 to x18, and LR. */
#define A64_CALL_CLOBBERED (((UINT64_C(1) << 19) - 1) | UINT64_C(1) << 30)

#define A64_INSN_SIZE 4
#define A64_FP        29
#define A64_LR        30
#define A64_SP        31 /* DWARF's number; also the encoding's, where 31 is not XZR */

/* Reads the instruction at `bytes` (A64_INSN_SIZE bytes). */
static inline uint32_t a64_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/*
 * Returns the mask of general registers, SP included, that the instruction may write, whether its
 * effect is modelled or not. Without those that a callee or the kernel changes.
 */
uint64_t a64_written(uint32_t word);

/*
 * Finds the memory that an instruction may write which insn.c does not model: [base + *offset,
 * *size bytes). False: none at an address that the encoding tells.
 */
bool a64_stored(uint32_t word, uint8_t *base, int64_t *offset, uint16_t *size);

/*
 * Decodes without Capstone: all branches (it does not know those with pointer authentication),
 * instructions that it does not know (hints, authentication of the link register, udf), and
 * frequent ones that only write a register. Fills `out` except its size. False: another
 * instruction.
 */
bool a64_decode_by_mask(uint32_t word, uint64_t vaddr, struct insn *out);

/* Says whether it is blr or one of its authenticating forms. */
bool a64_is_register_call(uint32_t word);

/*
 * Returns the number of bytes that ld1 ... st4 move and add to the base; 0: it is none of them with
 * an immediate post-index.
 */
unsigned a64_structure_size(uint32_t word);

/*
 * Sets *reads to the mask of general registers, without SP, that an instruction reads which
 * Capstone 4 and 5 know differently. For atomics only the base: their data may be anything. False:
 * Capstone tells them, if it knows the instruction.
 */
bool a64_reads_by_mask(uint32_t word, uint64_t *reads);

/*
 * Says whether it is an exclusive or ordered load or store with a value in a register field that
 * must be unused: Capstone 4 decodes these, Capstone 5 does not.
 */
bool a64_is_exclusive_undefined(uint32_t word);

/*
 * Says whether an instruction of Armv8.1 or later writes the flags. Capstone does not say so, even
 * for those that it knows.
 */
bool a64_later_flags(uint32_t word);

/* Says whether it is of SVE or SME: Capstone 4 knows none of these, Capstone 5 some. */
bool a64_is_scalable(uint32_t word);

/* Says whether it is of a group of Armv8.1 or later that a64_written and a64_stored cover. */
bool a64_later_group(uint32_t word);

#endif
