/* SPDX-License-Identifier: MIT */
/* Writes location expressions to reader->answer, for decode.h. */
#ifndef VARIABLES_DWARF_READER_EXPRESSIONS_H
#define VARIABLES_DWARF_READER_EXPRESSIONS_H

#include "variables/dwarf/reader/reader.h"

enum expression_found {
    EXPRESSION_NONE,    /* nothing written: no such attribute, or no location at this address */
    EXPRESSION_SINGLE,  /* an expression was written, which is valid at all addresses */
    EXPRESSION_LISTED,  /* written; from a list of locations by address */
    EXPRESSION_DAMAGED, /* nothing was written, as the attribute cannot be read */
};

/*
 * Writes the expression of attribute `at` (DW_AT_…) that holds at `vaddr`, and says which it is. An
 * expression without operations counts as NONE.
 */
enum expression_found expression_write(struct debug_reader *reader, const struct debug_die *die,
                                       uint16_t at, uint64_t vaddr);

/* Writes an expression without operations: no location. */
void expression_write_empty(struct debug_reader *reader);

#endif
