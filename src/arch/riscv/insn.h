/* SPDX-License-Identifier: MIT */
/* The instruction sets of RISC-V, of 64 and of 32 bits, with all extensions that are known. */
#ifndef ARCH_RISCV_INSN_H
#define ARCH_RISCV_INSN_H

#include "arch/analysis/insn.h"

extern const struct insn_set insn_set_rv64, insn_set_rv32;

#endif
