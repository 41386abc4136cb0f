/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/scopes.h"

#include <unistd.h>

#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/reader/expressions.h"
#include "variables/dwarf/reader/line_index.h"
#include "variables/dwarf/reader/targets.h"
#include "variables/dwarf/reader/variables_of.h"

#define PATH_MAX_NODES 1024

/* Nodes from the function to the innermost block that holds the address, with inlined functions. */
struct scope_path {
    uint32_t nodes[PATH_MAX_NODES];
    size_t count;
};

/* The first block in `node` that holds the address; 0: none. */
static uint32_t block_within(const struct function_tree *tree, uint32_t node, uint64_t vaddr)
{
    const uint32_t end = tree->nodes[node].end;

    for (uint32_t i = node + 1; i < end;) {
        const struct tree_node *at = &tree->nodes[i];

        if (tree_is_block(at) && at->range_count > 0 && tree_node_holds(tree, at, vaddr))
            return i;
        i = at->tag == DW_TAG_lexical_block && at->range_count == 0 ? i + 1 : at->end;
    }
    return 0;
}

static void find_path(const struct function_tree *tree, uint64_t vaddr, struct scope_path *path)
{
    uint32_t node = 0;

    path->count = 0;
    do {
        path->nodes[path->count++] = node;
        node = block_within(tree, node, vaddr);
    } while (node && path->count < PATH_MAX_NODES);
}

static uint64_t start_of(const struct function_tree *tree, uint32_t node)
{
    const struct tree_node *at = &tree->nodes[node];

    return at->range_count > 0 ? tree->ranges.list[at->ranges].start : tree->entry_vaddr;
}

/* Properties of a function that are the same at all addresses. */
struct planned_level {
    char *name;
    const char *linkage_name;
    die_ref self;
    bool is_inline, is_external;
};

static void plan_level(struct debug_reader *reader, const struct function_tree *tree, uint32_t node,
                       struct planned_level *out)
{
    struct die_chain chain;

    out->self = unit_ref(tree->unit, tree->nodes[node].off);
    out->is_inline = tree->nodes[node].tag == DW_TAG_inlined_subroutine;
    if (!chain_open(reader, out->self, &chain))
        return;
    if (out->is_inline && chain.count > 1)
        out->self = die_self(reader, &chain.list[1]);
    out->name = die_qualified_name(reader, &chain);
    out->linkage_name = chain_text(reader, &chain, DW_AT_linkage_name);
    if (!out->linkage_name)
        out->linkage_name = chain_text(reader, &chain, DW_AT_MIPS_linkage_name);
    out->is_external = chain_flag(reader, &chain, DW_AT_external);
    chain_close(reader, &chain);
}

static const struct planned_level *level_of(struct debug_reader *reader, struct function_tree *tree,
                                            uint32_t node)
{
    uint64_t *known = map_put(&tree->levels, node, 0);
    struct planned_level *level;

    if (!known)
        _exit(CHILD_EXIT_MEMORY);
    if (*known)
        return (const struct planned_level *)(uintptr_t)*known;
    level = child_alloc(sizeof(*level));
    *known = (uintptr_t)level;
    plan_level(reader, tree, node, level);
    return level;
}

/* Writes the function of path[first], with the blocks in it up to path[last]. */
static void write_level(struct debug_reader *reader, struct function_tree *tree,
                        const struct scope_path *path, size_t first, size_t last, uint64_t vaddr)
{
    struct wire_out *out = &reader->answer;
    const uint32_t node = path->nodes[first];
    const struct planned_level *level = level_of(reader, tree, node);
    struct variable_list list = {.vaddr = vaddr,
                                 .block_vaddr = start_of(tree, node),
                                 .has_entry = !level->is_inline,
                                 .entry_vaddr = tree->entry_vaddr};
    size_t count_at;

    wire_text(out, level->name);
    wire_text(out, level->linkage_name);
    wire_u64(out, level->self);
    wire_u8(out, level->is_inline);
    wire_u8(out, level->is_external);
    count_at = out->len;
    wire_u32(out, 0);
    variables_write(reader, tree, node, VARIABLE_PARAMETER, &list);
    for (size_t i = last + 1; i > first; i--) {
        list.block_vaddr = start_of(tree, path->nodes[i - 1]);
        variables_write(reader, tree, path->nodes[i - 1], VARIABLE_LOCAL, &list);
    }
    wire_patch_u32(out, count_at, list.count);
}

static void write_levels(struct debug_reader *reader, struct function_tree *tree, uint64_t vaddr)
{
    struct wire_out *out = &reader->answer;
    const size_t count_at = out->len;
    struct scope_path path;
    uint32_t levels = 0;
    size_t last;

    find_path(tree, vaddr, &path);
    wire_u32(out, 0);
    last = path.count - 1;
    for (size_t i = path.count; i > 0 && levels < SCOPE_LEVELS_MAX; i--) {
        const uint16_t tag = tree->nodes[path.nodes[i - 1]].tag;

        /* Beyond the limit drops the outer inlined functions; the real one stays last. */
        if (i > 1 && (tag != DW_TAG_inlined_subroutine || levels == SCOPE_LEVELS_MAX - 1))
            continue;
        write_level(reader, tree, &path, i - 1, last, vaddr);
        levels++;
        last = i > 1 ? i - 2 : 0;
    }
    wire_patch_u32(out, count_at, levels);
}

static void write_frame_base(struct debug_reader *reader, const struct function_tree *tree,
                             uint64_t vaddr)
{
    struct wire_out *out = &reader->answer;
    const size_t has_at = out->len;
    enum expression_found found;

    wire_u8(out, 1);
    found = expression_write(reader, &tree->top, DW_AT_frame_base, vaddr);
    if (found == EXPRESSION_SINGLE || found == EXPRESSION_LISTED || out->is_over)
        return;
    out->len = has_at;
    wire_u8(out, 0);
}

enum wire_result scope_answer(struct debug_reader *reader, uint64_t vaddr)
{
    struct function_tree *tree = function_tree_at(reader, vaddr);
    const struct debug_unit *unit;
    uint64_t end = 0;

    if (!tree)
        return WIRE_NOT_FOUND;
    unit = tree->unit;
    for (uint32_t i = 0; i < tree->nodes[0].range_count && end == 0; i++)
        if (tree->ranges.list[i].start == tree->entry_vaddr)
            end = tree->ranges.list[i].end;
    wire_u16(&reader->answer, reader_language(reader, unit));
    wire_u64(&reader->answer, tree->entry_vaddr);
    wire_u64(&reader->answer, line_index_body(reader, unit->skeleton ? unit->skeleton : tree->unit,
                                              tree->entry_vaddr, end));
    wire_u8(&reader->answer, unit->is_untracked);
    write_frame_base(reader, tree, vaddr);
    targets_write_tails(reader, tree);
    write_levels(reader, tree, vaddr);
    return WIRE_FOUND;
}

enum wire_result variable_answer(struct debug_reader *reader, die_ref ref, uint64_t vaddr)
{
    struct variable_list list = {.vaddr = vaddr};

    return variable_write(reader, ref, &list) ? WIRE_FOUND : WIRE_NOT_FOUND;
}
