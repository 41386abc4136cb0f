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
 * If the T32 instruction `word` (first halfword in the upper half) is a load, store or move of MVE
 * vectors, appends its effect on core registers and memory to `out`. False: it is another.
 */
bool arm_mve_memory(uint32_t word, struct insn *out);

#endif
