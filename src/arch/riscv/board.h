/* SPDX-License-Identifier: MIT */
/* Private to arch/riscv, riscv32, riscv64: tables for dumps of boards (arch/analysis/board.h). */
#ifndef ARCH_RISCV_BOARD_H
#define ARCH_RISCV_BOARD_H

#include "arch/analysis/board.h"

extern const struct board_arch riscv32_board, riscv64_board;

#endif
