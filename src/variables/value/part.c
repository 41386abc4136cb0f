/* SPDX-License-Identifier: MIT */
/* From objects to parts of them, and to what they point to. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "variables/value/pretty.h"

#define NEST_MAX  16   /* nested anonymous members and bases; nested containers */
#define LOOKS_MAX 4096 /* members looked at */

#define VIRTUAL_OFF_MAX (UINT64_C(1) << 32) /* of a virtual base in its object */

static struct known_how no_memory(void)
{
    return unavailable("out of memory");
}

struct known_how value_deref(const struct value_source *source, const struct value_view *view,
                             struct object *out)
{
    const struct object_piece *piece = value_synthetic(view);
    struct known_how known;
    uint64_t addr;
    bool is_signed;
    die_ref type;

    out->type = view->type->target;
    out->bit_off = 0;
    out->bit_size = 0;
    out->dims_passed = 0;
    if (piece) {
        if (piece->off < 0 || piece->off > INT64_MAX / 8)
            return unavailable("it points outside of a variable");
        out->bit_off = 8 * (uint64_t)piece->off;
        return source->variable(source->context, piece->die, &type, &out->place);
    }
    known = value_view_number(source, view, &addr, &is_signed);
    if (!is_known(known))
        return known;
    out->place.count = 1;
    out->place.pieces[0] = (struct object_piece){.kind = PIECE_MEMORY, .addr = addr};
    return known;
}

/* Finds a virtual base: objects of other classes have it elsewhere, even before the object. */
static struct known_how find_virtual(const struct value_source *source,
                                     const struct value_view *view,
                                     const struct type_member *member, uint64_t *bit_off)
{
    uint64_t addr, at, end;
    const uint64_t word_mask = bits_low(UINT64_MAX, 8 * source->arch->word_size);

    if (!source->within || member->where.count == 0 || member->bit_size ||
        !value_address(view, &addr) ||
        !is_known(source->within(source->context, &member->where, addr, &at)))
        return unavailable("a virtual base");
    at = (at - addr) & word_mask;
    if (at > VIRTUAL_OFF_MAX || __builtin_add_overflow(view->bit_off, 8 * at, bit_off) ||
        __builtin_add_overflow(*bit_off, 8 * VALUE_BYTES_MAX, &end))
        return unavailable("a virtual base");
    return known_yes();
}

struct known_how value_member_off(const struct value_source *source, const struct value_view *view,
                                  const struct type_member *member, uint64_t *bit_off)
{
    uint64_t size, bits = member->bit_size, end;

    if (member->off_unknown)
        return find_virtual(source, view, member, bit_off);
    if (bits == 0) {
        const struct type *type;

        if (value_strip_any(source, member->type, &type) != STATUS_OK)
            return no_memory();
        bits = value_size(source, type, 0, &size) ? 8 * size : 0;
    }
    if (__builtin_mul_overflow(member->off, 8, bit_off) ||
        __builtin_add_overflow(*bit_off, member->bit_off, bit_off) ||
        __builtin_add_overflow(*bit_off, bits, &end) ||
        __builtin_add_overflow(*bit_off, view->bit_off, bit_off))
        return unavailable("a member out of range");
    if (value_view_size(source, view, &size) && end > 8 * size)
        return unavailable("a member outside of its object");
    return known_yes();
}

struct known_how value_member(const struct value_source *source, const struct value_view *view,
                              const struct type_member *member, struct value_view *out)
{
    uint64_t bit_off;
    struct known_how known = value_member_off(source, view, member, &bit_off);

    if (!is_known(known))
        return known;
    if (value_view_make(source, member->type, view->place, bit_off, out) != STATUS_OK)
        return no_memory();
    out->bit_size = member->bit_size;
    return known;
}

struct known_how value_element(const struct value_source *source, const struct value_view *view,
                               uint64_t index, struct value_view *out)
{
    uint64_t size, off;

    if (view->dims_passed + 1 < view->type->dimension_count) {
        *out = *view;
        out->dims_passed++;
    } else if (value_view_make(source, view->type->target, view->place, view->bit_off, out) !=
               STATUS_OK) {
        return no_memory();
    }
    out->bit_size = 0;
    if (!value_view_size(source, out, &size))
        return unavailable("elements of unknown size");
    if (__builtin_mul_overflow(size, index, &off) || __builtin_mul_overflow(off, 8, &off) ||
        __builtin_add_overflow(out->bit_off, off, &out->bit_off))
        return unavailable("an element out of range");
    return known_yes();
}

