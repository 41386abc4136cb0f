/* SPDX-License-Identifier: MIT */
/*
 * Rust's structs, tuples and enums, as gdb writes them in Rust:
 *
 *     point {x: 1, y: 2}    pair (1, 2)    (1, "a")    kind::Variant(1)    kind::Variant{x: 1}
 *
 * and variants without the enum's name, where it is a person who reads.
 */
#include <string.h>

#include "variables/value/telling.h"

static bool is_tuple_member(const struct type_member *member)
{
    return member->name && strncmp(member->name, "__", 2) == 0 && member->name[2] >= '0' &&
           member->name[2] <= '9';
}

static bool is_data(const struct type_member *member)
{
    return !member->is_static && !member->is_discriminant && !member->is_variant;
}

static size_t count_data(const struct type *type, bool *is_tuple)
{
    size_t count = 0;

    *is_tuple = true;
    for (size_t i = 0; i < type->member_count; i++)
        if (is_data(&type->members[i])) {
            *is_tuple = *is_tuple && is_tuple_member(&type->members[i]);
            count++;
        }
    return count;
}

static void tell_members(struct telling *telling, const struct value_view *view, bool is_tuple)
{
    const struct type *type = view->type;
    const char *separator = "";

    telling->depth++;
    telling_put(telling, is_tuple ? "(" : "{");
    for (size_t i = 0; i < type->member_count && telling_step(telling, 1); i++) {
        struct value_view part;
        struct known_how known;

        if (!is_data(&type->members[i]))
            continue;
        telling_put(telling, separator);
        separator = ", ";
        if (!is_tuple) {
            telling_put(telling, type->members[i].name ? type->members[i].name : "");
            telling_put(telling, ": ");
        }
        known = value_member(telling->source, view, &type->members[i], &part);
        if (is_known(known))
            tell_view(telling, &part);
        else
            telling_unknown(telling, known);
    }
    if (type->is_cut && telling_goes_on(telling))
        telling_put(telling, "...");
    telling_put(telling, is_tuple ? ")" : "}");
    telling->depth--;
}

/* A tuple's name only lists its members' types. */
static bool has_own_name(const struct type *type)
{
    return type->name && *type->name && *type->name != '(';
}

static void tell_fields(struct telling *telling, const struct value_view *view, const char *name,
                        bool is_variant)
{
    bool is_tuple;
    size_t count = count_data(view->type, &is_tuple);

    if (name)
        telling_put(telling, name);
    if (count == 0) {
        if (!name)
            telling_put(telling, "()");
        telling_known(telling);
        return;
    }
    if (name && !(is_variant && (is_tuple || telling->style->raw)))
        telling_put(telling, " ");
    tell_members(telling, view, is_tuple);
}

static void tell_variant(struct telling *telling, const struct value_view *view)
{
    const struct type *type = view->type;
    struct value_view part;
    struct known_how known = known_yes();
    const struct type_member *variant;

    telling_step(telling, type->member_count / 8);
    variant = value_variant(telling->source, view, &known);
    if (variant)
        known = value_member(telling->source, view, variant, &part);
    if (!variant || !is_known(known)) {
        telling_unknown(telling, is_known(known) ? unavailable("no such variant") : known);
        return;
    }
    if (telling->style->raw && has_own_name(type)) {
        telling_put(telling, type->name);
        telling_put(telling, "::");
    }
    telling_known(telling);
    if (value_is_aggregate(part.type)) {
        tell_fields(telling, &part, variant->name ? variant->name : "", true);
    } else {
        telling_put(telling, variant->name ? variant->name : "");
        telling_put(telling, "(");
        tell_view(telling, &part);
        telling_put(telling, ")");
    }
}

static bool has_variants(const struct type *type)
{
    for (size_t i = 0; i < type->member_count; i++)
        if (type->members[i].is_variant)
            return true;
    return false;
}

void tell_rust_aggregate(struct telling *telling, const struct value_view *view)
{
    if (!telling_deeper(telling))
        return;
    telling_step(telling, view->type->member_count / 8);
    if (has_variants(view->type))
        tell_variant(telling, view);
    else
        tell_fields(telling, view, has_own_name(view->type) ? view->type->name : NULL, false);
}
