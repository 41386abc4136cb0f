/* SPDX-License-Identifier: MIT */
/* x86_64: names of registers, by their number. */
#include "arch/arch.h"

const char *const x86_64_reg_names[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi",
                                        "rbp", "rsp", "r8",  "r9",  "r10", "r11",
                                        "r12", "r13", "r14", "r15", "rip"};