const struct type_member *value_variant(const struct value_source *source,
                                        const struct value_view *view, struct known_how *known)
{
    const struct type *type = view->type;
    const struct type_member *other = NULL, *only = NULL;
    uint64_t value = 0;
    bool has_value = false;

    for (size_t i = 0; i < type->member_count; i++) {
        const struct type_member *member = &type->members[i];
        struct value_view part;
        uint64_t size;

        if (member->is_variant)
            only = only ? only : member;
        if (!member->is_discriminant || has_value)
            continue;
        *known = value_member(source, view, member, &part);
        if (!is_known(*known))
            return NULL;
        if (!value_view_size(source, &part, &size) || size > sizeof(value)) {
            *known = unavailable("a discriminant of an unusual size");
            return NULL;
        }
        *known = value_bits(source, part.place, part.bit_off, 8 * size, &value);
        if (!is_known(*known))
            return NULL;
        value = value_word((const uint8_t *)&value, sizeof(value));
        has_value = true;
    }
    *known = known_yes();
    if (!has_value)
        return only;
    for (size_t i = 0; i < type->member_count; i++) {
        const struct type_member *member = &type->members[i];

        if (!member->is_variant)
            continue;
        if (member->is_default)
            other = member;
        else if (member->variant_value == value)
            return member;
    }
    if (!other)
        *known = unavailable("no such variant");
    return other;
}

static void to_object(const struct value_view *view, struct object *out)
{
    if (&out->place != view->place)
        out->place = *view->place;
    out->type = view->ref;
    out->bit_off = view->bit_off;
    out->bit_size = view->bit_size;
    out->dims_passed = view->dims_passed;
}

struct member_look_up {
    const char *name;
    unsigned nest, looks;
    bool is_there;
};

/* Looks a name up as C++ does, but takes the first one where C++ would call it ambiguous. */
static struct known_how find_member(const struct value_source *source,
                                    const struct value_view *view, struct member_look_up *look_up,
                                    struct value_view *out)
{
    const struct type *type = view->type;
    struct known_how found = unavailable("no such member");

    for (size_t i = 0; i < type->member_count && look_up->looks++ < LOOKS_MAX; i++)
        if (type->members[i].name && !type->members[i].is_static && !type->members[i].is_base &&
            strcmp(type->members[i].name, look_up->name) == 0) {
            look_up->is_there = true;
            return value_member(source, view, &type->members[i], out);
        }
    if (look_up->nest >= NEST_MAX)
        return found;
    for (size_t i = 0; i < type->member_count && look_up->looks++ < LOOKS_MAX; i++) {
        const struct type_member *member = &type->members[i];
        struct value_view part;

        if ((member->name && !member->is_base) || member->is_static || member->is_discriminant)
            continue;
        if (!is_known(value_member(source, view, member, &part)) || !value_is_aggregate(part.type))
            continue;
        look_up->nest++;
        found = find_member(source, &part, look_up, out);
        look_up->nest--;
        if (look_up->is_there)
            return found;
    }
    return found;
}

struct known_how value_find(const struct value_source *source, const struct value_view *view,
                            const char *name, struct value_view *out, bool *is_there)
{
    struct member_look_up look_up = {.name = name};
    struct known_how known;

    *is_there = false;
    if (!value_is_aggregate(view->type))
        return unavailable("no struct or union");
    known = find_member(source, view, &look_up, out);
    *is_there = look_up.is_there;
    return known;
}

static bool is_pointer(const struct type *type)
{
    return type->kind == TYPE_POINTER || type->kind == TYPE_REFERENCE ||
           type->kind == TYPE_RVALUE_REFERENCE;
}

/* Follows references, and pointers on request, to the object. */
static struct known_how follow(const struct value_source *source, struct object *object,
                               bool through_pointers, struct value_view *view)
{
    for (unsigned i = 0; i < NEST_MAX; i++) {
        struct object to;
        struct known_how known;

        if (value_view_object(source, object, view) != STATUS_OK)
            return no_memory();
        if (!is_pointer(view->type) || (view->type->kind == TYPE_POINTER && !through_pointers))
            return known_yes();
        known = value_deref(source, view, &to);
        if (!is_known(known))
            return known;
        *object = to;
    }
    return unavailable("too many references");
}

static bool read_index(const char *part, int64_t *index)
{
    char *end;

    *index = strtoll(part + 1, &end, 0);
    return end != part + 1 && strcmp(end, "]") == 0;
}

static struct known_how array_element(const struct value_source *source,
                                      const struct value_view *view, int64_t index,
                                      struct object *out)
{
    const struct type_dimension *dim = &view->type->dimensions[view->dims_passed];
    struct value_view element;
    struct known_how known;
    uint64_t count;
    int64_t lower;
    bool has_count = value_count(source, dim, &count, &lower);

    if (dim->end && !has_count)
        return unavailable("its length is not known");
    if (__builtin_sub_overflow(index, lower, &index) || index < 0 ||
        (has_count && (uint64_t)index >= count))
        return unavailable("an index out of range");
    known = value_element(source, view, (uint64_t)index, &element);
    if (is_known(known))
        to_object(&element, out);
    return known;
}

/* Moves from the element with index 0 to the one with `index`. */
static struct known_how move_on(const struct value_source *source, int64_t index,
                                struct object *out)
{
    const struct type *type;
    int64_t off;
    uint64_t size;

