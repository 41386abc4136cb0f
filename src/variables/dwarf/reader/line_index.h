/* SPDX-License-Identifier: MIT */
/* Where functions' prologues end, by the line table of their unit. */
#ifndef VARIABLES_DWARF_READER_LINE_INDEX_H
#define VARIABLES_DWARF_READER_LINE_INDEX_H

#include "variables/dwarf/reader/reader.h"

/*
 * Within [entry_vaddr, end_vaddr): the first line that says that the prologue is over, or else the
 * second line; `entry_vaddr` where there is none. `unit` is the one with code: a skeleton.
 */
uint64_t line_index_body(struct debug_reader *reader, struct debug_unit *unit, uint64_t entry_vaddr,
                         uint64_t end_vaddr);

#endif
