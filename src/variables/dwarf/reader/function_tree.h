/* SPDX-License-Identifier: MIT */
/*
 * The DIEs of a function that matter for a frame in it: blocks and inlined functions with their
 * addresses, parameters and variables, call sites. Flat, each DIE before those in it:
 *
 *     for (i = 0; i < count; )
 *         i = (it is a block that does not hold the address) ? nodes[i].end : i + 1;
 */
#ifndef VARIABLES_DWARF_READER_FUNCTION_TREE_H
#define VARIABLES_DWARF_READER_FUNCTION_TREE_H

#include "variables/dwarf/reader/code_index.h"

struct tree_node {
    uint64_t off;
    uint64_t return_vaddr; /* call site: where the call returns to; 0: nowhere */
    die_ref origin;        /* variable: the one that it is an instance of; 0: none */
    uint32_t end;          /* the first node that is not in it */
    uint32_t level; /* node of the function around it, maybe an inlined one; its own if it is one */
    uint32_t ranges;      /* block: index of its first range in the tree's */
    uint32_t range_count; /* block: 0: it has the addresses of its parent */
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
    struct wire_out tails; /* call_sites.c: as written; empty: not made yet */
    struct map instances;  /* hashes of level and origin, of all variables */
};

/* Returns the function's tree, made at the first call. */
struct function_tree *function_tree_of(struct debug_reader *reader, struct debug_unit *unit,
                                       struct indexed_function *function);

/* Returns the tree of the function that holds `vaddr`; NULL: none. Notes its unit as asked_unit. */
struct function_tree *function_tree_at(struct debug_reader *reader, uint64_t vaddr);

bool tree_node_holds(const struct function_tree *tree, const struct tree_node *node,
                     uint64_t vaddr);
/* Does the function of node `level` have an instance of the variable anywhere? */
bool tree_has_instance(const struct function_tree *tree, uint32_t level, die_ref origin);
bool tree_is_block(const struct tree_node *node); /* or an inlined function */
bool tree_is_call(const struct tree_node *node);

#endif
