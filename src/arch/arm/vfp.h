/* SPDX-License-Identifier: MIT */
/*
 * Coprocessor, floating-point and Advanced SIMD instructions: what they do to core registers and
 * memory. Decoded by mask: Capstone 4's tables lack results (mrc, mrrc) and write-back (vpush, vst1
 * with a register), and do not know all of ARMv8; Capstone 5's know no coprocessors but the
 * debugger's and system control.
 *
 * A32 and T32 encode them alike but for the highest byte. A T32 instruction is given as one word,
 * its first halfword above.
 */
#ifndef ARCH_ARM_VFP_H
#define ARCH_ARM_VFP_H

#include <stdbool.h>
#include <stdint.h>

struct insn;

/*
 * mcr, mrc, cdp, ldc, stc and all of VFP: bits 27-24 are 1100, 1101 or 1110. A T32 word begins with
 * 111.
 */
bool arm_is_coprocessor(uint32_t word);
/*
 * Is it an instruction of VFP, SIMD, debug or system control, or one that other coprocessors have,
 * too?
 */
bool arm_is_coprocessor_defined(uint32_t word);
/* `pc`: what reading the PC gives, for a literal. */
void arm_coprocessor(uint32_t word, uint64_t pc, struct insn *out);
/* The core registers it uses, as arm_reads. */
uint64_t arm_coprocessor_reads(uint32_t word);

/* vld1 … vst4: A32 0xf4, T32 0xf9, bit 20 clear. */
void arm_vector_memory(uint32_t word, struct insn *out);

#endif
