/* SPDX-License-Identifier: MIT */
/*
 * Declares the tables for dumps of RISC-V boards (arch/analysis/board.h). Private to arch/riscv,
 * riscv32 and riscv64.
 */
#ifndef ARCH_RISCV_BOARD_H
#define ARCH_RISCV_BOARD_H

#include "arch/analysis/board.h"

extern const struct board_arch riscv32_board, riscv64_board;

#endif
