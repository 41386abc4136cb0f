/* SPDX-License-Identifier: MIT */
/* Ends of functions' prologues, by the line table of their unit. */
#ifndef VARIABLES_DWARF_READER_LINE_INDEX_H
#define VARIABLES_DWARF_READER_LINE_INDEX_H

#include "variables/dwarf/reader/reader.h"

/*
 * Returns the first address in [entry_vaddr, end_vaddr) with prologue_end, else that of the second
 * line, else entry_vaddr. `unit` is the one with the line table: of a split unit the skeleton.
 */
uint64_t line_index_body(struct debug_reader *reader, struct debug_unit *unit, uint64_t entry_vaddr,
                         uint64_t end_vaddr);

#endif
