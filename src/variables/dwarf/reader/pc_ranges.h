/* SPDX-License-Identifier: MIT */
/* Reads the address ranges of a DIE: DW_AT_low_pc and DW_AT_high_pc, or DW_AT_ranges. */
#ifndef VARIABLES_DWARF_READER_PC_RANGES_H
#define VARIABLES_DWARF_READER_PC_RANGES_H

#include "variables/dwarf/reader/reader.h"

#define PC_RANGES_MAX 65536 /* the most ranges of a list; further ones are left out */

/* Adds the DIE's ranges that are not empty to `ranges`, in their order. */
void pc_ranges_of(struct debug_reader *reader, const struct debug_die *die,
                  struct pc_ranges *ranges);

#endif
