/* SPDX-License-Identifier: MIT */
/*
 * The DIEs of a function that matter for a frame in it: blocks and inlined functions with their
 * addresses, parameters and variables, call sites. Flat, a DIE before those that are in it:
 *
 *     for (i = 0; i < count; )
 *         i = (it is a block that does not hold the address) ? nodes[i].end : i + 1;
 */
#ifndef VARIABLES_DWARF_READER_FUNCTION_TREE_H
#define VARIABLES_DWARF_READER_FUNCTION_TREE_H

#include "variables/dwarf/reader/code_index.h"

struct tree_node {
    uint64_t off;
    uint64_t return_vaddr; /* of a call site; 0: it does not return here */
    die_ref origin;        /* of a variable, what it is an instance of; 0: of nothing */
    uint32_t end;          /* the first node that is not within it */
    uint32_t level;  /* the function, maybe an inlined one, that it is in; its own if it is one */
    uint32_t ranges; /* of a block: where they begin in the tree's */
    uint32_t range_count; /* 0 of a block: it is wherever what it is in is */
    uint16_t tag;
};

struct function_tree {
    struct debug_unit *unit;
    uint64_t entry_vaddr;
    struct tree_node *nodes; /* the function first */
    size_t count, cap;
    struct pc_ranges ranges;
    struct debug_die top;  /* the function, open */
    struct map plans;      /* variables_of.h: by node and kind */
    struct map levels;     /* scopes.c: by node */
    struct wire_out tails; /* call_sites.c: as they are written; empty: not made yet */
    struct map instances;  /* the hashes of levels with what variables in them are instances of */
};

struct function_tree *function_tree_of(struct debug_reader *reader, struct debug_unit *unit,
                                       struct indexed_function *function);

/* The tree of the function that holds `vaddr`; NULL: none does. Notes the unit as asked for. */
struct function_tree *function_tree_at(struct debug_reader *reader, uint64_t vaddr);

bool tree_node_holds(const struct function_tree *tree, const struct tree_node *node,
                     uint64_t vaddr);
/* Is there, somewhere in the function that is the node `level`, an instance of the variable? */
bool tree_has_instance(const struct function_tree *tree, uint32_t level, die_ref origin);
bool tree_is_block(const struct tree_node *node); /* or an inlined function */
bool tree_is_call(const struct tree_node *node);

#endif
