/* SPDX-License-Identifier: MIT */
/* Reads range lists by index in split files (.debug_rnglists.dwo), which libdwarf does not. */
#ifndef VARIABLES_DWARF_READER_SPLIT_RANGES_H
#define VARIABLES_DWARF_READER_SPLIT_RANGES_H

#include "base/cursor.h"
#include "variables/dwarf/reader/reader.h"

/* Sets *list to the begin of list number `index` of the DIE's unit. False: there is none. */
bool split_ranges_find(struct debug_reader *reader, const struct debug_die *die, uint64_t index,
                       struct cursor *list);

/*
 * Reads the next entry of `list`, and moves past it: sets *code to DW_RLE_..., *first and *second
 * to its operands (0: it has none). False: the list ends, or is damaged.
 */
bool split_ranges_next(struct cursor *list, unsigned address_size, uint8_t *code, uint64_t *first,
                       uint64_t *second);

#endif
