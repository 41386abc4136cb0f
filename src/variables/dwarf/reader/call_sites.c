/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/scopes.h"

#include "variables/dwarf/reader/expressions.h"
#include "variables/dwarf/reader/targets.h"
#include "variables/model/scope.h"

/* The attributes of DWARF 5, and GNU's older ones. */
struct call_attributes {
    uint16_t origin, tail, target, value, pointed, parameter_tag;
};

static const struct call_attributes standard = {
    .origin = DW_AT_call_origin,
    .tail = DW_AT_call_tail_call,
    .target = DW_AT_call_target,
    .value = DW_AT_call_value,
    .pointed = DW_AT_call_data_value,
    .parameter_tag = DW_TAG_call_site_parameter,
};
static const struct call_attributes gnu = {
    .origin = DW_AT_abstract_origin,
    .tail = DW_AT_GNU_tail_call,
    .target = DW_AT_GNU_call_site_target,
    .value = DW_AT_GNU_call_site_value,
    .pointed = DW_AT_GNU_call_site_data_value,
    .parameter_tag = DW_TAG_GNU_call_site_parameter,
};

static const struct call_attributes *attributes_of(uint16_t tag)
{
    return tag == DW_TAG_GNU_call_site ? &gnu : &standard;
}

/*
 * Writes where the callee begins, and its name in symbol tables, since it may be another unit's or
 * module's. False: neither is known.
 */
static bool write_origin(struct debug_reader *reader, const struct debug_die *call,
                         const struct call_attributes *attributes)
{
    const die_ref origin = attr_ref(reader, call, attributes->origin);
    struct wire_out *out = &reader->answer;
    const char *name = NULL;
    const uint64_t *entry;
    struct die_chain chain;
    bool is_open = false;

    if (origin && chain_open(reader, origin, &chain)) {
        is_open = true; /* makes its unit's functions known */
        code_index_of(reader, chain.list[chain.count - 1].unit);
    }
    entry = map_get(&reader->entries, origin);
    wire_u8(out, entry != NULL);
    wire_u64(out, entry ? *entry : 0);
    if (is_open) {
        name = chain_text(reader, &chain, DW_AT_linkage_name);
        if (!name)
            name = chain_text(reader, &chain, DW_AT_MIPS_linkage_name);
        if (!name && chain_flag(reader, &chain, DW_AT_external))
            name = chain_text(reader, &chain, DW_AT_name);
        wire_text(out, name);
        chain_close(reader, &chain);
    } else {
        wire_text(out, NULL);
    }
    return entry || name;
}

static bool write_optional(struct debug_reader *reader, const struct debug_die *die, uint16_t at,
                           uint64_t vaddr)
{
    struct wire_out *out = &reader->answer;
    const size_t has_at = out->len;
    enum expression_found found;

    wire_u8(out, 1);
    found = expression_write(reader, die, at, vaddr);
    if (out->is_over || found == EXPRESSION_SINGLE || found == EXPRESSION_LISTED)
        return true;
    out->len = has_at;
    wire_u8(out, 0);
    return false;
}

/* The callee's parameter, where the location does not say it. */
static die_ref parameter_of(struct debug_reader *reader, const struct debug_die *die)
{
    const die_ref ref = attr_ref(reader, die, DW_AT_call_parameter);

    return ref ? ref : attr_ref(reader, die, DW_AT_abstract_origin);
}

static uint32_t write_parameters(struct debug_reader *reader, const struct debug_die *call,
                                 const struct call_attributes *attributes, uint64_t vaddr)
{
    uint32_t count = 0;
    struct debug_die die;

    if (!die_first_child(reader, call, &die))
        return 0;
    do {
        const size_t start = reader->answer.len;
        enum expression_found found;

        if (die_tag(reader, &die) != attributes->parameter_tag || count >= CALL_PARAMETERS_MAX)
            continue;
        found = expression_write(reader, &die, DW_AT_location, vaddr);
        if (found == EXPRESSION_DAMAGED) {
            reader->answer.len = start;
            continue;
        }
        if (found == EXPRESSION_NONE)
            expression_write_empty(reader);
        wire_u64(&reader->answer, parameter_of(reader, &die));
        write_optional(reader, &die, attributes->value, vaddr);
        write_optional(reader, &die, attributes->pointed, vaddr);
        count++;
    } while (die_next(reader, &die));
    return count;
}

static bool is_tail(struct debug_reader *reader, const struct debug_die *die, uint16_t tag)
{
    return attr_flag(reader, die, attributes_of(tag)->tail);
}

enum wire_result call_site_answer(struct debug_reader *reader, uint64_t vaddr)
{
    const uint64_t return_vaddr = vaddr & reader->pc_mask;
    const struct function_tree *tree = function_tree_at(reader, return_vaddr - 1);
    struct wire_out *out = &reader->answer;

    for (size_t i = 0; tree && i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        const struct call_attributes *attributes = attributes_of(node->tag);
        struct debug_die die;
        size_t count_at;

        if (!tree_is_call(node) || node->return_vaddr != return_vaddr ||
            !die_open(reader, unit_ref(tree->unit, node->off), &die))
            continue;
        if (is_tail(reader, &die, node->tag)) { /* the code behind a jump is not returned to */
            die_close(reader, &die);
            continue;
        }
        write_origin(reader, &die, attributes);
        write_optional(reader, &die, attributes->target, return_vaddr - 1);
        count_at = out->len;
        wire_u32(out, 0);
        wire_patch_u32(out, count_at, write_parameters(reader, &die, attributes, return_vaddr - 1));
        die_close(reader, &die);
        return WIRE_FOUND;
    }
    return WIRE_NOT_FOUND;
}

/* Does the function say that it lists all of its tail calls? */
static bool tells_all(struct debug_reader *reader, const struct function_tree *tree)
{
    static const uint16_t flags[] = {DW_AT_call_all_calls, DW_AT_call_all_tail_calls,
                                     DW_AT_GNU_all_call_sites, DW_AT_GNU_all_tail_call_sites};

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
        if (attr_flag(reader, &tree->top, flags[i]))
            return true;
    return false;
}

static void find_tails(struct debug_reader *reader, const struct function_tree *tree)
{
    struct wire_out *out = &reader->answer;
    const size_t count_at = out->len;
    bool has_others = !tells_all(reader, tree);
    uint32_t count = 0;

    wire_u32(out, 0);
    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        struct debug_die die;
        size_t start;

        if (!tree_is_call(node) || !die_open(reader, unit_ref(tree->unit, node->off), &die))
            continue;
        start = out->len;
        if (is_tail(reader, &die, node->tag)) {
            if (count < SCOPE_TAILS_MAX && write_origin(reader, &die, attributes_of(node->tag))) {
                count++;
            } else {
                out->len = start;
                has_others = true;
            }
        }
        die_close(reader, &die);
    }
    wire_patch_u32(out, count_at, count);
    wire_u8(out, has_others);
}

void targets_write_tails(struct debug_reader *reader, struct function_tree *tree)
{
    const size_t start = reader->answer.len;

    if (tree->tails.len > 0) {
        wire_bytes(&reader->answer, tree->tails.bytes, tree->tails.len);
        return;
    }
    find_tails(reader, tree);
    wire_bytes(&tree->tails, reader->answer.bytes + start, reader->answer.len - start);
}
