/* SPDX-License-Identifier: MIT */
/* Finds the functions that a function jumps to at its end (tail calls). */
#ifndef VARIABLES_DWARF_READER_TARGETS_H
#define VARIABLES_DWARF_READER_TARGETS_H

#include "variables/dwarf/reader/function_tree.h"

/*
 * Writes the known targets of the function's tail calls to reader->answer, and whether there are
 * others.
 */
void targets_write_tails(struct debug_reader *reader, struct function_tree *tree);

#endif
