/* SPDX-License-Identifier: MIT */
/*
 * Prints in decimal numbers that this machine may have no type for: integers of any size, and
 * floats with more digits or a larger exponent than double.
 */
#ifndef VARIABLES_VALUE_DECIMAL_H
#define VARIABLES_VALUE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DECIMAL_TEXT_MAX      64
#define DECIMAL_INT_BYTES_MAX 16
#define DECIMAL_EXPONENT_MAX  16500

/*
 * Prints the little-endian integer of `size` bytes; bytes beyond DECIMAL_INT_BYTES_MAX are ignored.
 */
void decimal_integer(const uint8_t *bytes, size_t size, bool is_signed,
                     char text[DECIMAL_TEXT_MAX]);

/*
 * Prints mantissa * 2^exponent, correctly rounded, as printf's %g with `digits` digits (at most
 * 40). The mantissa's lower word comes first; the exponent is cut to +-DECIMAL_EXPONENT_MAX.
 */
void decimal_float(const uint64_t mantissa[2], int exponent, unsigned digits,
                   char text[DECIMAL_TEXT_MAX]);

#endif
