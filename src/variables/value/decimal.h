/* SPDX-License-Identifier: MIT */
/*
 * Numbers in decimal that no type of this machine may have: integers of any size, and floats with
 * more digits or a larger exponent than double has.
 */
#ifndef VARIABLES_VALUE_DECIMAL_H
#define VARIABLES_VALUE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DECIMAL_TEXT_MAX      64
#define DECIMAL_INT_BYTES_MAX 16
#define DECIMAL_EXPONENT_MAX  16500

/* A little-endian integer. */
void decimal_integer(const uint8_t *bytes, size_t size, bool is_signed,
                     char text[DECIMAL_TEXT_MAX]);

/*
 * mantissa * 2^exponent, whose mantissa has two words, the lower one first, as printf's %g has it
 * with `digits` digits, at most 40, correctly rounded. The exponent is at most DECIMAL_EXPONENT_MAX
 * away from 0.
 */
void decimal_float(const uint64_t mantissa[2], int exponent, unsigned digits,
                   char text[DECIMAL_TEXT_MAX]);

#endif
