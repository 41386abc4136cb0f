/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: finds the unit that holds an address: by .debug_aranges (DWARF 5, 6.1.2), or,
 * for units not listed there, by the ranges of the unit's own DIE.
 */
#ifndef SYMBOL_DWARF_UNIT_INDEX_H
#define SYMBOL_DWARF_UNIT_INDEX_H

#include "base/interval.h"
#include "base/status.h"
#include "symbol/dwarf/dwarf_file.h"

/*
 * Sets *out to the set of the units' ranges, for the caller to destroy; ids are indexes in
 * file->units. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status unit_index_create(struct dwarf_file *file, struct interval_set **out);

#endif
