/* SPDX-License-Identifier: MIT */
/* Structs, classes and unions as C and C++ have them: bases first, then the members. */
#include <string.h>

#include "variables/value/telling.h"

static bool is_data(const struct type_member *member)
{
    return !member->is_base && !member->is_static;
}

/* Writes an anonymous member inside its parent, without adding depth. */
static void tell_anonymous(struct telling *telling, const struct value_view *view)
{
    unsigned depth = telling->depth;

    if (value_is_aggregate(view->type) && depth > 0)
        telling->depth--;
    tell_view(telling, view);
    telling->depth = depth;
}

static void tell_member(struct telling *telling, const struct value_view *view,
                        const struct type_member *member)
{
    struct value_view part;
    struct known_how known;

    if (member->name && *member->name) {
        telling_put(telling, member->name);
        telling_put(telling, " = ");
    }
    known = value_member(telling->source, view, member, &part);
    if (!is_known(known))
        telling_unknown(telling, known);
    else if (member->name && *member->name)
        tell_view(telling, &part);
    else
        tell_anonymous(telling, &part);
}

/* The same class is several types in several compilation units. */
static bool is_same(const struct type *a, const struct type *b)
{
    return a == b || (a->name && b->name && strcmp(a->name, b->name) == 0);
}

/* Was this virtual base written? It is once for an object, at the first class that has it. */
static bool is_told(struct telling *telling, const struct type *base)
{
    for (size_t i = telling->base_first; i < telling->base_count; i++)
        if (is_same(telling->bases[i], base))
            return true;
    if (telling->base_count < TELLING_BASES_MAX)
        telling->bases[telling->base_count++] = base;
    return false;
}

static void tell_base_class(struct telling *telling, const struct value_view *view,
                            const struct type_member *member, const char **separator)
{
    const struct type *type;
    struct value_view part;
    struct known_how known;

    if (value_strip_any(telling->source, member->type, &type) != STATUS_OK) {
        telling->failed = true;
        return;
    }
    if (member->is_virtual && is_told(telling, type))
        return;
    telling_put(telling, *separator);
    *separator = ", ";
    telling_put(telling, "<");
    telling_put_name(telling, type->name ? type->name : "");
    telling_put(telling, "> = ");
    known = value_member(telling->source, view, member, &part);
    telling->is_base = is_known(known);
    if (!is_known(known))
        telling_unknown(telling, known);
    else
        tell_view(telling, &part);
    telling->is_base = false;
}

static void tell_members(struct telling *telling, const struct value_view *view)
{
    const struct type *type = view->type;
    const char *separator = "";
    bool has_data = false, has_static = false;

    for (size_t i = 0; i < type->member_count && telling_step(telling, 1); i++) {
        if (!type->members[i].is_base)
            continue;
        tell_base_class(telling, view, &type->members[i], &separator);
    }
    for (size_t i = 0; i < type->member_count && telling_step(telling, 1); i++) {
        has_static = has_static || type->members[i].is_static;
        if (!is_data(&type->members[i]))
            continue;
        telling_put(telling, separator);
        separator = ", ";
        has_data = true;
        tell_member(telling, view, &type->members[i]);
    }
    if (type->is_cut && telling_goes_on(telling)) {
        telling_put(telling, separator);
        telling_put(telling, "...");
    } else if (!has_data && !has_static) {
        telling_put(telling, separator);
        telling_put(telling, "<No data fields>");
    }
    if (!has_data)
        telling_known(telling);
}

static void tell_parts(struct telling *telling, const struct value_view *view, bool is_base)
{
    const size_t first = telling->base_first, count = telling->base_count;

    if (!is_base)
        telling->base_first = count;
    telling->depth++;
    telling_put(telling, "{");
    tell_members(telling, view);
    telling_put(telling, "}");
    telling->depth--;
    if (is_base)
        return;
    telling->base_first = first;
    telling->base_count = count;
}

void tell_aggregate(struct telling *telling, const struct value_view *view)
{
    const bool is_base = telling->is_base;

    telling->is_base = false;
    if (view->type->is_declaration) {
        telling_unknown(telling, unavailable("an incomplete type"));
        return;
    }
    if (tell_container(telling, view))
        return;
    if (value_is_rust(view->type)) {
        tell_rust_aggregate(telling, view);
        return;
    }
    if (telling_deeper(telling))
        tell_parts(telling, view, is_base);
}
