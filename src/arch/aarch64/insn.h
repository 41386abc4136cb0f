/* SPDX-License-Identifier: MIT */
/* Declares the description of A64, the only instruction set of AArch64. */
#ifndef ARCH_AARCH64_INSN_H
#define ARCH_AARCH64_INSN_H

#include "arch/analysis/insn.h"

extern const struct insn_set insn_set_a64;

#endif
