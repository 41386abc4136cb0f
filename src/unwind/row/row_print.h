/* SPDX-License-Identifier: MIT */
/* Writes rows as text, in the manner of `readelf -wF`. */
#ifndef UNWIND_ROW_ROW_PRINT_H
#define UNWIND_ROW_ROW_PRINT_H

#include <stddef.h>

#include "unwind/row/row.h"

/*
 * Writes the CFA's rule to `buffer`, which it returns: "rsp+16", "[rbp-8]+0" (CFA_DEREF), "exp",
 * "u" for unknown. A text longer than `size` bytes is cut.
 */
const char *row_format_cfa(const struct row *row, const struct arch *arch, char *buffer,
                           size_t size);

/*
 * Writes a register's rule to `buffer`, which it returns. A text longer than `size` bytes is cut.
 *
 *     c-8      saved at CFA - 8              exp   saved where an expression says
 *     v+0      CFA + 0                       vexp  value of an expression
 *     rbx      in rbx                        s     same value
 *     [rbp-8]  saved at rbp - 8              u     undefined; "": unspecified
 */
const char *rule_format(const struct rule *rule, const struct arch *arch, char *buffer,
                        size_t size);

/*
 * Writes a row to `buffer` as cgrules prints it, without newline, and returns the text's length:
 *
 *     0000000000001000 0000000000001010 rsp+16     ra=c-8 rbx=c-16
 *
 * For a signal frame " signal-frame" follows. Registers that keep their value or are unspecified,
 * PC and LR are left out.
 */
#define ROW_TEXT_MAX 4096
size_t row_format(const struct row *row, const struct arch *arch, char buffer[ROW_TEXT_MAX]);

#endif
