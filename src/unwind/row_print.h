/* Rows as text, in the manner of `readelf -wF`. */
#ifndef UNWIND_ROW_PRINT_H
#define UNWIND_ROW_PRINT_H

#include <stddef.h>

#include "unwind/row.h"

/* "rsp+16", "[rbp-8]", "exp", "u" for unknown. Returns `buffer`. */
const char *row_format_cfa(const struct row *row, const struct arch *arch, char *buffer,
                           size_t size);

/* "c-8" saved at CFA-8, "v+0" is CFA+0, "rbx" in a register, "[rbp-8]", "exp", "s" same, "u" undefined, "" unspecified. */
const char *rule_format(const struct rule *rule, const struct arch *arch, char *buffer,
                        size_t size);

#endif
