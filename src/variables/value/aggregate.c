/* SPDX-License-Identifier: MIT */
/* Structs, classes and unions as C and C++ have them: bases first, then the members. */
#include "variables/value/telling.h"

static bool is_data(const struct type_member *member)
{
    return !member->is_base && !member->is_static;
}

/* What has no name is told inside of what it is in, and is no deeper. */
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

static void tell_base_class(struct telling *telling, const struct value_view *view,
                            const struct type_member *member)
{
    const struct type *type;
    struct value_view part;
    struct known_how known;

    if (value_strip_any(telling->source, member->type, &type) != STATUS_OK) {
        telling->failed = true;
        return;
    }
    telling_put(telling, "<");
    telling_put_name(telling, type->name ? type->name : "");
    telling_put(telling, "> = ");
    known = value_member(telling->source, view, member, &part);
    if (!is_known(known))
        telling_unknown(telling, known);
    else
        tell_view(telling, &part);
}

static void tell_members(struct telling *telling, const struct value_view *view)
{
    const struct type *type = view->type;
    const char *separator = "";
    bool has_data = false, has_static = false;

    for (size_t i = 0; i < type->member_count && telling_step(telling, 1); i++) {
        if (!type->members[i].is_base)
            continue;
        telling_put(telling, separator);
        separator = ", ";
        tell_base_class(telling, view, &type->members[i]);
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

void tell_aggregate(struct telling *telling, const struct value_view *view)
{
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
    if (!telling_deeper(telling))
        return;
    telling->depth++;
    telling_put(telling, "{");
    tell_members(telling, view);
    telling_put(telling, "}");
    telling->depth--;
}
