/* SPDX-License-Identifier: MIT */
/*
 * Answers of the child that reads debug information (variables/dwarf/decode.h) over any bytes.
 *
 * Input: one byte, which question it answers (enum wire_kind), then the answer.
 */
#include "fuzz.h"

#include "variables/dwarf/decode.h"
#include "variables/dwarf/wire.h"

static uint64_t touch_location(const struct location *location, unsigned nest)
{
    uint64_t sum = 0;

    if (location->count > LOCATION_OPS_MAX || nest > LOCATION_NEST_MAX)
        abort();
    for (uint32_t i = 0; i < location->count; i++) {
        const struct location_op *op = &location->ops[i];

        if (op->block_size > LOCATION_BLOCK_MAX || op->off >= location->size ||
            (i > 0 && op->off <= location->ops[i - 1].off))
            abort();
        sum += fuzz_touch(op->block, op->block_size) + op->operand[1];
        if (op->inner)
            sum += touch_location(op->inner, nest + 1);
    }
    return sum;
}

static uint64_t touch_text(const char *text)
{
    return text ? fuzz_touch(text, strlen(text)) : 0;
}

static uint64_t touch_variable(const struct scope_variable *variable)
{
    if (!variable->name || variable->kind > VARIABLE_LOCAL || variable->form > VARIABLE_DAMAGED ||
        (variable->form != VARIABLE_LOCATED && variable->location.count > 0))
        abort();
    return touch_text(variable->name) + touch_location(&variable->location, 0) +
           fuzz_touch(variable->bytes, variable->size);
}

static uint64_t touch_scope(const struct pc_scope *scope)
{
    uint64_t sum = touch_location(&scope->frame_base, 0);

    if (scope->count == 0 || scope->count > SCOPE_LEVELS_MAX ||
        scope->tail_count > SCOPE_TAILS_MAX || scope->levels[scope->count - 1].is_inline)
        abort();
    for (size_t i = 0; i < scope->tail_count; i++)
        sum += scope->tail_vaddrs[i];
    for (size_t i = 0; i < scope->count; i++) {
        const struct pc_level *level = &scope->levels[i];

        if (level->count > SCOPE_VARIABLES_MAX)
            abort();
        sum += touch_text(level->name) + touch_text(level->linkage_name);
        for (size_t j = 0; j < level->count; j++)
            sum += touch_variable(&level->variables[j]);
    }
    return sum;
}

static uint64_t touch_type(const struct type *type)
{
    uint64_t sum = touch_text(type->name);

    if (type->kind > TYPE_UNSPECIFIED || type->member_count > TYPE_MEMBERS_MAX ||
        type->enumerator_count > TYPE_MEMBERS_MAX || type->dimension_count > TYPE_DIMENSIONS_MAX)
        abort();
    for (size_t i = 0; i < type->member_count; i++)
        sum += touch_text(type->members[i].name) + type->members[i].off;
    for (size_t i = 0; i < type->enumerator_count; i++)
        sum += touch_text(type->enumerators[i].name) + type->enumerators[i].value;
    for (size_t i = 0; i < type->dimension_count; i++)
        sum += type->dimensions[i].count;
    return sum;
}

static uint64_t touch_call_site(const struct call_site *site)
{
    uint64_t sum = touch_text(site->target_name) + touch_location(&site->target, 0);

    if (site->count > CALL_PARAMETERS_MAX)
        abort();
    for (size_t i = 0; i < site->count; i++)
        sum += touch_location(&site->parameters[i].where, 0) +
               touch_location(&site->parameters[i].value, 0) +
               touch_location(&site->parameters[i].pointed, 0);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct scope_variable *variable;
    struct call_site *site;
    struct pc_scope *scope;
    struct type *type;
    struct cursor c;

    if (size == 0)
        return 0;
    c = cursor_init(data + 1, size - 1);
    switch ((enum wire_kind)(data[0] % 4)) {
    case WIRE_SCOPE:
        if (decode_scope(&c, NULL, &arena, &scope) == STATUS_OK)
            fuzz_use(touch_scope(scope));
        break;
    case WIRE_TYPE:
        if (decode_type(&c, &arena, &type) == STATUS_OK)
            fuzz_use(touch_type(type));
        break;
    case WIRE_CALL_SITE:
        if (decode_call_site(&c, NULL, &arena, &site) == STATUS_OK)
            fuzz_use(touch_call_site(site));
        break;
    case WIRE_VARIABLE:
        if (decode_variable(&c, &arena, &variable) == STATUS_OK)
            fuzz_use(touch_variable(variable));
        break;
    }
    arena_deinit(&arena);
    return 0;
}
