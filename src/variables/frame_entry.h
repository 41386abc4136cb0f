/* SPDX-License-Identifier: MIT */
/*
 * Computes values at the entry of a frame's function (DW_OP_entry_value, DW_OP_GNU_parameter_ref),
 * in the caller's frame from its call site (DWARF 5, 3.4).
 *
 * A value is known only if that call led here: it must be a call of this function, and the function
 * must not be able to get back to its own beginning by jumps (tail calls), where its arguments may
 * differ.
 */
#ifndef VARIABLES_FRAME_ENTRY_H
#define VARIABLES_FRAME_ENTRY_H

#include "variables/frame.h"

/*
 * Sets *object to the object that a parameter was at the function's entry, if one integer register
 * held all of it; returns why it is not known, if it is not.
 */
struct known_how frame_entry_object(struct frame_view *view, const struct scope_variable *variable,
                                    struct object *object);

/*
 * The functions `entry_value` and `parameter` of struct location_frame; `context` is a struct
 * frame_view.
 */
struct known_how frame_entry_value(void *context, const struct location *inner, unsigned nest,
                                   uint64_t *value);
struct known_how frame_entry_parameter(void *context, die_ref parameter, unsigned nest,
                                       uint64_t *value);

#endif
