/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/variables_of.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/reader/expressions.h"

/* Writes a constant: a block, a text, or 16 bytes, enough for any integer. */
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
        wire_bytes(out, block, (size_t)size);
        return true;
    } else if ((text = attr_text(reader, die, DW_AT_const_value)) != NULL) {
        size = strnlen(text, LOCATION_BLOCK_MAX - 1) + 1;
        wire_u32(out, (uint32_t)size);
        wire_bytes(out, text, (size_t)size - 1);
        wire_u8(out, 0);
        return true;
    } else if (!attr_data16(reader, die, DW_AT_const_value, bytes)) {
        return false;
    }
    wire_u32(out, sizeof(bytes));
    wire_bytes(out, bytes, sizeof(bytes));
    return true;
}

/* Properties of a variable that are the same at all addresses. */
struct planned_variable {
    const char *name;
    enum variable_kind kind;
    die_ref self, type;
    bool is_artificial;
    uint32_t line;
    uint16_t place_at;      /* DW_AT_location, DW_AT_const_value; 0: it has none */
    struct debug_die place; /* the DIE that has it, open */
};

struct variable_plan {
    struct planned_variable *list;
    size_t count, cap;
};

/* Takes the DIE with the attribute from the chain, and keeps it open. */
static void keep_place(struct debug_reader *reader, struct die_chain *chain, uint16_t at,
                       struct planned_variable *out)
{
    for (size_t i = 0; i < chain->count && !out->place_at; i++)
        if (attr_has(reader, &chain->list[i], at)) {
            out->place_at = at;
            out->place = chain->list[i];
            chain->list[i].handle = NULL;
        }
}

/* False: only a declaration, or without the name that it needs. */
static bool plan_variable(struct debug_reader *reader, die_ref ref, bool needs_name,
                          struct planned_variable *out)
{
    struct die_chain chain;
    uint64_t line = 0;

    if (!chain_open(reader, ref, &chain))
        return false;
    *out = (struct planned_variable){.name = chain_text(reader, &chain, DW_AT_name)};
    if ((!out->name && needs_name) || attr_flag(reader, &chain.list[0], DW_AT_declaration)) {
        chain_close(reader, &chain);
        return false;
    }
    chain_unsigned(reader, &chain, DW_AT_decl_line, &line);
    out->kind = die_tag(reader, &chain.list[0]) == DW_TAG_formal_parameter ? VARIABLE_PARAMETER
                                                                           : VARIABLE_LOCAL;
    out->self = die_self(reader, &chain.list[0]);
    out->type = chain_ref(reader, &chain, DW_AT_type);
    out->is_artificial = chain_flag(reader, &chain, DW_AT_artificial);
    out->line = line <= UINT32_MAX ? (uint32_t)line : 0;
    keep_place(reader, &chain, DW_AT_location, out);
    keep_place(reader, &chain, DW_AT_const_value, out);
    chain_close(reader, &chain);
    return true;
}

/* Writes the form, and the location or the constant. */
static void write_place(struct debug_reader *reader, const struct planned_variable *variable,
                        uint64_t vaddr)
{
    struct wire_out *out = &reader->answer;
    const size_t form_at = out->len;
    enum expression_found found = EXPRESSION_NONE;
    enum variable_form form = VARIABLE_LOCATED;

    wire_u8(out, 0);
    wire_u8(out, 0);
    if (variable->place_at == DW_AT_location)
        found = expression_write(reader, &variable->place, DW_AT_location, vaddr);
    else if (variable->place_at == DW_AT_const_value)
        found = write_constant(reader, &variable->place) ? EXPRESSION_SINGLE : EXPRESSION_DAMAGED;
    if (out->is_over)
        return;
    if (found == EXPRESSION_NONE || found == EXPRESSION_DAMAGED) {
        out->len = form_at + 2;
        form = found == EXPRESSION_NONE ? VARIABLE_NOWHERE : VARIABLE_DAMAGED;
    } else if (variable->place_at == DW_AT_const_value) {
        form = VARIABLE_CONSTANT;
    }
    out->bytes[form_at] = (uint8_t)form;
    out->bytes[form_at + 1] = found == EXPRESSION_LISTED;
}

