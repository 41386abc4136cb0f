/* SPDX-License-Identifier: MIT */
/*
 * Low-overhead loops of ARMv8.1-M (ARM DDI 0553, C2.4: DLS, DLSTP, WLS, WLSTP, LE, LETP, LCTP).
 * While such a loop runs, LR counts how often, and is no return address:
 *
 *        dls  lr, r1        LR = r1
 *     1: …
 *        le   lr, 1b        LR -= 1, and back while it is not 0
 *
 * Other processors have no instructions here, and Capstone does not know these.
 */
#ifndef ARCH_ARM_LOOP_H
#define ARCH_ARM_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/analysis/insn.h"

/* `word`: the first halfword above the second; `pc`: the instruction's address + 4. */
bool arm_loop(uint32_t word, uint64_t pc, struct insn *out);

#endif
