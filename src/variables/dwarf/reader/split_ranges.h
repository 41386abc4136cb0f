/* SPDX-License-Identifier: MIT */
/* Range lists by index in split files (.debug_rnglists.dwo), which libdwarf does not read. */
#ifndef VARIABLES_DWARF_READER_SPLIT_RANGES_H
#define VARIABLES_DWARF_READER_SPLIT_RANGES_H

#include "base/cursor.h"
#include "variables/dwarf/reader/reader.h"

/* Finds the unit's list number `index`. False: none. */
bool split_ranges_find(struct debug_reader *reader, const struct debug_die *die, uint64_t index,
                       struct cursor *list);

/* Reads the next entry: DW_RLE_..., and up to two operands. False: the list ends, or is damaged. */
bool split_ranges_next(struct cursor *list, unsigned address_size, uint8_t *code, uint64_t *first,
                       uint64_t *second);

#endif
