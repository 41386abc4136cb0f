/* SPDX-License-Identifier: MIT */
#include "variables/value/view.h"

#include <dwarf.h>
#include <string.h>

#define STRIP_STEPS_MAX 64
#define SIZE_LIMIT      (UINT64_C(1) << 48) /* bytes; a larger object is damaged */

static const struct type unknown_type = {.kind = TYPE_UNKNOWN};
const struct type value_void = {.kind = TYPE_UNSPECIFIED, .name = "void"};

static bool is_transparent(enum type_kind kind)
{
    return kind == TYPE_TYPEDEF || kind == TYPE_CONST || kind == TYPE_VOLATILE ||
           kind == TYPE_RESTRICT || kind == TYPE_ATOMIC;
}

enum status value_strip(const struct value_source *source, die_ref ref, const struct type **out)
{
    for (unsigned i = 0; i < STRIP_STEPS_MAX; i++) {
        enum status status = ref ? source->type(source->context, ref, out) : STATUS_NOT_FOUND;

        if (status == STATUS_NO_MEMORY || (status == STATUS_NOT_FOUND && !ref))
            return status;
        if (status != STATUS_OK)
            break;
        if (!is_transparent((*out)->kind))
            return STATUS_OK;
        ref = (*out)->target;
    }
    *out = &unknown_type;
    return STATUS_OK;
}

enum status value_strip_any(const struct value_source *source, die_ref ref, const struct type **out)
{
    enum status status = value_strip(source, ref, out);

    if (status != STATUS_NOT_FOUND)
        return status;
    *out = &value_void;
    return STATUS_OK;
}

enum status value_view_make(const struct value_source *source, die_ref ref,
                            const struct place_of_object *place, uint64_t bit_off,
                            struct value_view *out)
{
    *out = (struct value_view){.ref = ref, .place = place, .bit_off = bit_off};
    return value_strip_any(source, ref, &out->type);
}

enum status value_view_object(const struct value_source *source, const struct object *object,
                              struct value_view *out)
{
    enum status status =
        value_view_make(source, object->type, &object->place, object->bit_off, out);

    out->bit_size = object->bit_size;
    out->dims_passed = object->dims_passed;
    return status;
}

static bool find_bound(const struct value_source *source, const struct type_bound *bound,
                       int64_t *value)
{
    if (bound->kind == BOUND_CONSTANT) {
        *value = bound->value;
        return true;
    }
    return source->bound && is_known(source->bound(source->context, bound, value));
}

bool value_count(const struct value_source *source, const struct type_dimension *dimension,
                 uint64_t *count, int64_t *lower)
{
    int64_t end, number;

    *lower = dimension->lower;
    *count = dimension->count;
    if (dimension->has_count)
        return true;
    if (!dimension->end || (dimension->low && !find_bound(source, dimension->low, lower)) ||
        !find_bound(source, dimension->end, &end))
        return false;
    number = end;
    if (!dimension->end_is_count && (__builtin_sub_overflow(end, *lower, &number) ||
                                     __builtin_add_overflow(number, 1, &number)))
        return false;
    *count = number < 0 ? 0 : (uint64_t)number;
    return *count <= SIZE_LIMIT;
}

static bool array_size(const struct value_source *source, const struct type *type,
                       unsigned dims_passed, uint64_t *size)
{
    /* Damaged arrays of arrays may form a circle. */
    for (unsigned i = 0; i < STRIP_STEPS_MAX; i++) {
        for (size_t dim = dims_passed; dim < type->dimension_count; dim++) {
            uint64_t count;
            int64_t lower;

            if (!value_count(source, &type->dimensions[dim], &count, &lower) ||
                __builtin_mul_overflow(*size, count, size))
                return false;
        }
        if (value_strip(source, type->target, &type) != STATUS_OK)
            return false;
        if (type->kind != TYPE_ARRAY) {
            uint64_t each;

            return value_size(source, type, 0, &each) && !__builtin_mul_overflow(*size, each, size);
        }
        dims_passed = 0;
    }
    return false;
}

static bool member_pointer_size(const struct value_source *source, const struct type *type,
                                uint64_t *size)
{
    const struct type *target;

    if (value_strip_any(source, type->target, &target) != STATUS_OK)
        return false;
    *size = (uint64_t)source->arch->word_size << (target->kind == TYPE_FUNCTION);
    return true;
}

