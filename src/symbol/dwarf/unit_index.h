/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: which unit holds an address: by .debug_aranges (DWARF 5, 6.1.2), and for
 * units that it does not list by the ranges of the unit's own DIE.
 */
#ifndef SYMBOL_DWARF_UNIT_INDEX_H
#define SYMBOL_DWARF_UNIT_INDEX_H

#include "base/interval.h"
#include "base/status.h"
#include "symbol/dwarf/dwarf_file.h"

/* Makes the set of ranges, the caller's; ids: indexes in file->units. Fails with NO_MEMORY only. */
MUST_CHECK enum status unit_index_create(struct dwarf_file *file, struct interval_set **out);

#endif
