/* SPDX-License-Identifier: MIT */
/*
 * What a frame's function was called with (DW_OP_entry_value, DW_OP_GNU_parameter_ref): by what the
 * caller's call site says that it passed (DWARF 5, 3.4), computed in the caller's frame.
 *
 * It holds if that call is the one that led here. The call must be of this function; and a function
 * that can come back to its own begin by jumps (tail calls) may have other arguments by now.
 */
#ifndef VARIABLES_FRAME_ENTRY_H
#define VARIABLES_FRAME_ENTRY_H

#include "variables/frame.h"

/* The object that a parameter was when the function was entered, if a register had all of it. */
struct known_how frame_entry_object(struct frame_view *view, const struct scope_variable *variable,
                                    struct object *object);

/* As in struct location_frame, of a frame_view. */
struct known_how frame_entry_value(void *context, const struct location *inner, unsigned nest,
                                   uint64_t *value);
struct known_how frame_entry_parameter(void *context, die_ref parameter, unsigned nest,
                                       uint64_t *value);

#endif
