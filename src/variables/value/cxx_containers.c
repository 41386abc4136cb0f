/* SPDX-License-Identifier: MIT */
/* Containers of libstdc++ (GCC 5 and later). */
#include <string.h>

#include "variables/value/pretty.h"

/* The name behind "std::" and its inline namespaces; NULL: not the library's. */
static const char *name_in_std(const char *name)
{
    static const char *const inlines[] = {"__cxx11::", "__cxx1998::"};

    if (strncmp(name, "std::", 5) != 0)
        return NULL;
    name += 5;
    for (size_t i = 0; i < sizeof(inlines) / sizeof(*inlines); i++)
        if (strncmp(name, inlines[i], strlen(inlines[i])) == 0)
            name += strlen(inlines[i]);
    return name;
}

/* Finds the element that a member, a pointer, points to, and its address. */
static bool find_row(struct telling *telling, const struct value_view *view,
                     const char *const *to_pointer, struct pretty_row *out)
{
    struct value_view pointer;

    if (!pretty_find(telling, view, to_pointer, &pointer) || pointer.type->kind != TYPE_POINTER)
        return false;
    out->element = pointer.type->target;
    return pretty_number(telling, view, to_pointer, &out->addr);
}

static bool basic_string_row(struct telling *telling, const struct value_view *view,
                             struct pretty_row *out)
{
    struct value_view local;
    uint64_t local_addr, local_size, capacity;

    if (!find_row(telling, view, PRETTY_PATH("_M_dataplus", "_M_p"), out) ||
        !pretty_number(telling, view, PRETTY_PATH("_M_string_length"), &out->count) ||
        !pretty_find(telling, view, PRETTY_PATH("_M_local_buf"), &local) ||
        !value_address(&local, &local_addr) ||
        !value_view_size(telling->source, &local, &local_size))
        return false;
    if (out->addr == local_addr)
        return out->count < local_size;
    return pretty_number(telling, view, PRETTY_PATH("_M_allocated_capacity"), &capacity) &&
           out->count <= capacity;
}

static bool string_view_row(struct telling *telling, const struct value_view *view,
                            struct pretty_row *out)
{
    return find_row(telling, view, PRETTY_PATH("_M_str"), out) &&
           pretty_number(telling, view, PRETTY_PATH("_M_len"), &out->count);
}

static bool vector_row(struct telling *telling, const struct value_view *view,
                       struct pretty_row *out)
{
    uint64_t finish, end, size;
    const struct type *element;

    if (!find_row(telling, view, PRETTY_PATH("_M_impl", "_M_start"), out) ||
        !pretty_number(telling, view, PRETTY_PATH("_M_impl", "_M_finish"), &finish) ||
        !pretty_number(telling, view, PRETTY_PATH("_M_impl", "_M_end_of_storage"), &end) ||
        out->addr > finish || finish > end ||
        value_strip_any(telling->source, out->element, &element) != STATUS_OK ||
        !value_size(telling->source, element, 0, &size) || size == 0 ||
        (finish - out->addr) % size != 0 || (end - out->addr) % size != 0)
        return false;
    out->count = (finish - out->addr) / size;
    return true;
}

static bool initializer_list_row(struct telling *telling, const struct value_view *view,
                                 struct pretty_row *out)
{
    return find_row(telling, view, PRETTY_PATH("_M_array"), out) &&
           pretty_number(telling, view, PRETTY_PATH("_M_len"), &out->count);
}

/* Only spans whose number of elements is known at run time. */
static bool span_row(struct telling *telling, const struct value_view *view, struct pretty_row *out)
{
    return find_row(telling, view, PRETTY_PATH("_M_ptr"), out) &&
           pretty_number(telling, view, PRETTY_PATH("_M_extent", "_M_extent_value"), &out->count);
}

static bool tell_text(struct telling *telling, const struct pretty_row *row)
{
    size_t width;
    enum text_kind kind = value_text_kind(telling->source, row->element, &width);

    if (kind == TEXT_KIND_NONE || row->count > PRETTY_COUNT_MAX)
        return false;
    tell_characters_at(telling, row->addr, row->count, width, kind);
    return true;
}

