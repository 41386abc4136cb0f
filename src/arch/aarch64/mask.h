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
 * Returns the mask of general registers, SP included, that the instruction `word` itself may write,
 * by any instruction, also one that a64_decode_by_mask and Capstone do not know. For calls and svc:
 * without the registers that the callee or the kernel changes.
 */
uint64_t a64_written(uint32_t word);

/*
 * Sets [*base + *offset, *size bytes) to the memory that the store `word` may write, for stores
 * whose effect insn.c does not model (exclusive stores, atomics, tags ...). False: it is no such
 * store, or its address is not base + constant.
 */
bool a64_stored(uint32_t word, uint8_t *base, int64_t *offset, uint16_t *size);

/*
 * Decodes without Capstone: all branches (it does not know those with pointer authentication),
 * instructions that it does not know (hints, authentication of the link register, udf), and
 * frequent ones that only write a register. Fills `out` except its size. False: the instruction is
 * none of these.
 */
bool a64_decode_by_mask(uint32_t word, uint64_t vaddr, struct insn *out);

/* Whether the instruction is blr or one of its authenticating forms (blraa, blrab ...). */
bool a64_is_register_call(uint32_t word);

/*
 * Returns the number of bytes that a ld1 ... st4 moves and then adds to its base register. 0: the
 * instruction is no ld1 ... st4 with an immediate post-index.
 */
unsigned a64_structure_size(uint32_t word);

/*
 * Sets *reads to the mask of general registers, without SP, that `word` reads, if it is an
 * instruction of which Capstone 4 and 5 list these differently; of atomics only the base, as their
 * data may be anything. False: another instruction; ask Capstone.
 */
bool a64_reads_by_mask(uint32_t word, uint64_t *reads);

/*
 * Whether the instruction is undefined: an exclusive or ordered load or store with a register in a
 * field that must be unused. Capstone 4 decodes these, Capstone 5 does not.
 */
bool a64_is_exclusive_undefined(uint32_t word);

/*
 * Whether the instruction may write the flags though Capstone does not say so: all of SVE and SME,
 * setf, rmif, cfinv, subps, fcmp, fccmp. False: ask Capstone.
 */
bool a64_later_flags(uint32_t word);

/* Whether the instruction is of SVE or SME: Capstone 4 knows none of these, Capstone 5 some. */
bool a64_is_scalable(uint32_t word);

/* Whether the instruction is of a group of Armv8.1 or later, which a64_written knows. */
bool a64_later_group(uint32_t word);

#endif
