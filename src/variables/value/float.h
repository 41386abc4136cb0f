/* SPDX-License-Identifier: MIT */
/*
 * Writes floating-point numbers of all formats of C compilers, decoded without this machine's own
 * floating-point types.
 */
#ifndef VARIABLES_VALUE_FLOAT_H
#define VARIABLES_VALUE_FLOAT_H

#include "variables/value/telling.h"

/* Writes the floating-point number at the view, real or complex; or why it is not known. */
void tell_float(struct telling *telling, const struct value_view *view);

#endif
