/* SPDX-License-Identifier: MIT */
/* Writes the variables of a block or function to reader->answer, for decode.h. */
#ifndef VARIABLES_DWARF_READER_VARIABLES_OF_H
#define VARIABLES_DWARF_READER_VARIABLES_OF_H

#include "variables/dwarf/reader/function_tree.h"
#include "variables/model/scope.h"

/* A list that is being written; the caller writes its count at the list's begin afterwards. */
struct variable_list {
    uint64_t vaddr;       /* look-up address of the frame */
    uint64_t block_vaddr; /* start of the code of the variables' block */
    bool has_entry;       /* the list is of a real function's parameters: entry_vaddr is valid */
    uint64_t entry_vaddr; /* start of that function's code */
    uint32_t count;
};

/*
 * Appends the variable `ref` to reader->answer, and adds 1 to list->count; a missing name is
 * written as "". False, and nothing is written: there is no such DIE, or it only declares.
 */
bool variable_write(struct debug_reader *reader, die_ref ref, struct variable_list *list);

/*
 * Writes the variables of one kind of the block or function that is node number `node` of the tree.
 * The order is that of the abstract instance (DWARF 5, 3.3.8), whose variables without an instance
 * are written, too.
 */
void variables_write(struct debug_reader *reader, struct function_tree *tree, uint32_t node,
                     enum variable_kind kind, struct variable_list *list);

#endif
