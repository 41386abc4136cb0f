/* SPDX-License-Identifier: MIT */
/* The addresses of code that a DIE is of: DW_AT_low_pc and high_pc, or DW_AT_ranges. */
#ifndef VARIABLES_DWARF_READER_PC_RANGES_H
#define VARIABLES_DWARF_READER_PC_RANGES_H

#include "variables/dwarf/reader/reader.h"

#define PC_RANGES_MAX 65536 /* of a DIE; the rest is left out */

/* Adds them, in the order of the debug information, without those that are empty. */
void pc_ranges_of(struct debug_reader *reader, const struct debug_die *die,
                  struct pc_ranges *ranges);

#endif
