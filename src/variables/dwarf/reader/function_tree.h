/* SPDX-License-Identifier: MIT */
/*
 * Lists the DIEs of a function that matter for a frame in it: blocks and inlined functions with
 * their addresses, parameters and variables, call sites. The list is flat, each DIE before the DIEs
 * inside of it:
 *
 *     for (i = 0; i < count; )
 *         i = (it is a block that does not hold the address) ? nodes[i].end : i + 1;
 */
#ifndef VARIABLES_DWARF_READER_FUNCTION_TREE_H
#define VARIABLES_DWARF_READER_FUNCTION_TREE_H

#include "variables/dwarf/reader/code_index.h"

struct tree_node {
    uint64_t off;
    uint64_t return_vaddr; /* call site: address that the call returns to; 0: not known */
    die_ref origin;        /* variable: the abstract variable that it is an instance of; 0: none */
    uint32_t end;          /* index of the first node after it that is not inside of it */
    /* index of the node of the function, real or inlined, around it; for a function its own */
    uint32_t level;
    uint32_t ranges;      /* block: index of its first range in tree->ranges */
    uint32_t range_count; /* block: number of its ranges; 0: it has the addresses of its parent */
    uint16_t tag;
};

struct function_tree {
    struct debug_unit *unit;
    uint64_t entry_vaddr;
    struct tree_node *nodes; /* its DIEs, the function itself first */
    size_t count, cap;
    struct pc_ranges ranges;
    struct debug_die top;  /* the function's DIE, open */
    struct map plans;      /* for variables_of.h: by node and kind */
    struct map levels;     /* for scopes.c: by node */
    struct wire_out tails; /* for call_sites.c: the tail calls as written; empty: not made yet */
    struct map instances;  /* set of hashes of level and origin of all variables */
};

/* Returns the function's tree, made at the first call; owned by the unit's index. */
struct function_tree *function_tree_of(struct debug_reader *reader, struct debug_unit *unit,
                                       struct indexed_function *function);

/*
 * Returns the tree of the function that holds `vaddr`; NULL: none. Sets asked_unit of the child's
 * notes to the function's unit.
 */
struct function_tree *function_tree_at(struct debug_reader *reader, uint64_t vaddr);

bool tree_node_holds(const struct function_tree *tree, const struct tree_node *node,
                     uint64_t vaddr);
/* Whether a variable anywhere in the function of node `level` is an instance of `origin`. */
bool tree_has_instance(const struct function_tree *tree, uint32_t level, die_ref origin);
bool tree_is_block(const struct tree_node *node); /* whether it is a block or an inlined function */
bool tree_is_call(const struct tree_node *node);

#endif
