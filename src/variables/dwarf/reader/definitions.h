/* SPDX-License-Identifier: MIT */
/* Where types are defined that are incomplete where they are used, by their names. */
#ifndef VARIABLES_DWARF_READER_DEFINITIONS_H
#define VARIABLES_DWARF_READER_DEFINITIONS_H

#include "variables/dwarf/reader/attributes.h"

/* 0: not found, or not yet: all units are looked through, but not for longer than an answer may
 * take. */
die_ref definition_of(struct debug_reader *reader, const struct die_chain *chain);

#endif