static bool any_size(const struct value_source *source, const struct type *type,
                     unsigned dims_passed, uint64_t *size)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        *size = 1;
        return array_size(source, type, dims_passed, size);
    case TYPE_MEMBER_POINTER:
        return member_pointer_size(source, type, size);
    case TYPE_POINTER:
    case TYPE_REFERENCE:
    case TYPE_RVALUE_REFERENCE:
        *size = type->has_size ? type->size : source->arch->word_size;
        return true;
    case TYPE_UNSPECIFIED: /* std::nullptr_t, if it has no size of its own */
        *size = type->has_size ? type->size : source->arch->word_size;
        return type != &value_void;
    case TYPE_BASE:
    case TYPE_ENUM:
    case TYPE_STRUCT:
    case TYPE_CLASS:
    case TYPE_UNION:
        *size = type->size;
        return type->has_size;
    case TYPE_UNKNOWN:
    case TYPE_FUNCTION:
    case TYPE_TYPEDEF:
    case TYPE_CONST:
    case TYPE_VOLATILE:
    case TYPE_RESTRICT:
    case TYPE_ATOMIC:
        break;
    }
    return false;
}

bool value_size(const struct value_source *source, const struct type *type, unsigned dims_passed,
                uint64_t *size)
{
    return any_size(source, type, dims_passed, size) && *size <= SIZE_LIMIT;
}

bool value_view_size(const struct value_source *source, const struct value_view *view,
                     uint64_t *size)
{
    return value_size(source, view->type, view->dims_passed, size);
}

bool value_is_signed(const struct type *type)
{
    if (type->kind != TYPE_BASE && type->kind != TYPE_ENUM)
        return false;
    if (type->kind == TYPE_ENUM && type->encoding == 0)
        for (size_t i = 0; i < type->enumerator_count; i++)
            if (type->enumerators[i].value >> 63)
                return true;
    return type->encoding == DW_ATE_signed || type->encoding == DW_ATE_signed_char;
}

bool value_is_integer(const struct type *type)
{
    return type->kind == TYPE_BASE &&
           (type->encoding == DW_ATE_signed || type->encoding == DW_ATE_unsigned);
}

uint64_t value_word(const uint8_t *bytes, size_t size)
{
    uint64_t word = 0;

    for (size_t i = size; i-- > 0;)
        word = word << 8 | bytes[i];
    return word;
}

static bool has_number(const struct type *type)
{
    switch (type->kind) {
    case TYPE_BASE:
        switch (type->encoding) {
        case DW_ATE_address:
        case DW_ATE_boolean:
        case DW_ATE_signed:
        case DW_ATE_signed_char:
        case DW_ATE_unsigned:
        case DW_ATE_unsigned_char:
        case DW_ATE_UTF:
        case DW_ATE_UCS:
        case DW_ATE_ASCII:
            return true;
        default:
            return false;
        }
    case TYPE_ENUM:
    case TYPE_POINTER:
    case TYPE_REFERENCE:
    case TYPE_RVALUE_REFERENCE:
    case TYPE_UNSPECIFIED:
        return type != &value_void;
    case TYPE_UNKNOWN:
    case TYPE_MEMBER_POINTER:
    case TYPE_ARRAY:
    case TYPE_STRUCT:
    case TYPE_CLASS:
    case TYPE_UNION:
    case TYPE_FUNCTION:
    case TYPE_TYPEDEF:
    case TYPE_CONST:
    case TYPE_VOLATILE:
    case TYPE_RESTRICT:
    case TYPE_ATOMIC:
        break;
    }
    return false;
}

struct known_how value_view_number(const struct value_source *source, const struct value_view *view,
                                   uint64_t *number, bool *is_signed)
{
    uint64_t size, bits = view->bit_size;
    uint8_t bytes[8] = {0};
    struct known_how known;

    if (!has_number(view->type))
        return unavailable("not a number");
    if (!value_view_size(source, view, &size) || size == 0 || size > sizeof(bytes))
        return unavailable("a number of an unusual size");
    if (bits == 0 || bits > 8 * size)
        bits = 8 * size;
    known = value_bits(source, view->place, view->bit_off, bits, bytes);
    if (!is_known(known))
        return known;
    *is_signed = value_is_signed(view->type);
    *number = value_word(bytes, sizeof(bytes));
    if (*is_signed && bits < 64 && *number >> (bits - 1) & 1)
        *number |= UINT64_MAX << bits;
    return known;
}

struct known_how value_number(const struct value_source *source, const struct object *object,
                              uint64_t *number, bool *is_signed)
{
    struct value_view view;

    if (value_view_object(source, object, &view) != STATUS_OK)
        return unavailable("out of memory");
    return value_view_number(source, &view, number, is_signed);
}

struct known_how value_bytes(const struct value_source *source, const struct object *object,
                             void *buffer, size_t size)
{
    uint64_t bits = 8 * (uint64_t)size;

    if (size > VALUE_BYTES_MAX)
        return unavailable("too large");
    if (object->bit_size && object->bit_size < bits)
        bits = object->bit_size;
    memset(buffer, 0, size);
    return value_bits(source, &object->place, object->bit_off, bits, buffer);
}

bool value_is_aggregate(const struct type *type)
{
    return type->kind == TYPE_STRUCT || type->kind == TYPE_CLASS || type->kind == TYPE_UNION;
}

bool value_is_rust(const struct type *type)
{
    return type->language == DW_LANG_Rust;
}
