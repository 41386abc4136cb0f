/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/variables_of.h"

#include <stdlib.h>
#include <string.h>

#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/expressions.h"

/* A constant: its bytes, so many that they do for any integer. */
static bool write_constant(struct debug_reader *reader, const struct debug_die *die)
{
    struct wire_out *out = &reader->answer;
    struct attr_constant constant;
    uint8_t bytes[16];
    const uint8_t *block;
    const char *text;
    uint64_t value, size;

    if (attr_constant(reader, die, DW_AT_const_value, &constant)) {
        memset(bytes, constant.is_signed && constant.value >> 63 ? 0xff : 0, sizeof(bytes));
        memcpy(bytes, &constant.value, sizeof(constant.value));
    } else if (attr_address(reader, die, DW_AT_const_value, &value)) {
        memset(bytes, 0, sizeof(bytes));
        memcpy(bytes, &value, sizeof(value));
    } else if (attr_block(reader, die, DW_AT_const_value, &block, &size)) {
        if (size > LOCATION_BLOCK_MAX)
            return false;
        wire_u32(out, (uint32_t)size);
        wire_bytes(out, block, size);
        return true;
    } else if ((text = attr_text(reader, die, DW_AT_const_value)) != NULL) {
        size = strnlen(text, LOCATION_BLOCK_MAX - 1) + 1;
        wire_u32(out, (uint32_t)size);
        wire_bytes(out, text, size - 1);
        wire_u8(out, 0);
        return true;
    } else if (!attr_data16(reader, die, DW_AT_const_value, bytes)) {
        return false;
    }
    wire_u32(out, sizeof(bytes));
    wire_bytes(out, bytes, sizeof(bytes));
    return true;
}

/* The form, and what goes with it. */
static void write_place(struct debug_reader *reader, const struct die_chain *chain, uint64_t vaddr)
{
    struct wire_out *out = &reader->answer;
    const size_t form_at = out->len;
    const struct debug_die *die = chain_find(reader, chain, DW_AT_location);
    enum expression_found found = EXPRESSION_NONE;

    wire_u8(out, VARIABLE_LOCATED);
    wire_u8(out, 0);
    if (die) {
        found = expression_write(reader, die, DW_AT_location, vaddr);
    } else if ((die = chain_find(reader, chain, DW_AT_const_value)) != NULL) {
        if (!write_constant(reader, die))
            found = EXPRESSION_DAMAGED;
        else if (!out->is_over) {
            out->bytes[form_at] = VARIABLE_CONSTANT;
            return;
        }
    }
    if (out->is_over)
        return;
    if (found == EXPRESSION_NONE || found == EXPRESSION_DAMAGED) {
        out->len = form_at + 2;
        out->bytes[form_at] = found == EXPRESSION_NONE ? VARIABLE_NOWHERE : VARIABLE_DAMAGED;
    }
    out->bytes[form_at + 1] = found == EXPRESSION_LISTED;
}

static void write_variable(struct debug_reader *reader, const struct die_chain *chain,
                           const char *name, const struct variable_list *list)
{
    struct wire_out *out = &reader->answer;
    uint64_t line = 0;

    chain_unsigned(reader, chain, DW_AT_decl_line, &line);
    wire_text(out, name);
    wire_u8(out, die_tag(reader, &chain->list[0]) == DW_TAG_formal_parameter ? VARIABLE_PARAMETER
                                                                             : VARIABLE_LOCAL);
    wire_u64(out, die_self(reader, &chain->list[0]));
    wire_u64(out, chain_ref(reader, chain, DW_AT_type));
    wire_u8(out, chain_flag(reader, chain, DW_AT_artificial));
    wire_u32(out, line <= UINT32_MAX ? (uint32_t)line : 0);
    wire_u64(out, list->block_vaddr);
    write_place(reader, chain, list->vaddr);
}

bool variable_write(struct debug_reader *reader, die_ref ref, struct variable_list *list)
{
    struct die_chain chain;
    const char *name;

    if (!chain_open(reader, ref, &chain))
        return false;
    name = chain_text(reader, &chain, DW_AT_name);
    if (!name || attr_flag(reader, &chain.list[0], DW_AT_declaration)) {
        chain_close(reader, &chain);
        return false;
    }
    write_variable(reader, &chain, name, list);
    list->count++;
    chain_close(reader, &chain);
    return true;
}

/* The variables of a kind that the node has, and of what they are instances. */
struct instance {
    die_ref self, origin;
    bool is_written;
};

struct instances {
    struct instance *list;
    size_t count, cap;
};

static uint16_t tag_of(enum variable_kind kind)
{
    return kind == VARIABLE_PARAMETER ? DW_TAG_formal_parameter : DW_TAG_variable;
}

static void find_instances(const struct function_tree *tree, uint32_t node, uint16_t tag,
                           struct instances *out)
{
    const uint32_t end = tree->nodes[node].end;

    for (uint32_t i = node + 1; i < end;) {
        const struct tree_node *at = &tree->nodes[i];

        if (at->tag == tag && out->count < SCOPE_VARIABLES_MAX) {
            out->list = child_reserve(out->list, &out->cap, out->count + 1, sizeof(*out->list));
            out->list[out->count++] =
                (struct instance){.self = unit_ref(tree->unit, at->off), .origin = at->origin};
        }
        /* A block without addresses is as if it was not there. */
        i = at->tag == DW_TAG_lexical_block && at->range_count == 0 ? i + 1 : at->end;
    }
}

/* The one that is an instance of `origin`, which is of no other then. */
static die_ref take_instance(struct instances *instances, die_ref origin)
{
    for (size_t i = 0; i < instances->count; i++) {
        struct instance *instance = &instances->list[i];

        if (instance->origin == origin && !instance->is_written) {
            instance->is_written = true;
            return instance->self;
        }
    }
    return 0;
}

/* What has an instance in a block further in, where compilers may put it, is told there. */
static void write_as_abstract(struct debug_reader *reader, const struct function_tree *tree,
                              uint32_t level, const struct debug_die *abstract, uint16_t tag,
                              struct instances *instances, struct variable_list *list)
{
    struct debug_die die;

    if (!die_first_child(reader, abstract, &die))
        return;
    do {
        const die_ref origin = die_self(reader, &die);
        die_ref ref;

        if (die_tag(reader, &die) != tag || list->count >= SCOPE_VARIABLES_MAX)
            continue;
        ref = take_instance(instances, origin);
        if (ref)
            variable_write(reader, ref, list);
        else if (!tree_has_instance(tree, level, origin))
            variable_write(reader, origin, list);
    } while (die_next(reader, &die));
}

void variables_write(struct debug_reader *reader, const struct function_tree *tree, uint32_t node,
                     enum variable_kind kind, struct variable_list *list)
{
    struct instances instances = {0};
    struct debug_die die, abstract;

    find_instances(tree, node, tag_of(kind), &instances);
    if (die_open(reader, unit_ref(tree->unit, tree->nodes[node].off), &die)) {
        if (attr_follow(reader, &die, DW_AT_abstract_origin, &abstract)) {
            write_as_abstract(reader, tree, tree->nodes[node].level, &abstract, tag_of(kind),
                              &instances, list);
            die_close(reader, &abstract);
        }
        die_close(reader, &die);
    }
    for (size_t i = 0; i < instances.count && list->count < SCOPE_VARIABLES_MAX; i++)
        if (!instances.list[i].is_written)
            variable_write(reader, instances.list[i].self, list);
    free(instances.list);
}