static bool tell_basic_string(struct telling *telling, const struct value_view *view)
{
    struct pretty_row row;

    return basic_string_row(telling, view, &row) && tell_text(telling, &row);
}

static bool tell_string_view(struct telling *telling, const struct value_view *view)
{
    struct pretty_row row;

    return string_view_row(telling, view, &row) && tell_text(telling, &row);
}

/* Writes the bits of vector<bool>: words, little-endian. */
static bool tell_bits(struct telling *telling, const struct value_view *impl)
{
    uint64_t start, finish, end, first, last, count, told = 0;
    struct place_of_object place;
    struct known_how known;
    uint8_t bit, next;

    if (!pretty_number(telling, impl, PRETTY_PATH("_M_start", "_M_p"), &start) ||
        !pretty_number(telling, impl, PRETTY_PATH("_M_start", "_M_offset"), &first) ||
        !pretty_number(telling, impl, PRETTY_PATH("_M_finish", "_M_p"), &finish) ||
        !pretty_number(telling, impl, PRETTY_PATH("_M_finish", "_M_offset"), &last) ||
        !pretty_number(telling, impl, PRETTY_PATH("_M_end_of_storage"), &end) || start > finish ||
        finish > end || first != 0 || last >= 64 || (finish - start) > PRETTY_COUNT_MAX / 8)
        return false;
    place.count = 1;
    place.pieces[0] = (struct object_piece){.kind = PIECE_MEMORY, .addr = start};
    count = 8 * (finish - start) + last;
    known = count ? value_bits(telling->source, &place, 0, 1, &bit) : known_yes();
    if (!is_known(known)) {
        telling_unknown(telling, known);
        return true;
    }
    telling_put(telling, "{");
    for (uint64_t i = 0; i < count && told < telling->style->elements_max;) {
        uint64_t run = 1;

        known = value_bits(telling->source, &place, i, 1, &bit);
        while (i + run < count && telling_step(telling, 1)) {
            struct known_how other = value_bits(telling->source, &place, i + run, 1, &next);

            if (other.state != known.state || (is_known(known) && next != bit))
                break;
            run++;
        }
        if (i > 0)
            telling_put(telling, ", ");
        if (is_known(known))
            telling_put(telling, bit ? "true" : "false");
        else
            telling_unknown(telling, known);
        if (run > telling->style->repeats_min) {
            telling_printf(telling, " <repeats %llu times>", (unsigned long long)run);
            told += telling->style->repeats_min;
            i += run;
        } else {
            told++;
            i++;
        }
        if (!telling_goes_on(telling))
            break;
        if (i < count && told >= telling->style->elements_max)
            telling_put(telling, "...");
    }
    telling_put(telling, "}");
    telling_known(telling);
    return true;
}

static bool tell_vector(struct telling *telling, const struct value_view *view)
{
    struct value_view impl, start;
    struct pretty_row row;

    if (!pretty_find(telling, view, PRETTY_PATH("_M_impl"), &impl) ||
        !pretty_find(telling, &impl, PRETTY_PATH("_M_start"), &start))
        return false;
    if (start.type->kind != TYPE_POINTER)
        return tell_bits(telling, &impl);
    return vector_row(telling, view, &row) && tell_row(telling, &row, "{}");
}

static bool tell_span(struct telling *telling, const struct value_view *view)
{
    struct pretty_row row;

    return span_row(telling, view, &row) && tell_row(telling, &row, "{}");
}

static bool array_class_held(struct telling *telling, const struct value_view *view,
                             struct pretty_held *out)
{
    return pretty_find(telling, view, PRETTY_PATH("_M_elems"), &out->view);
}

static bool tell_array_class(struct telling *telling, const struct value_view *view)
{
    struct pretty_held elements;

    if (!array_class_held(telling, view, &elements))
        return false;
    if (elements.view.type->kind == TYPE_ARRAY) {
        tell_view(telling, &elements.view);
    } else { /* array<T, 0> */
        telling_put(telling, "{}");
        telling_known(telling);
    }
    return true;
}

