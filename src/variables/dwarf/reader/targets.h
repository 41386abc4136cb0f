/* SPDX-License-Identifier: MIT */
/* Functions that a function leaves to by a jump at its end. */
#ifndef VARIABLES_DWARF_READER_TARGETS_H
#define VARIABLES_DWARF_READER_TARGETS_H

#include "variables/dwarf/reader/function_tree.h"

/* Writes the targets of the function's tail calls, and whether there are others. */
void targets_write_tails(struct debug_reader *reader, struct function_tree *tree);

#endif