    if (value_strip_any(source, out->type, &type) != STATUS_OK)
        return no_memory();
    if (!value_size(source, type, 0, &size))
        return unavailable("elements of unknown size");
    if (__builtin_mul_overflow(index, (int64_t)size, &off))
        return unavailable("an index out of range");
    if (out->place.count == 1 && out->place.pieces[0].kind == PIECE_MEMORY)
        out->place.pieces[0].addr += (uint64_t)off;
    else if (off < 0 || __builtin_add_overflow(out->bit_off, 8 * (uint64_t)off, &out->bit_off))
        return unavailable("an index out of range");
    return known_yes();
}

static struct known_how pointer_element(const struct value_source *source,
                                        const struct value_view *view, int64_t index,
                                        struct object *out)
{
    struct known_how known = value_deref(source, view, out);

    return is_known(known) ? move_on(source, index, out) : known;
}

static struct known_how row_element(const struct value_source *source, const struct pretty_row *row,
                                    int64_t index, struct object *out)
{
    if (index < 0 || (uint64_t)index >= row->count)
        return unavailable("an index out of range");
    *out = (struct object){.type = row->element};
    out->place.count = 1;
    out->place.pieces[0] = (struct object_piece){.kind = PIECE_MEMORY, .addr = row->addr};
    return move_on(source, index, out);
}

/* Is the target indexed, not the pointer? In Rust, a reference's or Box's to an array or struct. */
static bool is_followed(struct telling *telling, const struct value_view *view)
{
    const struct type *target;

    return value_is_rust(view->type) && view->type->name && *view->type->name != '*' &&
           value_strip_any(telling->source, view->type->target, &target) == STATUS_OK &&
           (target->kind == TYPE_ARRAY || value_is_aggregate(target));
}

/* Replaces the view by what it holds; false: it holds nothing, and stays. */
static bool go_inside(struct telling *telling, struct value_view *view, bool *is_many)
{
    struct pretty_held held;

    *is_many = false;
    if (!pretty_held(telling, view, &held))
        return false;
    *view = held.view;
    *is_many = held.is_many;
    return true;
}

static struct known_how part_element(struct telling *telling, struct object *from, int64_t index,
                                     struct object *out)
{
    const struct value_source *source = telling->source;
    struct known_how known;
    struct value_view view;

    for (unsigned i = 0; i < NEST_MAX; i++) {
        struct pretty_row row;
        struct object to;
        bool is_many = false, is_owner;

        known = follow(source, from, false, &view);
        if (!is_known(known))
            return known;
        if (pretty_row(telling, &view, &row))
            return row_element(source, &row, index, out);
        is_owner = go_inside(telling, &view, &is_many);
        if (view.type->kind == TYPE_ARRAY && view.dims_passed < view.type->dimension_count)
            return array_element(source, &view, index, out);
        if (view.type->kind == TYPE_POINTER && !(is_owner && !is_many) &&
            !is_followed(telling, &view))
            return pointer_element(source, &view, index, out);
        if (view.type->kind == TYPE_POINTER) {
            known = value_deref(source, &view, &to);
            if (!is_known(known))
                return known;
            *from = to;
        } else if (is_owner) {
            to_object(&view, from);
        } else {
            break;
        }
    }
    return pretty_not_captured(telling, &view) ? known_not(NOT_CAPTURED)
                                               : unavailable("no array or pointer");
}

/* Finds a member by name: first of what an owner or optional holds, then of the library's type. */
static struct known_how part_named(struct telling *telling, struct object *from, const char *name,
                                   unsigned nest, struct object *out, bool *is_there)
{
    const struct value_source *source = telling->source;
    struct value_view view, found;
    struct pretty_held held;
    struct known_how known = follow(source, from, true, &view), inside = known_yes();

    *is_there = false;
    if (!is_known(known))
        return known;
    if (nest < NEST_MAX && pretty_held(telling, &view, &held)) {
        struct object object;

        to_object(&held.view, &object);
        inside = part_named(telling, &object, name, nest + 1, out, is_there);
        if (*is_there)
            return inside;
    }
    known = value_find(source, &view, name, &found, is_there);
    if (is_known(known))
        to_object(&found, out);
    else if (!*is_there && inside.state == NOT_CAPTURED)
        return inside;
    else if (!*is_there && pretty_not_captured(telling, &view))
        return known_not(NOT_CAPTURED);
    return known;
}

static struct known_how part_pointed(struct telling *telling, struct object *from,
                                     struct object *out)
{
    struct value_view view;
    struct known_how known = follow(telling->source, from, false, &view);
    bool is_many;

    if (!is_known(known))
        return known;
    go_inside(telling, &view, &is_many);
    if (view.type->kind != TYPE_POINTER)
        return unavailable("no pointer");
    return value_deref(telling->source, &view, out);
}

struct known_how value_part(const struct value_source *source, const struct object *object,
                            const char *part, struct object *out)
{
    struct telling telling = {.source = source, .steps = TELLING_STEPS_MAX};
    struct object from = *object;
    int64_t index;
    bool is_there;

    if (*part == '[')
        return read_index(part, &index) ? part_element(&telling, &from, index, out)
                                        : unavailable("no index");
    if (*part == '*')
        return part[1] ? unavailable("no pointer") : part_pointed(&telling, &from, out);
    return part_named(&telling, &from, part, 0, out, &is_there);
}
