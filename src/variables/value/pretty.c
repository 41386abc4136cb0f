/* SPDX-License-Identifier: MIT */
#include "variables/value/pretty.h"

#define UNWRAP_MAX  8
#define MEMBERS_MAX 256 /* bytes of a container itself */

static bool is_container(const struct type *type)
{
    if (!value_is_aggregate(type) || !type->name || type->is_cut)
        return false;
    return value_is_rust(type) ? is_rust_container(type) : is_cxx_container(type);
}

bool pretty_not_captured(struct telling *telling, const struct value_view *view)
{
    uint8_t bytes[MEMBERS_MAX];
    uint64_t size;

    return is_container(view->type) && value_view_size(telling->source, view, &size) &&
           size <= sizeof(bytes) &&
           telling_bytes(telling, view, bytes, (size_t)size).state == NOT_CAPTURED;
}

bool pretty_held(struct telling *telling, const struct value_view *view, struct pretty_held *out)
{
    out->is_many = false;
    if (!is_container(view->type))
        return false;
    return value_is_rust(view->type) ? rust_held(telling, view, out) : cxx_held(telling, view, out);
}

bool pretty_row(struct telling *telling, const struct value_view *view, struct pretty_row *out)
{
    if (!is_container(view->type))
        return false;
    return value_is_rust(view->type) ? rust_row(telling, view, out) : cxx_row(telling, view, out);
}

bool tell_container(struct telling *telling, const struct value_view *view)
{
    if (!is_container(view->type))
        return false;
    if (telling->style->raw)
        return value_is_rust(view->type) && tell_rust_slice(telling, view);
    if (value_is_rust(view->type) ? tell_rust_container(telling, view)
                                  : tell_cxx_container(telling, view))
        return true;
    /* Then it is not known whether its members fit. */
    if (!pretty_not_captured(telling, view))
        return false;
    telling_unknown(telling, known_not(NOT_CAPTURED));
    return true;
}

bool pretty_find(struct telling *telling, const struct value_view *view, const char *const *path,
                 struct value_view *out)
{
    struct value_view at = *view;

    for (; *path; path++) {
        struct value_view next;
        bool is_there;

        if (!telling_step(telling, 8) ||
            !is_known(value_find(telling->source, &at, *path, &next, &is_there)))
            return false;
        at = next;
    }
    *out = at;
    return true;
}

static const struct type_member *first_data(const struct type *type)
{
    for (size_t i = 0; i < type->member_count; i++)
        if (!type->members[i].is_static)
            return &type->members[i];
    return NULL;
}

bool pretty_unwrap(struct telling *telling, const struct value_view *view, struct value_view *out)
{
    *out = *view;
    for (unsigned i = 0; value_is_aggregate(out->type); i++) {
        const struct type_member *member = first_data(out->type);
        struct value_view inner;

        if (i >= UNWRAP_MAX || !member || !telling_step(telling, 8) ||
            !is_known(value_member(telling->source, out, member, &inner)))
            return false;
        *out = inner;
    }
    return true;
}

bool pretty_number(struct telling *telling, const struct value_view *view, const char *const *path,
                   uint64_t *number)
{
    struct value_view outer, inner;
    bool is_signed;

    return pretty_find(telling, view, path, &outer) && pretty_unwrap(telling, &outer, &inner) &&
           is_known(telling_number(telling, &inner, number, &is_signed));
}

/* Is the first byte known? Always, if there is none. */
static struct known_how known_at(struct telling *telling, uint64_t addr, uint64_t size)
{
    struct place_of_object place;
    uint8_t byte;

    if (size == 0)
        return known_yes();
    place.count = 1;
    place.pieces[0] = (struct object_piece){.kind = PIECE_MEMORY, .addr = addr};
    telling_step(telling, 1);
    return value_bits(telling->source, &place, 0, 8, &byte);
}

bool tell_row(struct telling *telling, const struct pretty_row *row, const char *braces)
{
    const struct type_dimension dimension = {.has_count = true, .count = row->count};
    const struct type array = {.kind = TYPE_ARRAY,
                               .target = row->element,
                               .dimensions = &dimension,
                               .dimension_count = 1};
    struct place_of_object place;
    struct value_view view = {.type = &array, .place = &place};
    struct known_how known;
    uint64_t size;

    if (row->count > PRETTY_COUNT_MAX || !value_size(telling->source, &array, 0, &size))
        return false;
    known = known_at(telling, row->addr, size);
    if (!is_known(known)) {
        telling_unknown(telling, known);
        return true;
    }
    if (!telling_deeper(telling))
        return true;
    place.count = 1;
    place.pieces[0] = (struct object_piece){.kind = PIECE_MEMORY, .addr = row->addr};
    telling->depth++;
    telling->window.place = NULL;
    telling_known(telling);
    telling_put_bytes(telling, braces, 1);
    tell_elements(telling, &view, row->count);
    telling_put_bytes(telling, braces + 1, 1);
    telling->window.place = NULL;
    telling->depth--;
    return true;
}

void tell_pointee(struct telling *telling, die_ref ref, uint64_t addr)
{
    struct telling_mark mark = telling_mark(telling);
    const struct type *type;
    uint64_t bytes;
    size_t width;

    if (addr == 0 || !ref || telling->depth >= telling->style->depth_max ||
        value_text_kind(telling->source, ref, &width) != TEXT_KIND_NONE)
        return;
    if (value_strip_any(telling->source, ref, &type) != STATUS_OK) {
        telling->failed = true;
        return;
    }
    if (type->kind == TYPE_FUNCTION || type == &value_void || type->is_declaration ||
        (value_size(telling->source, type, 0, &bytes) && !is_known(known_at(telling, addr, bytes))))
        return;
    telling_put(telling, " ");
    telling->has_known = false;
    telling->depth++;
    tell_at(telling, ref, addr);
    telling->depth--;
    if (telling->has_known)
        return;
    telling_back(telling, &mark);
    telling->has_known = mark.has_known;
}
