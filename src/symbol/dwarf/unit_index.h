/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: which unit an address is of: by .debug_aranges (DWARF 5, 6.1.2), and for
 * units that it does not list by the ranges of the unit's own DIE.
 */
#ifndef SYMBOL_DWARF_UNIT_INDEX_H
#define SYMBOL_DWARF_UNIT_INDEX_H

#include "base/interval.h"
#include "base/status.h"
#include "symbol/dwarf/dwarf_file.h"

/* The ids are indexes in file->units. */
MUST_CHECK enum status unit_index_create(struct dwarf_file *file, struct interval_set **out);

#endif
