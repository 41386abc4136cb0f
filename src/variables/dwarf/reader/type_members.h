/* SPDX-License-Identifier: MIT */
/* What a type consists of: members, enumerators, dimensions, parameters. */
#ifndef VARIABLES_DWARF_READER_TYPE_MEMBERS_H
#define VARIABLES_DWARF_READER_TYPE_MEMBERS_H

#include "variables/dwarf/reader/reader.h"
#include "variables/model/type.h"

/* `size` and `encoding` are the type's. */
void type_members_write(struct debug_reader *reader, const struct debug_die *die,
                        enum type_kind kind, uint64_t size, uint8_t encoding);

#endif
