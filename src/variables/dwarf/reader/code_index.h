/* SPDX-License-Identifier: MIT */
/*
 * Lists a unit's functions with code, and the DIEs that qualify names (namespaces, classes), by one
 * walk over all the unit's DIEs, since libdwarf does not tell a DIE's parent.
 */
#ifndef VARIABLES_DWARF_READER_CODE_INDEX_H
#define VARIABLES_DWARF_READER_CODE_INDEX_H

#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/reader/reader.h"

struct indexed_function {
    uint64_t start, end;
    uint64_t max_end; /* largest `end` of this one and those before */
    uint64_t die_off;
};

struct naming_die {
    uint64_t off, last_off; /* offset of the DIE, and of the last DIE in it */
    uint32_t parent;        /* index in `naming` of the naming DIE around it, plus 1; 0: none */
    uint16_t tag;
};

struct code_index {
    struct indexed_function *functions; /* sorted by start, one entry for each address range */
    size_t function_count, function_cap;
    /* DIEs whose names qualify those of functions inside of them, sorted by offset */
    struct naming_die *naming;
    size_t naming_count, naming_cap;
    struct map trees; /* offset of the function's DIE -> its struct function_tree */
};

/* Returns the unit's index, made at the first call and owned by the unit; never NULL. */
struct code_index *code_index_of(struct debug_reader *reader, struct debug_unit *unit);

/* Returns the function with the smallest range that holds `vaddr`; NULL: none of this unit does. */
struct indexed_function *code_index_find(const struct code_index *index, uint64_t vaddr);

/*
 * Returns the qualified name of the chain's first DIE, "a::b::name"; malloc'ed, the caller frees
 * it; NULL: it has no name.
 */
char *die_qualified_name(struct debug_reader *reader, const struct die_chain *chain);

#endif
