/* SPDX-License-Identifier: MIT */
/* Writes location expressions, for decode.h. */
#ifndef VARIABLES_DWARF_READER_EXPRESSIONS_H
#define VARIABLES_DWARF_READER_EXPRESSIONS_H

#include "variables/dwarf/reader/reader.h"

enum expression_found {
    EXPRESSION_NONE,    /* not written: no such attribute, or no location at this address */
    EXPRESSION_SINGLE,  /* written: valid at all addresses */
    EXPRESSION_LISTED,  /* written: from a list */
    EXPRESSION_DAMAGED, /* not written */
};

/* Writes the attribute's expression for `vaddr`. One without operations is NONE. */
enum expression_found expression_write(struct debug_reader *reader, const struct debug_die *die,
                                       uint16_t at, uint64_t vaddr);

/* Writes an expression without operations. */
void expression_write_empty(struct debug_reader *reader);

#endif
