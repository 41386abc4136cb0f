/* SPDX-License-Identifier: MIT */
/* What functions call, and jump to at their ends. */
#ifndef VARIABLES_DWARF_READER_TARGETS_H
#define VARIABLES_DWARF_READER_TARGETS_H

#include "variables/dwarf/reader/function_tree.h"

/* The functions that it leaves to (tail calls), and whether there are others. */
void targets_write_tails(struct debug_reader *reader, struct function_tree *tree);

#endif
