/* SPDX-License-Identifier: MIT */
/* Reads the parts of a type: members, enumerators, dimensions, parameters, virtual methods. */
#ifndef VARIABLES_DWARF_READER_TYPE_MEMBERS_H
#define VARIABLES_DWARF_READER_TYPE_MEMBERS_H

#include "variables/dwarf/reader/reader.h"
#include "variables/model/type.h"

/*
 * Writes the parts of the type `die` to reader->answer. `kind`, `size` (bytes) and `encoding`
 * (DW_ATE_…) are the type's.
 */
void type_members_write(struct debug_reader *reader, const struct debug_die *die,
                        enum type_kind kind, uint64_t size, uint8_t encoding);

#endif
