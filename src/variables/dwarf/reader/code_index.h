/* SPDX-License-Identifier: MIT */
/*
 * Functions with code of a unit, and the DIEs that qualify names (namespaces, classes), by one walk
 * over all its DIEs, since libdwarf does not tell a DIE's parent.
 */
#ifndef VARIABLES_DWARF_READER_CODE_INDEX_H
#define VARIABLES_DWARF_READER_CODE_INDEX_H

#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/reader/reader.h"

struct indexed_function {
    uint64_t start, end;
    uint64_t max_end; /* largest `end` up to this one */
    uint64_t die_off;
};

struct naming_die {
    uint64_t off, last_off; /* its own, and the last DIE's in it */
    uint32_t parent;        /* index plus 1; 0: none */
    uint16_t tag;
};

struct code_index {
    struct indexed_function *functions; /* by address, one for each range */
    size_t function_count, function_cap;
    struct naming_die *naming; /* by offset */
    size_t naming_count, naming_cap;
    struct map trees; /* function's offset -> struct function_tree */
};

/* Returns the unit's index, made at the first call; never NULL. */
struct code_index *code_index_of(struct debug_reader *reader, struct debug_unit *unit);

/* Returns the smallest function whose code has `vaddr`; NULL: none in this unit. */
struct indexed_function *code_index_find(const struct code_index *index, uint64_t vaddr);

/* Returns "a::b::name", malloc'ed, the caller's; NULL: no name. */
char *die_qualified_name(struct debug_reader *reader, const struct die_chain *chain);

#endif
