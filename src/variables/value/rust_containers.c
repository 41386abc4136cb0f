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
static bool tell_fat_pointer(struct telling *telling, const struct value_view *view, bool is_text)
{
    struct value_view pointer;
    uint64_t addr, length;

    if (!pretty_find(telling, view, PRETTY_PATH("data_ptr"), &pointer) ||
        pointer.type->kind != TYPE_POINTER ||
        !pretty_number(telling, view, PRETTY_PATH("data_ptr"), &addr) ||
        !pretty_number(telling, view, PRETTY_PATH("length"), &length) || length > PRETTY_COUNT_MAX)
        return false;
    return is_text ? tell_characters_at(telling, addr, length, 1, TEXT_KIND_CHAR)
                   : tell_elements_at(telling, pointer.type->target, addr, length, "[]");
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

bool tell_rust_container(struct telling *telling, const struct value_view *view)
{
    const char *name = view->type->name;
    struct rust_vector vector;

    if (is_str(name))
        return tell_fat_pointer(telling, view, true);
    if (is_slice(name))
        return tell_fat_pointer(telling, view, false);
    if (strcmp(name, "alloc::string::String") == 0)
        return tell_rust_string(telling, view);
    return read_vector(telling, view, &vector) &&
           tell_elements_at(telling, vector.element, vector.addr, vector.length, "[]");
}