static bool tell_initializer_list(struct telling *telling, const struct value_view *view)
{
    struct pretty_row row;

    return initializer_list_row(telling, view, &row) && tell_row(telling, &row, "{}");
}

/* Finds a base of a tuple: its first element, or the tuple of the others. */
static bool tuple_base(struct telling *telling, const struct value_view *view, const char *prefix,
                       struct value_view *out)
{
    const struct type *type = view->type;

    if (!value_is_aggregate(type))
        return false;
    for (size_t i = 0; i < type->member_count && telling_step(telling, 1); i++) {
        const char *name;

        if (!type->members[i].is_base ||
            !is_known(value_member(telling->source, view, &type->members[i], out)) ||
            !out->type->name)
            continue;
        name = name_in_std(out->type->name);
        if (name && strncmp(name, prefix, strlen(prefix)) == 0)
            return true;
    }
    return false;
}

/* An empty class may be the base itself, without a member. */
static bool tuple_head(struct telling *telling, const struct value_view *view,
                       struct value_view *out)
{
    struct value_view base;

    if (!tuple_base(telling, view, "_Head_base<", &base))
        return false;
    if (!pretty_find(telling, &base, PRETTY_PATH("_M_head_impl"), out))
        *out = base;
    return true;
}

static bool tell_tuple(struct telling *telling, const struct value_view *view)
{
    struct value_view rest = *view, head;
    struct telling_mark mark = telling_mark(telling);
    unsigned count = 0;

    if (!telling_deeper(telling))
        return true;
    telling->depth++;
    telling_put(telling, "{");
    for (struct value_view next; tuple_base(telling, &rest, "_Tuple_impl<", &next); rest = next) {
        if (!tuple_head(telling, &next, &head))
            break;
        if (count++ > 0)
            telling_put(telling, ", ");
        tell_view(telling, &head);
    }
    telling_put(telling, "}");
    telling->depth--;
    if (count > 0)
        return true;
    telling_back(telling, &mark);
    return false;
}

static bool tell_pair(struct telling *telling, const struct value_view *view)
{
    struct value_view first, second;

    if (!pretty_find(telling, view, PRETTY_PATH("first"), &first) ||
        !pretty_find(telling, view, PRETTY_PATH("second"), &second))
        return false;
    if (!telling_deeper(telling))
        return true;
    telling->depth++;
    telling_put(telling, "{first = ");
    tell_view(telling, &first);
    telling_put(telling, ", second = ");
    tell_view(telling, &second);
    telling_put(telling, "}");
    telling->depth--;
    return true;
}

static bool unique_ptr_held(struct telling *telling, const struct value_view *view,
                            struct pretty_held *out)
{
    struct value_view tuple, impl;

    if (!pretty_find(telling, view, PRETTY_PATH("_M_t", "_M_t"), &tuple) &&
        !pretty_find(telling, view, PRETTY_PATH("_M_t"), &tuple))
        return false;
    return tuple_base(telling, &tuple, "_Tuple_impl<0", &impl) &&
           tuple_head(telling, &impl, &out->view);
}

static bool shared_ptr_held(struct telling *telling, const struct value_view *view,
                            struct pretty_held *out)
{
    return pretty_find(telling, view, PRETTY_PATH("_M_ptr"), &out->view);
}

static bool is_of_many(const struct value_view *owner)
{
    return strstr(owner->type->name, "[]") != NULL;
}

static bool tell_owner(struct telling *telling, const struct value_view *pointer, bool has_pointee)
{
    uint64_t addr;

    if (pointer->type->kind != TYPE_POINTER ||
        !pretty_number(telling, pointer, (const char *const[]){NULL}, &addr))
        return false;
    tell_view(telling, pointer);
    if (has_pointee)
        tell_pointee(telling, pointer->type->target, addr);
    return true;
}

static bool tell_unique_ptr(struct telling *telling, const struct value_view *view)
{
    struct pretty_held held;

    return unique_ptr_held(telling, view, &held) &&
           tell_owner(telling, &held.view, !is_of_many(view));
}

