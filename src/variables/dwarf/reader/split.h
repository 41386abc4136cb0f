/* SPDX-License-Identifier: MIT */
/*
 * Split DWARF: the file that has a skeleton's DIEs is known already, or the parent is asked for it,
 * which alone can open files.
 */
#ifndef VARIABLES_DWARF_READER_SPLIT_H
#define VARIABLES_DWARF_READER_SPLIT_H

#include "variables/dwarf/reader/reader.h"

/* The unit that has the DIEs of `skeleton`; NULL: it is no skeleton, or its file is not there. */
struct debug_unit *split_find(struct debug_reader *reader, struct debug_unit *skeleton);

#endif
