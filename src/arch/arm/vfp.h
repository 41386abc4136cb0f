/* SPDX-License-Identifier: MIT */
/*
 * Finds the effect of coprocessor, floating-point and Advanced SIMD instructions on core registers
 * and memory. Decodes by mask: Capstone 4's tables lack results (mrc, mrrc) and write-back (vpush,
 * vst1 with a register), and do not know all of ARMv8; Capstone 5's know no coprocessors but the
 * debugger's and system control.
 *
 * A32 and T32 encode them alike except for the highest byte. T32 instructions are given as one
 * word, first halfword in the upper half.
 */
#ifndef ARCH_ARM_VFP_H
#define ARCH_ARM_VFP_H

#include <stdbool.h>
#include <stdint.h>

struct insn;

/*
 * Whether `word` is a coprocessor instruction (mcr, mrc, cdp, ldc, stc and all of VFP): bits 27-24
 * are 1100, 1101 or 1110. The caller has checked that a T32 word begins with 111.
 */
bool arm_is_coprocessor(uint32_t word);
/*
 * Whether the coprocessor instruction `word` is defined: of VFP, SIMD, debug or system control, or
 * a load, store or move that other coprocessors have had. False: undefined.
 */
bool arm_is_coprocessor_defined(uint32_t word);
/*
 * Appends the effect of a coprocessor instruction on core registers and memory. `pc`: the value of
 * PC that the instruction reads.
 */
void arm_coprocessor(uint32_t word, uint64_t pc, struct insn *out);
/* Returns the mask of core registers, without PC, that the coprocessor instruction reads. */
uint64_t arm_coprocessor_reads(uint32_t word);

/*
 * Appends the effect of a vld1 ... vst4 on core registers and memory. The caller has checked that
 * `word` is one: its highest byte is 0xf4 (A32) or 0xf9 (T32), bit 20 is clear.
 */
void arm_vector_memory(uint32_t word, struct insn *out);

#endif
