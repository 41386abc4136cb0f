/* SPDX-License-Identifier: MIT */
/* Finds the definitions, by name, of types that are incomplete where they are used. */
#ifndef VARIABLES_DWARF_READER_DEFINITIONS_H
#define VARIABLES_DWARF_READER_DEFINITIONS_H

#include "variables/dwarf/reader/attributes.h"

/*
 * Returns the definition of the type whose DIE `chain` begins with. 0: there is none, there are
 * several of different sizes, or it was not found yet: one call searches the units for at most half
 * the time of an answer, and the next call goes on.
 */
die_ref definition_of(struct debug_reader *reader, const struct die_chain *chain);

#endif
