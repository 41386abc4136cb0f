/* SPDX-License-Identifier: MIT */
/* Location expressions, as decode.h reads them. */
#ifndef VARIABLES_DWARF_READER_EXPRESSIONS_H
#define VARIABLES_DWARF_READER_EXPRESSIONS_H

#include "variables/dwarf/reader/reader.h"

enum expression_found {
    EXPRESSION_NONE,    /* there is no such attribute, or no place at this address */
    EXPRESSION_SINGLE,  /* written: one for all addresses */
    EXPRESSION_LISTED,  /* written: of a list */
    EXPRESSION_DAMAGED, /* not written */
};

/* Writes the expression that the attribute has for `vaddr`. One without operations is none. */
enum expression_found expression_write(struct debug_reader *reader, const struct debug_die *die,
                                       uint16_t at, uint64_t vaddr);

/* An expression of no operations. */
void expression_write_empty(struct debug_reader *reader);

#endif
