/* SPDX-License-Identifier: MIT */
/* Definitions, by name, of types that are incomplete where they are used. */
#ifndef VARIABLES_DWARF_READER_DEFINITIONS_H
#define VARIABLES_DWARF_READER_DEFINITIONS_H

#include "variables/dwarf/reader/attributes.h"

/*
 * Returns the definition of a type; 0: none, definitions of different sizes, or not found yet: a
 * search through all units takes at most half the time of an answer, and the next call goes on.
 */
die_ref definition_of(struct debug_reader *reader, const struct die_chain *chain);

#endif
