/* SPDX-License-Identifier: MIT */
/* Those of libstdc++ (GCC 5 and later). */
#include <string.h>

#include "variables/value/pretty.h"

/* Behind "std::" and the namespaces that are inline there; NULL: it is not of the library. */
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

static bool tell_text(struct telling *telling, const struct value_view *pointer, uint64_t addr,
                      uint64_t length)
{
    size_t width;
    enum text_kind kind = pointer->type->kind == TYPE_POINTER
                              ? value_text_kind(telling->source, pointer->type->target, &width)
                              : TEXT_KIND_NONE;

    return kind != TEXT_KIND_NONE && length <= PRETTY_COUNT_MAX &&
           tell_characters_at(telling, addr, length, width, kind);
}

static bool tell_basic_string(struct telling *telling, const struct value_view *view)
{
    struct value_view pointer, local;
    uint64_t addr, local_addr, local_size, length, capacity;
    const char *const *to_pointer = PRETTY_PATH("_M_dataplus", "_M_p");

    if (!pretty_find(telling, view, to_pointer, &pointer) ||
        !pretty_number(telling, view, to_pointer, &addr) ||
        !pretty_number(telling, view, PRETTY_PATH("_M_string_length"), &length) ||
        !pretty_find(telling, view, PRETTY_PATH("_M_local_buf"), &local) ||
        !value_address(&local, &local_addr) ||
        !value_view_size(telling->source, &local, &local_size))
        return false;
    if (addr == local_addr) {
        if (length >= local_size)
            return false;
    } else if (!pretty_number(telling, view, PRETTY_PATH("_M_allocated_capacity"), &capacity) ||
               length > capacity) {
        return false;
    }
    return tell_text(telling, &pointer, addr, length);
}

static bool tell_string_view(struct telling *telling, const struct value_view *view)
{
    struct value_view pointer;
    uint64_t addr, length;
    const char *const *to_pointer = PRETTY_PATH("_M_str");

    return pretty_find(telling, view, to_pointer, &pointer) &&
           pretty_number(telling, view, to_pointer, &addr) &&
           pretty_number(telling, view, PRETTY_PATH("_M_len"), &length) &&
           tell_text(telling, &pointer, addr, length);
}

/* Bits of words, which are little-endian. */
static bool tell_bits(struct telling *telling, const struct value_view *impl)
{
    uint64_t start, finish, end, first, last, count, told = 0;
    struct place_of_object place;

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
    telling_put(telling, "{");
    for (uint64_t i = 0; i < count && told < telling->style->elements_max;) {
        uint8_t bit, next;
        struct known_how known = value_bits(telling->source, &place, i, 1, &bit);
        uint64_t run = 1;

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
    struct value_view impl, pointer;
    uint64_t start, finish, end, size;
    const struct type *element;

    if (!pretty_find(telling, view, PRETTY_PATH("_M_impl"), &impl) ||
        !pretty_find(telling, &impl, PRETTY_PATH("_M_start"), &pointer))
        return false;
    if (pointer.type->kind != TYPE_POINTER)
        return tell_bits(telling, &impl);
    if (!pretty_number(telling, &impl, PRETTY_PATH("_M_start"), &start) ||
        !pretty_number(telling, &impl, PRETTY_PATH("_M_finish"), &finish) ||
        !pretty_number(telling, &impl, PRETTY_PATH("_M_end_of_storage"), &end) || start > finish ||
        finish > end ||
        value_strip_any(telling->source, pointer.type->target, &element) != STATUS_OK ||
        !value_size(telling->source, element, 0, &size) || size == 0 ||
        (finish - start) % size != 0 || (end - start) % size != 0)
        return false;
    return tell_elements_at(telling, pointer.type->target, start, (finish - start) / size, "{}");
}

static bool tell_array_class(struct telling *telling, const struct value_view *view)
{
    struct value_view elements;

    if (!pretty_find(telling, view, PRETTY_PATH("_M_elems"), &elements))
        return false;
    if (elements.type->kind == TYPE_ARRAY) {
        tell_view(telling, &elements);
    } else { /* of no elements */
        telling_put(telling, "{}");
        telling_known(telling);
    }
    return true;
}

static bool tell_initializer_list(struct telling *telling, const struct value_view *view)
{
    struct value_view pointer;
    uint64_t addr, count;
    const char *const *to_pointer = PRETTY_PATH("_M_array");

    return pretty_find(telling, view, to_pointer, &pointer) && pointer.type->kind == TYPE_POINTER &&
           pretty_number(telling, view, to_pointer, &addr) &&
           pretty_number(telling, view, PRETTY_PATH("_M_len"), &count) &&
           tell_elements_at(telling, pointer.type->target, addr, count, "{}");
}

/* A tuple is what is first, and the tuple of the others: bases of it, named so. */
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

/* An empty class may be the base itself, which then has no member. */
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
    struct value_view tuple, impl, pointer;

    if (!pretty_find(telling, view, PRETTY_PATH("_M_t", "_M_t"), &tuple) &&
        !pretty_find(telling, view, PRETTY_PATH("_M_t"), &tuple))
        return false;
    if (!tuple_base(telling, &tuple, "_Tuple_impl<0", &impl) ||
        !tuple_head(telling, &impl, &pointer))
        return false;
    return tell_owner(telling, &pointer, !strstr(view->type->name, "[]"));
}

static bool tell_shared_ptr(struct telling *telling, const struct value_view *view)
{
    struct value_view pointer;

    return pretty_find(telling, view, PRETTY_PATH("_M_ptr"), &pointer) &&
           tell_owner(telling, &pointer, !strstr(view->type->name, "[]"));
}

static bool tell_weak_ptr(struct telling *telling, const struct value_view *view)
{
    struct value_view pointer;

    return pretty_find(telling, view, PRETTY_PATH("_M_ptr"), &pointer) &&
           tell_owner(telling, &pointer, false);
}

static bool tell_optional(struct telling *telling, const struct value_view *view)
{
    struct value_view payload, value;
    uint64_t is_engaged;

    if (!pretty_find(telling, view, PRETTY_PATH("_M_payload"), &payload) ||
        !pretty_number(telling, &payload, PRETTY_PATH("_M_engaged"), &is_engaged) ||
        is_engaged > 1 ||
        (!pretty_find(telling, &payload, PRETTY_PATH("_M_payload", "_M_value"), &value) &&
         !pretty_find(telling, &payload, PRETTY_PATH("_M_value"), &value)))
        return false;
    if (is_engaged) {
        tell_view(telling, &value);
    } else {
        telling_put(telling, "std::nullopt");
        telling_known(telling);
    }
    return true;
}

bool tell_cxx_container(struct telling *telling, const struct value_view *view)
{
    static const struct {
        const char *prefix;
        bool (*tell)(struct telling *telling, const struct value_view *view);
    } containers[] = {
        {"basic_string<", tell_basic_string},
        {"basic_string_view<", tell_string_view},
        {"vector<", tell_vector},
        {"array<", tell_array_class},
        {"initializer_list<", tell_initializer_list},
        {"tuple<", tell_tuple},
        {"pair<", tell_pair},
        {"unique_ptr<", tell_unique_ptr},
        {"shared_ptr<", tell_shared_ptr},
        {"weak_ptr<", tell_weak_ptr},
        {"optional<", tell_optional},
    };
    const char *name = name_in_std(view->type->name);

    for (size_t i = 0; name && i < sizeof(containers) / sizeof(*containers); i++)
        if (strncmp(name, containers[i].prefix, strlen(containers[i].prefix)) == 0)
            return containers[i].tell(telling, view);
    return false;
}
