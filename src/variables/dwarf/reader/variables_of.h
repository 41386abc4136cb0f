/* SPDX-License-Identifier: MIT */
/* Variables of a block or function, as decode.h reads them. */
#ifndef VARIABLES_DWARF_READER_VARIABLES_OF_H
#define VARIABLES_DWARF_READER_VARIABLES_OF_H

#include "variables/dwarf/reader/function_tree.h"
#include "variables/model/scope.h"

/* How a list of variables is written: their number is put where it begins. */
struct variable_list {
    uint64_t vaddr;       /* where the frame is */
    uint64_t block_vaddr; /* where the block begins */
    bool has_entry;       /* they are parameters of a function that was called ... */
    uint64_t entry_vaddr; /* ... here */
    uint32_t count;
};

/* Of one DIE. False: it has no name or is a declaration only; nothing is written. */
bool variable_write(struct debug_reader *reader, die_ref ref, struct variable_list *list);

/*
 * Those of the block or function that is the tree's node, of one of the two kinds. The abstract
 * instance (DWARF 5, 3.3.8) says in which order, and which are not there any more.
 */
void variables_write(struct debug_reader *reader, struct function_tree *tree, uint32_t node,
                     enum variable_kind kind, struct variable_list *list);

#endif
