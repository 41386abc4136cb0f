/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/decode.h"

#include <string.h>

#include "variables/dwarf/decode_parts.h"
#include "variables/dwarf/wire.h"

static bool read_variable(struct answer_decoder *d, struct scope_variable *out)
{
    uint8_t kind, form, is_listed;

    *out = (struct scope_variable){0};
    if (!decode_text(d, &out->name) || !out->name || !cursor_u8(d->c, &kind) ||
        kind > VARIABLE_LOCAL || !cursor_u64(d->c, &out->die) || !cursor_u64(d->c, &out->type) ||
        !decode_bool(d, &out->is_artificial) || !cursor_u32(d->c, &out->decl_line) ||
        !cursor_u64(d->c, &out->block_vaddr) || !decode_bool(d, &out->has_entry) ||
        (out->has_entry && !decode_location(d, &out->entry)) || !cursor_u8(d->c, &form) ||
        form > VARIABLE_DAMAGED || !cursor_u8(d->c, &is_listed))
        return false;
    out->kind = (enum variable_kind)kind;
    out->form = (enum variable_form)form;
    out->is_listed = is_listed != 0;
    if (out->form == VARIABLE_LOCATED)
        return decode_location(d, &out->location);
    return out->form != VARIABLE_CONSTANT || decode_block(d, &out->bytes, &out->size);
}

/* Marks hidden variables: the innermost of a name is seen; the function's own come last. */
static void mark_outer(struct scope_variable *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count && !list[i].is_outer; j++) {
            const bool is_further_in =
                list[j].kind == list[i].kind ? j < i : list[i].kind == VARIABLE_PARAMETER;

            list[i].is_outer = is_further_in && j != i && strcmp(list[j].name, list[i].name) == 0;
        }
}

static bool read_level(struct answer_decoder *d, struct pc_level *out)
{
    struct scope_variable *list;
    uint32_t count;

    if (!decode_text(d, &out->name) || !decode_text(d, &out->linkage_name) ||
        !cursor_u64(d->c, &out->die) || !decode_bool(d, &out->is_inline) ||
        !decode_bool(d, &out->is_external) || !decode_count(d, SCOPE_VARIABLES_MAX, &count) ||
        !decode_array(d, count, sizeof(*list), (void **)&list))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_variable(d, &list[i]))
            return false;
    mark_outer(list, count);
    out->variables = list;
    out->count = count;
    return true;
}

/* A function's address, or its name. */
struct decoded_target {
    bool has_vaddr;
    uint64_t vaddr;
    const char *name;
};

static bool read_target(struct answer_decoder *d, struct decoded_target *out)
{
    if (!decode_bool(d, &out->has_vaddr) || !cursor_u64(d->c, &out->vaddr) ||
        !decode_text(d, &out->name))
        return false;
    if (!out->has_vaddr && out->name && d->names && d->names->find)
        out->has_vaddr = d->names->find(d->names->context, out->name, &out->vaddr);
    return true;
}

static bool read_tails(struct answer_decoder *d, struct pc_scope *out)
{
    bool has_others = false;
    uint64_t *tails;
    uint32_t count;

    if (!decode_count(d, SCOPE_TAILS_MAX, &count) ||
        !decode_array(d, count, sizeof(*tails), (void **)&tails))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct decoded_target target;

        if (!read_target(d, &target))
            return false;
        if (target.has_vaddr)
            tails[out->tail_count++] = target.vaddr;
        else
            has_others = true;
    }
    out->tail_vaddrs = tails;
    if (!decode_bool(d, &out->has_other_tails))
        return false;
    out->has_other_tails = out->has_other_tails || has_others;
    return true;
}

static bool read_scope(struct answer_decoder *d, struct pc_scope *out)
{
    struct pc_level *levels;
    uint32_t count;

    if (!cursor_u16(d->c, &out->language) || !cursor_u64(d->c, &out->entry_vaddr) ||
        !cursor_u64(d->c, &out->body_vaddr) || !decode_bool(d, &out->is_untracked) ||
        !decode_bool(d, &out->has_frame_base) ||
        (out->has_frame_base && !decode_location(d, &out->frame_base)) || !read_tails(d, out) ||
        !decode_count(d, SCOPE_LEVELS_MAX, &count) || count == 0 ||
        !decode_array(d, count, sizeof(*levels), (void **)&levels))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_level(d, &levels[i]) || levels[i].is_inline != (i + 1 < count))
            return false;
    out->levels = levels;
    out->count = count;
    return cursor_left(d->c) == 0;
}

enum status decode_scope(struct cursor *c, const struct decode_names *names, struct arena *arena,
                         struct pc_scope **out)
{
    struct answer_decoder d = {.c = c, .arena = arena, .names = names};

    return decode_result(&d,
                         decode_array(&d, 1, sizeof(**out), (void **)out) && read_scope(&d, *out));
}

enum status decode_variable(struct cursor *c, struct arena *arena, struct scope_variable **out)
{
    struct answer_decoder d = {.c = c, .arena = arena};

    return decode_result(&d, decode_array(&d, 1, sizeof(**out), (void **)out) &&
                                 read_variable(&d, *out) && cursor_left(c) == 0);
}

static bool read_parameter(struct answer_decoder *d, struct call_parameter *out)
{
    return decode_location(d, &out->where) && cursor_u64(d->c, &out->parameter) &&
           decode_bool(d, &out->has_value) &&
           (!out->has_value || decode_location(d, &out->value)) &&
           decode_bool(d, &out->has_pointed) &&
           (!out->has_pointed || decode_location(d, &out->pointed));
}

static bool read_call_site(struct answer_decoder *d, struct call_site *out)
{
    struct call_parameter *list;
    struct decoded_target target;
    uint32_t count;

    if (!read_target(d, &target) || !decode_bool(d, &out->has_target_location) ||
        (out->has_target_location && !decode_location(d, &out->target)) ||
        !decode_count(d, CALL_PARAMETERS_MAX, &count) ||
        !decode_array(d, count, sizeof(*list), (void **)&list))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_parameter(d, &list[i]))
            return false;
    out->has_target = target.has_vaddr;
    out->target_vaddr = target.has_vaddr ? target.vaddr : 0;
    out->target_name = target.name;
    out->parameters = list;
    out->count = count;
    return cursor_left(d->c) == 0;
}

enum status decode_call_site(struct cursor *c, const struct decode_names *names,
                             struct arena *arena, struct call_site **out)
{
    struct answer_decoder d = {.c = c, .arena = arena, .names = names};

    return decode_result(&d, decode_array(&d, 1, sizeof(**out), (void **)out) &&
                                 read_call_site(&d, *out));
}
