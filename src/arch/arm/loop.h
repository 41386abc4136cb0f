/* SPDX-License-Identifier: MIT */
/*
 * Decodes the low-overhead loops of ARMv8.1-M (ARM DDI 0553, C2.4: DLS, DLSTP, WLS, WLSTP, LE,
 * LETP, LCTP). In such a loop LR is a counter and no return address:
 *
 *        dls  lr, r1        LR = r1
 *     1: ...
 *        le   lr, 1b        LR -= 1, and back while it is not 0
 *
 * These encodings are undefined on other processors; Capstone does not know them.
 */
#ifndef ARCH_ARM_LOOP_H
#define ARCH_ARM_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/analysis/insn.h"

/*
 * Fills `out` with the effect and flow of the T32 instruction `word` (first halfword in the upper
 * half), if it is one of DLS, DLSTP, WLS, WLSTP, LE, LETP, LCTP; else returns false. `pc`: the
 * instruction's address + 4.
 */
bool arm_loop(uint32_t word, uint64_t pc, struct insn *out);

#endif
