/* SPDX-License-Identifier: MIT */
/* Declares RISC-V's instruction sets, of 64 and of 32 bits, with all extensions in rows.h. */
#ifndef ARCH_RISCV_INSN_H
#define ARCH_RISCV_INSN_H

#include "arch/analysis/insn.h"

extern const struct insn_set insn_set_rv64, insn_set_rv32;

#endif
