/* SPDX-License-Identifier: MIT */
/* i386: names of registers, by their number. */
#include "arch/arch.h"

const char *const i386_reg_names[] = {"eax", "ecx", "edx", "ebx", "esp",
                                      "ebp", "esi", "edi", "eip"};
