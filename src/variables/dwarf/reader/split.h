/* SPDX-License-Identifier: MIT */
/*
 * Split DWARF: finds the file with a skeleton's DIEs among the known files, or asks the parent for
 * it, since only the parent can open files.
 */
#ifndef VARIABLES_DWARF_READER_SPLIT_H
#define VARIABLES_DWARF_READER_SPLIT_H

#include "variables/dwarf/reader/reader.h"

/*
 * Returns the split unit with the DIEs of `skeleton`; NULL: `skeleton` is none, or the file is not
 * available.
 */
struct debug_unit *split_find(struct debug_reader *reader, struct debug_unit *skeleton);

#endif
