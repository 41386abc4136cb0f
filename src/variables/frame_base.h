/* SPDX-License-Identifier: MIT */
/*
 * Checks that the register by which a frame's variables are found has the value that it has in the
 * function's body.
 *
 * Debug information tells the places of variables for the body. In the first and last instructions
 * the frame pointer is the caller's and SP changes, and while arguments are pushed SP is lower:
 * addresses would be wrong. Rows tell where the register is right: where the CFA is computed from
 * the frame pointer, or SP is as far from the CFA as where the body begins.
 */
#ifndef VARIABLES_FRAME_BASE_H
#define VARIABLES_FRAME_BASE_H

#include "variables/frame.h"

/* Returns KNOWN if the frame base is right at the frame's PC; else why not. */
struct known_how frame_base_is_set(const struct frame_view *view);

/*
 * Returns KNOWN if the registers in the variable's location, other than the frame base, are right
 * at the frame's PC; else why not.
 */
struct known_how frame_variable_is_set(const struct frame_view *view,
                                       const struct scope_variable *variable);

/*
 * Whether `value`, evaluated in the frame as it is at the call that it waits for, gives the
 * argument that it passed in `reg` (REG_NONE: elsewhere). Returns KNOWN if the code shows that no
 * register in `value` is written between the write of `reg` and the call, and if SP, where `value`
 * has it, is as in the function's body; also if the frame base is the CFA (gcc). Else returns why
 * not.
 */
struct known_how frame_argument_is_set(const struct frame_view *view, uint64_t reg,
                                       const struct location *value);

#endif
