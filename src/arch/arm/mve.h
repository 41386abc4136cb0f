/* SPDX-License-Identifier: MIT */
/*
 * Loads, stores and moves of ARMv8.1-M's vectors (MVE; ARM DDI 0553, C2.4: VLDR, VSTR, VLD2, VST4,
 * VMOV). They lie among the coprocessors' instructions, as those of coprocessors 14 and 15, but
 * count distances in other units and store more.
 */
#ifndef ARCH_ARM_MVE_H
#define ARCH_ARM_MVE_H

#include <stdbool.h>
#include <stdint.h>

struct insn;

/* Of a T32 word, its first halfword above. False: it is none of these. */
bool arm_mve_memory(uint32_t word, struct insn *out);

#endif
