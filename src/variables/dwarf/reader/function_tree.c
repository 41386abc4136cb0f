/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/function_tree.h"

#include <unistd.h>

#include "base/keyed_hash.h"
#include "variables/dwarf/reader/attributes.h"
#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/reader/pc_ranges.h"

#define DEPTH_MAX 512
#define NODES_MAX 1000000 /* of a function; the rest is left out */

bool tree_is_block(const struct tree_node *node)
{
    return node->tag == DW_TAG_lexical_block || node->tag == DW_TAG_inlined_subroutine ||
           node->tag == DW_TAG_try_block || node->tag == DW_TAG_catch_block;
}

bool tree_is_call(const struct tree_node *node)
{
    return node->tag == DW_TAG_call_site || node->tag == DW_TAG_GNU_call_site;
}

static bool matters(uint16_t tag)
{
    const struct tree_node node = {.tag = tag};

    return tree_is_block(&node) || tree_is_call(&node) || tag == DW_TAG_formal_parameter ||
           tag == DW_TAG_variable;
}

/* Where a call returns to: DW_AT_low_pc in GNU's call sites. */
static uint64_t return_vaddr(struct debug_reader *reader, const struct debug_die *die)
{
    uint64_t vaddr;

    if (attr_address(reader, die, DW_AT_call_return_pc, &vaddr) ||
        attr_address(reader, die, DW_AT_low_pc, &vaddr))
        return vaddr & reader->pc_mask;
    return 0;
}

static uint32_t add_node(struct debug_reader *reader, struct function_tree *tree,
                         const struct debug_die *die, uint32_t level)
{
    struct tree_node node = {.off = die_ref_off(die_self(reader, die)),
                             .tag = die_tag(reader, die),
                             .level = level,
                             .ranges = (uint32_t)tree->ranges.count};

    if (node.tag == DW_TAG_inlined_subroutine)
        node.level = (uint32_t)tree->count;
    if (tree_is_block(&node) || node.tag == DW_TAG_subprogram)
        pc_ranges_of(reader, die, &tree->ranges);
    node.range_count = (uint32_t)tree->ranges.count - node.ranges;
    if (tree_is_call(&node))
        node.return_vaddr = return_vaddr(reader, die);
    else if (node.tag == DW_TAG_variable || node.tag == DW_TAG_formal_parameter)
        node.origin = attr_ref(reader, die, DW_AT_abstract_origin);
    if (node.origin && !map_put(&tree->instances, keyed_words(level, node.origin), 1))
        _exit(CHILD_EXIT_MEMORY);
    tree->nodes = child_reserve(tree->nodes, &tree->cap, tree->count + 1, sizeof(*tree->nodes));
    tree->nodes[tree->count] = node;
    return (uint32_t)tree->count++;
}

static void add_children(struct debug_reader *reader, struct function_tree *tree,
                         const struct debug_die *parent, uint32_t level, unsigned depth)
{
    struct debug_die die;

    if (depth == DEPTH_MAX || !die_first_child(reader, parent, &die))
        return;
    do {
        if (matters(die_tag(reader, &die)) && tree->count < NODES_MAX) {
            const uint32_t node = add_node(reader, tree, &die, level);

            if (tree_is_block(&tree->nodes[node]))
                add_children(reader, tree, &die, tree->nodes[node].level, depth + 1);
            tree->nodes[node].end = (uint32_t)tree->count;
        }
    } while (die_next(reader, &die));
}

bool tree_has_instance(const struct function_tree *tree, uint32_t level, die_ref origin)
{
    return map_get(&tree->instances, keyed_words(level, origin));
}

struct function_tree *function_tree_of(struct debug_reader *reader, struct debug_unit *unit,
                                       struct indexed_function *function)
{
    uint64_t *known = map_put(&unit->index->trees, function->die_off, 0);
    struct function_tree *tree;

    if (!known)
        _exit(CHILD_EXIT_MEMORY);
    if (*known)
        return (struct function_tree *)(uintptr_t)*known;
    tree = child_alloc(sizeof(*tree));
    tree->unit = unit;
    *known = (uintptr_t)tree;
    if (die_open(reader, unit_ref(unit, function->die_off), &tree->top)) {
        add_node(reader, tree, &tree->top, 0);
        add_children(reader, tree, &tree->top, 0, 0);
        tree->nodes[0].end = (uint32_t)tree->count;
        tree->entry_vaddr = tree->ranges.count > 0 ? tree->ranges.list[0].start : function->start;
    }
    return tree;
}

struct function_tree *function_tree_at(struct debug_reader *reader, uint64_t vaddr)
{
    struct debug_unit *unit;

    for (size_t i = 0; (unit = reader_unit_at(reader, vaddr, i)) != NULL; i++) {
        struct debug_unit *with_dies = unit_with_dies(reader, unit);
        struct indexed_function *function;

        if (with_dies->is_bad)
            continue;
        function = code_index_find(code_index_of(reader, with_dies), vaddr);
        if (function) {
            struct function_tree *tree;

            reader->notes->asked_unit = unit_ref(with_dies, with_dies->header_off) + 1;
            tree = function_tree_of(reader, with_dies, function);
            if (tree->count > 0)
                return tree;
        }
    }
    return NULL;
}

bool tree_node_holds(const struct function_tree *tree, const struct tree_node *node, uint64_t vaddr)
{
    for (uint32_t i = 0; i < node->range_count; i++) {
        const struct pc_range *range = &tree->ranges.list[node->ranges + i];

        if (vaddr >= range->start && vaddr < range->end)
            return true;
    }
    return node->range_count == 0;
}
