/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the address ranges of a DIE: DW_AT_low_pc and DW_AT_high_pc, or DW_AT_ranges
 * with .debug_ranges (DWARF 4, 2.17.3) or .debug_rnglists (DWARF 5, 2.17.3 and 7.25).
 */
#ifndef SYMBOL_DWARF_DIE_RANGES_H
#define SYMBOL_DWARF_DIE_RANGES_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/dwarf/die.h"

/* Takes a range [start_vaddr, end_vaddr). A status other than OK ends die_ranges. */
typedef enum status die_range_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr);

/*
 * Calls `report` for each range of a DIE of `unit`, given by its attributes, that begins in
 * executable code, cut at the section's end: the linker leaves ranges of dropped code at or near 0.
 * Each entry of a list takes one from file->range_budget. A list ends at damage. Returns the first
 * status of `report` that is not OK; else OK.
 */
MUST_CHECK enum status die_ranges(struct dwarf_file *file, struct dwarf_unit *unit,
                                  const struct die_values *values, die_range_fn *report,
                                  void *context);

#endif
