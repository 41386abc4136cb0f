/* SPDX-License-Identifier: MIT */
/* arm: names of registers, by their number. */
#include "arch/arch.h"

const char *const arm_reg_names[] = {"r0", "r1", "r2",   "r3",  "r4",  "r5",  "r6",
                                     "r7", "r8", "r9",   "r10", "r11", "r12", "sp",
                                     "lr", "pc", "cpsr", "msp", "psp"};
