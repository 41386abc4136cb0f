/* SPDX-License-Identifier: MIT */
/* Rust's containers with a row of elements: String, Vec, pointers to str and slices; Rc and Arc. */
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

/* str, slice: a pointer and a number of elements. */
static bool slice_row(struct telling *telling, const struct value_view *view,
                      struct pretty_row *out)
{
    struct value_view pointer;

    if (!pretty_find(telling, view, PRETTY_PATH("data_ptr"), &pointer) ||
        pointer.type->kind != TYPE_POINTER ||
        !pretty_number(telling, view, PRETTY_PATH("data_ptr"), &out->addr) ||
        !pretty_number(telling, view, PRETTY_PATH("length"), &out->count))
        return false;
    out->element = pointer.type->target;
    return out->count <= PRETTY_COUNT_MAX;
}

static void tell_text(struct telling *telling, const struct pretty_row *row)
{
    tell_characters_at(telling, row->addr, row->count, 1, TEXT_KIND_CHAR);
}

static bool tell_slice(struct telling *telling, const struct pretty_row *row, bool is_text)
{
    if (!is_text)
        return tell_row(telling, row, "[]");
    tell_text(telling, row);
    return true;
}

/* The element is Vec's T; before Rust 1.84 also the pointer's target. */
static die_ref element_of(const struct value_view *vector, const struct type *pointer,
                          const struct type *target)
{
    for (size_t i = 0; i < vector->type->member_count; i++) {
        const struct type_member *member = &vector->type->members[i];

        if (member->is_static && member->name && strcmp(member->name, "T") == 0)
            return member->type;
    }
    /* Later compilers point to bytes, whatever the element. */
    if (target->name && strcmp(target->name, "u8") == 0 &&
        !begins(vector->type->name, "alloc::vec::Vec<u8,") &&
        strcmp(vector->type->name, "alloc::vec::Vec<u8>") != 0)
        return 0;
    return pointer->target;
}

static bool is_vector(const struct type *type)
{
    return type->name && begins(type->name, "alloc::vec::Vec<");
}

static bool vector_row(struct telling *telling, const struct value_view *view,
                       struct pretty_row *out)
{
    struct value_view raw, outer, pointer;
    const struct type *target;
    uint64_t size, capacity;

    if (!is_vector(view->type) || !pretty_number(telling, view, PRETTY_PATH("len"), &out->count) ||
        (!pretty_find(telling, view, PRETTY_PATH("buf", "inner"), &raw) &&
         !pretty_find(telling, view, PRETTY_PATH("buf"), &raw)) ||
        !pretty_number(telling, &raw, PRETTY_PATH("cap"), &capacity) ||
        !pretty_find(telling, &raw, PRETTY_PATH("ptr"), &outer) ||
        !pretty_unwrap(telling, &outer, &pointer) || pointer.type->kind != TYPE_POINTER ||
        !pretty_number(telling, &raw, PRETTY_PATH("ptr"), &out->addr) ||
        value_strip_any(telling->source, pointer.type->target, &target) != STATUS_OK)
        return false;
    out->element = element_of(view, pointer.type, target);
    if (!out->element || value_strip_any(telling->source, out->element, &target) != STATUS_OK ||
        !value_size(telling->source, target, 0, &size))
        return false;
    return out->count <= PRETTY_COUNT_MAX && (size == 0 || out->count <= capacity);
}

static bool is_string(const char *name)
{
    return strcmp(name, "alloc::string::String") == 0;
}

bool tell_rust_slice(struct telling *telling, const struct value_view *view)
{
    const char *name = view->type->name;
    const bool is_text = strcmp(name, "&str") == 0;
    struct telling_mark mark = telling_mark(telling);
    struct pretty_row row;

    if ((!is_text && !begins(name, "&[") && !begins(name, "&mut [")) ||
        !slice_row(telling, view, &row))
        return false;
    if (!is_text) {
        telling_put(telling, name);
        telling_put(telling, " ");
    }
    if (tell_slice(telling, &row, is_text))
        return true;
    telling_back(telling, &mark);
    return false;
}

static bool is_counted(const char *name)
{
    return begins(name, "alloc::rc::Rc<") || begins(name, "alloc::sync::Arc<");
}

/* Is it the counted block of an Rc or Arc? RcBox: before Rust 1.84. */
static bool is_count_and_value(const char *name)
{
    return begins(name, "alloc::rc::RcInner<") || begins(name, "alloc::rc::RcBox<") ||
           begins(name, "alloc::sync::ArcInner<");
}

bool is_rust_container(const struct type *type)
{
    const char *name = type->name;

    return is_str(name) || is_slice(name) || is_string(name) || is_vector(type) ||
           is_counted(name) || is_count_and_value(name);
}

bool rust_held(struct telling *telling, const struct value_view *view, struct pretty_held *out)
{
    const char *name = view->type->name;
    struct value_view pointer;

    if (is_counted(name))
        return pretty_find(telling, view, PRETTY_PATH("ptr"), &pointer) &&
               pretty_unwrap(telling, &pointer, &out->view) && out->view.type->kind == TYPE_POINTER;
    return is_count_and_value(name) &&
           (pretty_find(telling, view, PRETTY_PATH("value"), &out->view) ||
            pretty_find(telling, view, PRETTY_PATH("data"), &out->view));
}

/* Writes the address of the value, behind the counts, and the value. */
static bool tell_counted(struct telling *telling, const struct value_view *view)
{
    struct pretty_held pointer, value;
    struct value_view inner;
    struct object object;
    uint64_t addr;

    if (!rust_held(telling, view, &pointer) ||
        !is_known(value_deref(telling->source, &pointer.view, &object)) ||
        value_view_object(telling->source, &object, &inner) != STATUS_OK || !inner.type->name ||
        !is_count_and_value(inner.type->name) || !rust_held(telling, &inner, &value) ||
        !value_address(&value.view, &addr))
        return false;
    telling_known(telling);
    tell_address(telling, addr);
    tell_pointee(telling, value.view.ref, addr);
    return true;
}

bool rust_row(struct telling *telling, const struct value_view *view, struct pretty_row *out)
{
    const char *name = view->type->name;
    struct value_view bytes;

    if (is_str(name) || is_slice(name))
        return slice_row(telling, view, out);
    if (is_string(name))
        return pretty_find(telling, view, PRETTY_PATH("vec"), &bytes) &&
               vector_row(telling, &bytes, out);
    return vector_row(telling, view, out);
}

bool tell_rust_container(struct telling *telling, const struct value_view *view)
{
    const char *name = view->type->name;
    struct pretty_row row;

    if (is_counted(name))
        return tell_counted(telling, view);
    return rust_row(telling, view, &row) &&
           tell_slice(telling, &row, is_str(name) || is_string(name));
}
