/* SPDX-License-Identifier: MIT */
/*
 * Decodes loads, stores and moves of ARMv8.1-M's vectors (MVE; ARM DDI 0553, C2.4: VLDR, VSTR,
 * VLD2, VST4, VMOV). Their encodings are those of coprocessors 14 and 15, but they count distances
 * in other units and store more.
 */
#ifndef ARCH_ARM_MVE_H
#define ARCH_ARM_MVE_H

#include <stdbool.h>
#include <stdint.h>

struct insn;

/*
 * Appends the effect on core registers and memory of a T32 instruction (first halfword in the upper
 * half). False: it is none of these.
 */
bool arm_mve_memory(uint32_t word, struct insn *out);

#endif
