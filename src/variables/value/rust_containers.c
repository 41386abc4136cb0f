/* SPDX-License-Identifier: MIT */
/* What holds a row of elements in Rust: String, Vec, and what points to a str or slice. */
#include <string.h>

#include "variables/value/pretty.h"

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* "&str", "&mut str", "*const str", "alloc::boxed::Box<str, …>" */
static bool is_str(const char *name)
{
    return strcmp(name, "&str") == 0 || strcmp(name, "&mut str") == 0 ||
           strcmp(name, "*const str") == 0 || strcmp(name, "*mut str") == 0 ||
           begins(name, "alloc::boxed::Box<str>") || begins(name, "alloc::boxed::Box<str,");
}

static bool is_slice(const char *name)
{
    return begins(name, "&[") || begins(name, "&mut [") || begins(name, "*const [") ||
           begins(name, "*mut [") || begins(name, "alloc::boxed::Box<[");
}

/* str, slice: a pointer and how many elements are there. */
struct rust_slice {
    die_ref element;
    uint64_t addr, length;
};

static bool read_slice(struct telling *telling, const struct value_view *view,
                       struct rust_slice *out)
{
    struct value_view pointer;

    if (!pretty_find(telling, view, PRETTY_PATH("data_ptr"), &pointer) ||
        pointer.type->kind != TYPE_POINTER ||
        !pretty_number(telling, view, PRETTY_PATH("data_ptr"), &out->addr) ||
        !pretty_number(telling, view, PRETTY_PATH("length"), &out->length))
        return false;
    out->element = pointer.type->target;
    return out->length <= PRETTY_COUNT_MAX;
}

static bool tell_slice(struct telling *telling, const struct rust_slice *slice, bool is_text)
{
    return is_text ? tell_characters_at(telling, slice->addr, slice->length, 1, TEXT_KIND_CHAR)
                   : tell_elements_at(telling, slice->element, slice->addr, slice->length, "[]");
}

struct rust_vector {
    die_ref element;
    uint64_t addr, length, capacity;
};

/* The element is Vec's T; of compilers before 1.84 what the pointer points to, too. */
static die_ref element_of(const struct value_view *vector, const struct type *pointer,
                          const struct type *target)
{
    for (size_t i = 0; i < vector->type->member_count; i++) {
        const struct type_member *member = &vector->type->members[i];

        if (member->is_static && member->name && strcmp(member->name, "T") == 0)
            return member->type;
    }
    /* Later ones keep bytes, whatever is in them. */
    if (target->name && strcmp(target->name, "u8") == 0 &&
        !begins(vector->type->name, "alloc::vec::Vec<u8,") &&
        strcmp(vector->type->name, "alloc::vec::Vec<u8>") != 0)
        return 0;
    return pointer->target;
}

static bool read_vector(struct telling *telling, const struct value_view *view,
                        struct rust_vector *out)
{
    struct value_view raw, outer, pointer;
    const struct type *target;
    uint64_t size;

    if (!view->type->name || !begins(view->type->name, "alloc::vec::Vec<") ||
        !pretty_number(telling, view, PRETTY_PATH("len"), &out->length) ||
        (!pretty_find(telling, view, PRETTY_PATH("buf", "inner"), &raw) &&
         !pretty_find(telling, view, PRETTY_PATH("buf"), &raw)) ||
        !pretty_number(telling, &raw, PRETTY_PATH("cap"), &out->capacity) ||
        !pretty_find(telling, &raw, PRETTY_PATH("ptr"), &outer) ||
        !pretty_unwrap(telling, &outer, &pointer) || pointer.type->kind != TYPE_POINTER ||
        !pretty_number(telling, &raw, PRETTY_PATH("ptr"), &out->addr) ||
        value_strip_any(telling->source, pointer.type->target, &target) != STATUS_OK)
        return false;
    out->element = element_of(view, pointer.type, target);
    if (!out->element || value_strip_any(telling->source, out->element, &target) != STATUS_OK ||
        !value_size(telling->source, target, 0, &size))
        return false;
    return out->length <= PRETTY_COUNT_MAX && (size == 0 || out->length <= out->capacity);
}

static bool tell_rust_string(struct telling *telling, const struct value_view *view)
{
    struct value_view bytes;
    struct rust_vector vector;

    return pretty_find(telling, view, PRETTY_PATH("vec"), &bytes) &&
           read_vector(telling, &bytes, &vector) &&
           tell_characters_at(telling, vector.addr, vector.length, 1, TEXT_KIND_CHAR);
}

bool tell_rust_slice(struct telling *telling, const struct value_view *view)
{
    const char *name = view->type->name;
    const bool is_text = strcmp(name, "&str") == 0;
    struct rust_slice slice;

    if ((!is_text && !begins(name, "&[") && !begins(name, "&mut [")) ||
        !read_slice(telling, view, &slice))
        return false;
    if (!is_text) {
        telling_put(telling, name);
        telling_put(telling, " ");
    }
    if (!tell_slice(telling, &slice, is_text))
        telling_unknown(telling, known_not(NOT_CAPTURED));
    return true;
}

bool tell_rust_container(struct telling *telling, const struct value_view *view)
{
    const char *name = view->type->name;
    struct rust_vector vector;
    struct rust_slice slice;

    if (is_str(name) || is_slice(name))
        return read_slice(telling, view, &slice) && tell_slice(telling, &slice, is_str(name));
    if (strcmp(name, "alloc::string::String") == 0)
        return tell_rust_string(telling, view);
    return read_vector(telling, view, &vector) &&
           tell_elements_at(telling, vector.element, vector.addr, vector.length, "[]");
}
