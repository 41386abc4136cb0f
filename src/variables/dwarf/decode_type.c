/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/decode_parts.h"

static bool read_member(struct answer_decoder *d, struct type_member *m)
{
    bool has_where;

    if (!decode_text(d, &m->name) || !cursor_u64(d->c, &m->type) || !cursor_u64(d->c, &m->off) ||
        !decode_bool(d, &m->off_unknown) || !cursor_u32(d->c, &m->bit_off) ||
        !cursor_u32(d->c, &m->bit_size) || !decode_bool(d, &m->is_base) ||
        !decode_bool(d, &m->is_virtual) || !decode_bool(d, &m->is_static) ||
        !decode_bool(d, &m->is_artificial) || !decode_bool(d, &m->is_discriminant) ||
        !decode_bool(d, &m->is_variant) || !decode_bool(d, &m->is_default) ||
        !cursor_u64(d->c, &m->variant_value) || !decode_bool(d, &has_where))
        return false;
    return !has_where || decode_location(d, &m->where);
}

static bool read_members(struct answer_decoder *d, struct type *out)
{
    struct type_member *list;
    uint32_t count;

    if (!decode_count(d, TYPE_MEMBERS_MAX, &count) ||
        !decode_array(d, count, sizeof(*list), (void **)&list))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_member(d, &list[i]))
            return false;
    out->members = list;
    out->member_count = count;
    return true;
}

static bool read_enumerators(struct answer_decoder *d, struct type *out)
{
    struct type_enumerator *list;
    uint32_t count;

    if (!decode_count(d, TYPE_MEMBERS_MAX, &count) ||
        !decode_array(d, count, sizeof(*list), (void **)&list))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!decode_text(d, &list[i].name) || !cursor_u64(d->c, &list[i].value))
            return false;
        if (!list[i].name)
            list[i].name = "";
    }
    out->enumerators = list;
    out->enumerator_count = count;
    return true;
}

static bool read_bound(struct answer_decoder *d, const struct type_bound **out)
{
    struct type_bound *bound;
    uint8_t kind;

    if (!decode_array(d, 1, sizeof(*bound), (void **)&bound) || !cursor_u8(d->c, &kind) ||
        kind > BOUND_COMPUTED)
        return false;
    *out = bound;
    bound->kind = (enum bound_kind)kind;
    switch (bound->kind) {
    case BOUND_UNKNOWN:
        return true;
    case BOUND_CONSTANT:
        return cursor_i64(d->c, &bound->value);
    case BOUND_VARIABLE:
        return cursor_u64(d->c, &bound->variable);
    case BOUND_COMPUTED:
        break;
    }
    return decode_location(d, &bound->location);
}

/* Reads the bounds of a dimension without constant count. */
static bool read_bounds(struct answer_decoder *d, struct type_dimension *out)
{
    bool has_end, has_low;

    if (!decode_bool(d, &has_end))
        return false;
    if (!has_end)
        return true;
    if (!decode_bool(d, &out->end_is_count) || !read_bound(d, &out->end) ||
        !decode_bool(d, &has_low))
        return false;
    return !has_low || read_bound(d, &out->low);
}

static bool read_dimensions(struct answer_decoder *d, struct type *out)
{
    struct type_dimension *list;
    uint32_t count;

    if (!decode_count(d, TYPE_DIMENSIONS_MAX, &count) ||
        !decode_array(d, count, sizeof(*list), (void **)&list))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!decode_bool(d, &list[i].has_count) || !cursor_u64(d->c, &list[i].count) ||
            !cursor_i64(d->c, &list[i].lower) || (!list[i].has_count && !read_bounds(d, &list[i])))
            return false;
    out->dimensions = list;
    out->dimension_count = count;
    return true;
}

static bool read_methods(struct answer_decoder *d, struct type *out)
{
    struct type_method *list;
    uint32_t count;

    if (!decode_count(d, TYPE_MEMBERS_MAX, &count) ||
        !decode_array(d, count, sizeof(*list), (void **)&list))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!decode_text(d, &list[i].linkage_name) || !list[i].linkage_name ||
            !cursor_u64(d->c, &list[i].index))
            return false;
    out->methods = list;
    out->method_count = count;
    return true;
}

static bool read_type(struct answer_decoder *d, struct type *out)
{
    uint8_t kind;

    if (!cursor_u64(d->c, &out->ref) || !cursor_u8(d->c, &kind) || kind > TYPE_UNSPECIFIED)
        return false;
    out->kind = (enum type_kind)kind;
    return decode_text(d, &out->name) && decode_bool(d, &out->has_size) &&
           cursor_u64(d->c, &out->size) && cursor_u8(d->c, &out->encoding) &&
           cursor_u16(d->c, &out->language) && decode_bool(d, &out->is_declaration) &&
           decode_bool(d, &out->is_vector) && decode_bool(d, &out->is_prototyped) &&
           decode_bool(d, &out->is_enum_class) && cursor_u64(d->c, &out->target) &&
           cursor_u64(d->c, &out->container) && read_members(d, out) && read_enumerators(d, out) &&
           read_dimensions(d, out) && read_methods(d, out) && decode_bool(d, &out->has_ellipsis) &&
           decode_bool(d, &out->is_cut) && cursor_left(d->c) == 0;
}

enum status decode_type(struct cursor *c, struct arena *arena, struct type **out)
{
    struct answer_decoder d = {.c = c, .arena = arena};

    return decode_result(&d,
                         decode_array(&d, 1, sizeof(**out), (void **)out) && read_type(&d, *out));
}
