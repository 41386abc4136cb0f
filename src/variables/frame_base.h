/* SPDX-License-Identifier: MIT */
/*
 * Checks that the register by which a frame's variables are found has its value of the function's
 * body.
 *
 * Debug information places variables for the body. In the first and last instructions the frame
 * pointer is the caller's and SP on its way, and while arguments are pushed SP is lower: addresses
 * would be wrong. Rows tell where the register is right: where the CFA is found by the frame
 * pointer, or SP is as far from the CFA as where the body begins.
 */
#ifndef VARIABLES_FRAME_BASE_H
#define VARIABLES_FRAME_BASE_H

#include "variables/frame.h"

/* Known: the frame base holds at this PC. */
struct known_how frame_base_is_set(const struct frame_view *view);

/* Known: the registers in the variable's location, apart from the frame base, hold at this PC. */
struct known_how frame_variable_is_set(const struct frame_view *view,
                                       const struct scope_variable *variable);

/*
 * The same for a call that the frame waits for: the registers in the location `value` of an
 * argument that it passed in `reg` (REG_NONE: elsewhere).
 */
struct known_how frame_argument_is_set(const struct frame_view *view, uint64_t reg,
                                       const struct location *value);

#endif
