/* SPDX-License-Identifier: MIT */
/* Rows as text, in the manner of `readelf -wF`. */
#ifndef UNWIND_ROW_ROW_PRINT_H
#define UNWIND_ROW_ROW_PRINT_H

#include <stddef.h>

#include "unwind/row/row.h"

/* "rsp+16", "[rbp-8]", "exp", "u" for unknown. Returns `buffer`. */
const char *row_format_cfa(const struct row *row, const struct arch *arch, char *buffer,
                           size_t size);

/*
 * "c-8" saved at CFA-8, "v+0" is CFA+0, "rbx" in a register, "[rbp-8]", "exp", "s" same, "u"
 * undefined, "" unspecified.
 */
const char *rule_format(const struct rule *rule, const struct arch *arch, char *buffer,
                        size_t size);

/*
 * A row as cgrules prints it, without a line's end:
 *
 *     0000000000001000 0000000000001010 rsp+16     ra=c-8 rbx=c-16
 *
 * and "signal-frame". Registers that keep their value are left out. Returns the length.
 */
#define ROW_TEXT_MAX 4096
size_t row_format(const struct row *row, const struct arch *arch, char buffer[ROW_TEXT_MAX]);

#endif
