/* SPDX-License-Identifier: MIT */
/* Describes the traps of RISC-V's machine mode, for struct arch_analysis. */
#ifndef ARCH_RISCV_FAULT_H
#define ARCH_RISCV_FAULT_H

#include "arch/analysis/exception.h"

extern const struct exception_arch riscv_exception;

#endif
