/* SPDX-License-Identifier: MIT */
/*
 * Floating-point numbers of all the sizes and formats that C compilers have: decoded here, as this
 * machine need not have them.
 */
#ifndef VARIABLES_VALUE_FLOAT_H
#define VARIABLES_VALUE_FLOAT_H

#include "variables/value/telling.h"

/* Complex ones, too. */
void tell_float(struct telling *telling, const struct value_view *view);

#endif
