/* SPDX-License-Identifier: MIT */
/* Writes the variables of a block or function, for decode.h. */
#ifndef VARIABLES_DWARF_READER_VARIABLES_OF_H
#define VARIABLES_DWARF_READER_VARIABLES_OF_H

#include "variables/dwarf/reader/function_tree.h"
#include "variables/model/scope.h"

/* A list being written; its count is put at its beginning later. */
struct variable_list {
    uint64_t vaddr;       /* of the frame */
    uint64_t block_vaddr; /* start of the block */
    bool has_entry;       /* parameters of a real function: entry_vaddr is valid */
    uint64_t entry_vaddr; /* start of that function */
    uint32_t count;
};

/* Writes one variable; a missing name is "". False: no such DIE, or only a declaration. */
bool variable_write(struct debug_reader *reader, die_ref ref, struct variable_list *list);

/*
 * Writes the variables of one kind of the block or function that is the tree's node. The abstract
 * instance (DWARF 5, 3.3.8) gives their order, and those that have no instance any more.
 */
void variables_write(struct debug_reader *reader, struct function_tree *tree, uint32_t node,
                     enum variable_kind kind, struct variable_list *list);

#endif
