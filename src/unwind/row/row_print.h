/* SPDX-License-Identifier: MIT */
/* Rows as text, in the manner of `readelf -wF`. */
#ifndef UNWIND_ROW_ROW_PRINT_H
#define UNWIND_ROW_ROW_PRINT_H

#include <stddef.h>

#include "unwind/row/row.h"

/*
 * Writes the CFA's rule: "rsp+16", "[rbp-8]+0" (CFA_DEREF), "exp", "u" for unknown. Returns
 * `buffer`; a text longer than `size` is cut.
 */
const char *row_format_cfa(const struct row *row, const struct arch *arch, char *buffer,
                           size_t size);

/*
 * Writes a register's rule; returns `buffer`; a text longer than `size` is cut.
 *
 *     c-8      saved at CFA - 8              exp   saved where an expression says
 *     v+0      CFA + 0                       vexp  value of an expression
 *     rbx      in rbx                        s     same value
 *     [rbp-8]  saved at rbp - 8              u     undefined; "": unspecified
 */
const char *rule_format(const struct rule *rule, const struct arch *arch, char *buffer,
                        size_t size);

/*
 * Writes a row as cgrules prints it, without newline, and returns the length:
 *
 *     0000000000001000 0000000000001010 rsp+16     ra=c-8 rbx=c-16
 *
 * A signal frame has " signal-frame" behind. Registers that are the same or unspecified, PC and LR
 * are left out.
 */
#define ROW_TEXT_MAX 4096
size_t row_format(const struct row *row, const struct arch *arch, char buffer[ROW_TEXT_MAX]);

#endif
