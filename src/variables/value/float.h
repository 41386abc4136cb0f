/* SPDX-License-Identifier: MIT */
/* Floating-point numbers of all formats of C compilers, decoded without this machine's help. */
#ifndef VARIABLES_VALUE_FLOAT_H
#define VARIABLES_VALUE_FLOAT_H

#include "variables/value/telling.h"

/* Writes a float, also a complex one. */
void tell_float(struct telling *telling, const struct value_view *view);

#endif