static bool tell_shared_ptr(struct telling *telling, const struct value_view *view)
{
    struct pretty_held held;

    return shared_ptr_held(telling, view, &held) &&
           tell_owner(telling, &held.view, !is_of_many(view));
}

/* The object that it points to may have ended. */
static bool tell_weak_ptr(struct telling *telling, const struct value_view *view)
{
    struct pretty_held held;

    return shared_ptr_held(telling, view, &held) && tell_owner(telling, &held.view, false);
}

/* False: its members do not fit. *has_value false: it is empty. */
static bool find_optional(struct telling *telling, const struct value_view *view, bool *has_value,
                          struct value_view *value)
{
    struct value_view payload;
    uint64_t is_engaged;

    if (!pretty_find(telling, view, PRETTY_PATH("_M_payload"), &payload) ||
        !pretty_number(telling, &payload, PRETTY_PATH("_M_engaged"), &is_engaged) ||
        is_engaged > 1 ||
        (!pretty_find(telling, &payload, PRETTY_PATH("_M_payload", "_M_value"), value) &&
         !pretty_find(telling, &payload, PRETTY_PATH("_M_value"), value)))
        return false;
    *has_value = is_engaged;
    return true;
}

static bool optional_held(struct telling *telling, const struct value_view *view,
                          struct pretty_held *out)
{
    bool has_value;

    return find_optional(telling, view, &has_value, &out->view) && has_value;
}

static bool tell_optional(struct telling *telling, const struct value_view *view)
{
    struct value_view value;
    bool has_value;

    if (!find_optional(telling, view, &has_value, &value))
        return false;
    if (has_value) {
        tell_view(telling, &value);
    } else {
        telling_put(telling, "std::nullopt");
        telling_known(telling);
    }
    return true;
}

static const struct container {
    const char *prefix;
    bool (*tell)(struct telling *telling, const struct value_view *view);
    /* At most one of them is set. */
    bool (*row)(struct telling *telling, const struct value_view *view, struct pretty_row *out);
    bool (*held)(struct telling *telling, const struct value_view *view, struct pretty_held *out);
} containers[] = {
    {"basic_string<", tell_basic_string, basic_string_row, NULL},
    {"basic_string_view<", tell_string_view, string_view_row, NULL},
    {"vector<", tell_vector, vector_row, NULL},
    {"array<", tell_array_class, NULL, array_class_held},
    {"span<", tell_span, span_row, NULL},
    {"initializer_list<", tell_initializer_list, initializer_list_row, NULL},
    {"tuple<", tell_tuple, NULL, NULL},
    {"pair<", tell_pair, NULL, NULL},
    {"unique_ptr<", tell_unique_ptr, NULL, unique_ptr_held},
    {"shared_ptr<", tell_shared_ptr, NULL, shared_ptr_held},
    {"weak_ptr<", tell_weak_ptr, NULL, NULL},
    {"optional<", tell_optional, NULL, optional_held},
};

static const struct container *container_of(const struct type *type)
{
    const char *name = name_in_std(type->name);

    for (size_t i = 0; name && i < sizeof(containers) / sizeof(*containers); i++)
        if (strncmp(name, containers[i].prefix, strlen(containers[i].prefix)) == 0)
            return &containers[i];
    return NULL;
}

bool is_cxx_container(const struct type *type)
{
    return container_of(type) != NULL;
}

bool cxx_held(struct telling *telling, const struct value_view *view, struct pretty_held *out)
{
    const struct container *container = container_of(view->type);

    if (!container->held || !container->held(telling, view, out))
        return false;
    out->is_many = out->view.type->kind == TYPE_POINTER && is_of_many(view);
    return true;
}

bool cxx_row(struct telling *telling, const struct value_view *view, struct pretty_row *out)
{
    const struct container *container = container_of(view->type);

    return container->row && container->row(telling, view, out);
}

bool tell_cxx_container(struct telling *telling, const struct value_view *view)
{
    return container_of(view->type)->tell(telling, view);
}
