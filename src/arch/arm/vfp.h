/* SPDX-License-Identifier: MIT */
/*
 * The effect of coprocessor, floating-point and Advanced SIMD instructions on core registers and
 * memory. Decoded by mask: Capstone 4's tables lack results (mrc, mrrc) and write-back (vpush, vst1
 * with a register), and do not know all of ARMv8; Capstone 5's know no coprocessors but the
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
 * Says whether bits 27-24 are 1100, 1101 or 1110: mcr, mrc, cdp, ldc, stc and all of VFP. The
 * caller has checked that a T32 word begins with 111.
 */
bool arm_is_coprocessor(uint32_t word);
/*
 * Says whether such an instruction is defined: of VFP, SIMD, debug or system control, or a load,
 * store or move that other coprocessors have had.
 */
bool arm_is_coprocessor_defined(uint32_t word);
/* Appends the effect of a coprocessor instruction. `pc`: the PC as the instruction reads it. */
void arm_coprocessor(uint32_t word, uint64_t pc, struct insn *out);
/* Returns the mask of core registers that it uses, as arm_reads. */
uint64_t arm_coprocessor_reads(uint32_t word);

/* Appends the effect of vld1 ... vst4 (highest byte: A32 0xf4, T32 0xf9; bit 20 clear). */
void arm_vector_memory(uint32_t word, struct insn *out);

#endif
