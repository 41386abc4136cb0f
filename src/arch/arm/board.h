/* SPDX-License-Identifier: MIT */
/* Private to arch/arm: the table for dumps of its boards (arch/analysis/board.h). */
#ifndef ARCH_ARM_BOARD_H
#define ARCH_ARM_BOARD_H

#include "arch/analysis/board.h"

extern const struct board_arch arm_board;

#endif
