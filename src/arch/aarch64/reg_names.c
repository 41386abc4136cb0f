/* SPDX-License-Identifier: MIT */
/* aarch64: names of registers, by their number. */
#include "arch/arch.h"

const char *const aarch64_reg_names[] = {"x0",  "x1",  "x2",  "x3",  "x4",  "x5",           "x6",
                                         "x7",  "x8",  "x9",  "x10", "x11", "x12",          "x13",
                                         "x14", "x15", "x16", "x17", "x18", "x19",          "x20",
                                         "x21", "x22", "x23", "x24", "x25", "x26",          "x27",
                                         "x28", "x29", "x30", "sp",  "pc",  "ra_sign_state"};
