/* SPDX-License-Identifier: MIT */
/* Finds where functions' prologues end, by the line table of their unit. */
#ifndef VARIABLES_DWARF_READER_LINE_INDEX_H
#define VARIABLES_DWARF_READER_LINE_INDEX_H

#include "variables/dwarf/reader/reader.h"

/*
 * Returns the first address in [entry_vaddr, end_vaddr) with prologue_end, if none has it the
 * address of the second line there, and without that entry_vaddr. `unit` is the unit with the line
 * table: for a split unit its skeleton.
 */
uint64_t line_index_body(struct debug_reader *reader, struct debug_unit *unit, uint64_t entry_vaddr,
                         uint64_t end_vaddr);

#endif