/* Writes a parameter's location at entry, if it is from a list: it may be elsewhere by now. */
static void write_entry(struct debug_reader *reader, const struct planned_variable *variable,
                        const struct variable_list *list)
{
    struct wire_out *out = &reader->answer;
    const size_t has_at = out->len;

    wire_u8(out, 1);
    if (list->has_entry && variable->kind == VARIABLE_PARAMETER &&
        variable->place_at == DW_AT_location &&
        expression_write(reader, &variable->place, DW_AT_location, list->entry_vaddr) ==
            EXPRESSION_LISTED)
        return;
    if (out->is_over)
        return;
    out->len = has_at;
    wire_u8(out, 0);
}

static void write_variable(struct debug_reader *reader, const struct planned_variable *variable,
                           struct variable_list *list)
{
    struct wire_out *out = &reader->answer;

    wire_text(out, variable->name);
    wire_u8(out, (uint8_t)variable->kind);
    wire_u64(out, variable->self);
    wire_u64(out, variable->type);
    wire_u8(out, variable->is_artificial);
    wire_u32(out, variable->line);
    wire_u64(out, list->block_vaddr);
    write_entry(reader, variable, list);
    write_place(reader, variable, list->vaddr);
    list->count++;
}

bool variable_write(struct debug_reader *reader, die_ref ref, struct variable_list *list)
{
    struct planned_variable variable;

    if (!plan_variable(reader, ref, false, &variable))
        return false;
    if (!variable.name) /* made by the compiler for an array's length */
        variable.name = "";
    write_variable(reader, &variable, list);
    die_close(reader, &variable.place);
    return true;
}

static void add_planned(struct debug_reader *reader, die_ref ref, struct variable_plan *plan)
{
    plan->list = child_reserve(plan->list, &plan->cap, plan->count + 1, sizeof(*plan->list));
    if (plan->count < SCOPE_VARIABLES_MAX &&
        plan_variable(reader, ref, true, &plan->list[plan->count]))
        plan->count++;
}

/* The node's variables of one kind, and the abstract ones that they are instances of. */
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
        /* A block without addresses counts as absent. */
        i = at->tag == DW_TAG_lexical_block && at->range_count == 0 ? i + 1 : at->end;
    }
}

/* Returns an instance of `origin`, once; 0: none left. */
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

/*
 * Plans the abstract function's variables in their order. One with an instance in a block further
 * in, where compilers may put it, belongs there.
 */
static void plan_as_abstract(struct debug_reader *reader, const struct function_tree *tree,
                             uint32_t level, const struct debug_die *abstract, uint16_t tag,
                             struct instances *instances, struct variable_plan *plan)
{
    struct debug_die die;

    if (!die_first_child(reader, abstract, &die))
        return;
    do {
        const die_ref origin = die_self(reader, &die);
        die_ref ref;

        if (die_tag(reader, &die) != tag)
            continue;
        ref = take_instance(instances, origin);
        if (ref)
            add_planned(reader, ref, plan);
        else if (!tree_has_instance(tree, level, origin))
            add_planned(reader, origin, plan);
    } while (die_next(reader, &die));
}

static void make_plan(struct debug_reader *reader, const struct function_tree *tree, uint32_t node,
                      enum variable_kind kind, struct variable_plan *plan)
{
    struct instances instances = {0};
    struct debug_die die, abstract;

    find_instances(tree, node, tag_of(kind), &instances);
    if (die_open(reader, unit_ref(tree->unit, tree->nodes[node].off), &die)) {
        if (attr_follow(reader, &die, DW_AT_abstract_origin, &abstract)) {
            plan_as_abstract(reader, tree, tree->nodes[node].level, &abstract, tag_of(kind),
                             &instances, plan);
            die_close(reader, &abstract);
        }
        die_close(reader, &die);
    }
    for (size_t i = 0; i < instances.count; i++)
        if (!instances.list[i].is_written)
            add_planned(reader, instances.list[i].self, plan);
    free(instances.list);
}

void variables_write(struct debug_reader *reader, struct function_tree *tree, uint32_t node,
                     enum variable_kind kind, struct variable_list *list)
{
    uint64_t *known = map_put(&tree->plans, (uint64_t)node * 2 + kind, 0);
    const struct variable_plan *plan;

    if (!known)
        _exit(CHILD_EXIT_MEMORY);
    if (!*known) {
        struct variable_plan *made = child_alloc(sizeof(*made));

        *known = (uintptr_t)made;
        make_plan(reader, tree, node, kind, made);
        plan = made;
    } else {
        plan = (const struct variable_plan *)(uintptr_t)*known;
    }
    for (size_t i = 0; i < plan->count && list->count < SCOPE_VARIABLES_MAX; i++)
        write_variable(reader, &plan->list[i], list);
}
