/* SPDX-License-Identifier: MIT */
/*
 * Is the register that a frame's variables are found by what they are found by?
 *
 * Debug information tells where variables are in the body of a function. In its first and last
 * instructions the frame pointer is the caller's and SP on its way, and where arguments are pushed
 * SP is lower: the address would be another. Rows tell where that is: the CFA is found by the
 * frame pointer, or SP is as far from it as it is where the body begins.
 */
#ifndef VARIABLES_FRAME_BASE_H
#define VARIABLES_FRAME_BASE_H

#include "variables/frame.h"

/* Is the frame base? Not known: it is not. */
struct known_how frame_base_is_set(const struct frame_view *view);

/* Is that by which the variable is found, if it is not just by the frame base? */
struct known_how frame_variable_is_set(const struct frame_view *view,
                                       const struct scope_variable *variable);

/*
 * Is what the value of an argument, which was passed in `reg` (REG_NONE: elsewhere), is told by, at
 * the call that the frame waits for?
 */
struct known_how frame_argument_is_set(const struct frame_view *view, uint64_t reg,
                                       const struct location *value);

#endif
