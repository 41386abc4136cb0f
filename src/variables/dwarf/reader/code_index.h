/* SPDX-License-Identifier: MIT */
/*
 * What a unit has, by one walk over all its DIEs: functions with code, and the DIEs that give names
 * to what is inside them (namespaces, classes), as libdwarf does not tell a DIE's parent.
 */
#ifndef VARIABLES_DWARF_READER_CODE_INDEX_H
#define VARIABLES_DWARF_READER_CODE_INDEX_H

#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/reader/reader.h"

struct indexed_function {
    uint64_t start, end;
    uint64_t max_end; /* of this one and those before it */
    uint64_t die_off;
};

struct naming_die {
    uint64_t off, last_off; /* its own, and the last DIE's within it */
    uint32_t parent;        /* its number plus 1 */
    uint16_t tag;
};

struct code_index {
    struct indexed_function *functions; /* by address, one for each of their ranges */
    size_t function_count, function_cap;
    struct naming_die *naming; /* by offset */
    size_t naming_count, naming_cap;
    struct map trees; /* function_tree.h: of functions, by the DIE */
};

/* Never NULL. */
struct code_index *code_index_of(struct debug_reader *reader, struct debug_unit *unit);

/* The function whose code has `vaddr`, the smallest one; NULL: none of this unit's. */
struct indexed_function *code_index_find(const struct code_index *index, uint64_t vaddr);

/* "a::b::name" of the DIE, malloc'ed; NULL: it has no name. */
char *die_qualified_name(struct debug_reader *reader, const struct die_chain *chain);

#endif
