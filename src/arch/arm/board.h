/* SPDX-License-Identifier: MIT */
/* Declares the table for dumps of ARM's boards (arch/analysis/board.h). Private to arch/arm. */
#ifndef ARCH_ARM_BOARD_H
#define ARCH_ARM_BOARD_H

#include "arch/analysis/board.h"

extern const struct board_arch arm_board;

#endif
