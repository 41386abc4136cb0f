/* SPDX-License-Identifier: MIT */
/* Pointers, references, pointers to members; and functions. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/analysis/analysis.h"
#include "base/bits.h"
#include "variables/value/telling.h"

#define BASES_MAX       32      /* in one another */
#define VIRTUAL_OFF_MAX 0x10000 /* no code is below: it is an offset in a virtual table */

void tell_address(struct telling *telling, uint64_t addr)
{
    const struct value_source *source = telling->source;
    const char *name = NULL;
    uint64_t off = 0;

    telling_printf(telling, "0x%llx", (unsigned long long)addr);
    telling_step(telling, 1);
    if (!addr || !source->symbol || !source->symbol(source->context, addr, &name, &off) || !name)
        return;
    telling_put(telling, " <");
    telling_put(telling, name);
    if (off)
        telling_printf(telling, "+%llu", (unsigned long long)off);
    telling_put(telling, ">");
}

static void tell_address_and_text(struct telling *telling, uint64_t addr, die_ref target)
{
    size_t width;
    enum text_kind kind = value_text_kind(telling->source, target, &width);
    struct telling_mark mark;

    tell_address(telling, addr);
    if (kind == TEXT_KIND_NONE || addr == 0)
        return;
    mark = telling_mark(telling);
    telling_put(telling, " ");
    if (!tell_string_at(telling, addr, width, kind))
        telling_back(telling, &mark);
}

/* Is it Rust's Box of a sized type? */
static bool is_box(const struct type *type)
{
    static const char prefix[] = "alloc::boxed::Box<";

    return type->name && value_is_rust(type) &&
           strncmp(type->name, prefix, sizeof(prefix) - 1) == 0;
}

void tell_pointer(struct telling *telling, const struct value_view *view)
{
    uint64_t addr;
    bool is_signed;
    struct known_how known;

    if (value_synthetic(view)) {
        telling_known(telling);
        telling_put(telling, "<synthetic pointer>");
        return;
    }
    known = telling_number(telling, view, &addr, &is_signed);
    if (!is_known(known)) {
        telling_unknown(telling, known);
        return;
    }
    telling_known(telling);
    tell_address_and_text(telling, addr, view->type->kind == TYPE_POINTER ? view->type->target : 0);
    if (is_box(view->type) && !telling->style->raw)
        tell_pointee(telling, view->type->target, addr);
}

void tell_array_address(struct telling *telling, const struct value_view *view)
{
    bool is_innermost = view->dims_passed + 1 >= view->type->dimension_count;
    uint64_t addr;

    telling_known(telling);
    if (value_address(view, &addr))
        tell_address_and_text(telling, addr, is_innermost ? view->type->target : 0);
    else
        telling_put(telling, "{}");
}

/* Writes a reference; its target only at the top, not inside other values, as gdb does. */
void tell_reference(struct telling *telling, const struct value_view *view)
{
    bool is_synthetic = value_synthetic(view) != NULL;
    struct object object;
    struct value_view to;
    struct known_how known = value_deref(telling->source, view, &object);

    if (!is_synthetic && !is_known(known)) {
        telling_unknown(telling, known);
        return;
    }
    if (value_strip_any(telling->source, view->type->target, &to.type) != STATUS_OK ||
        (is_known(known) && value_view_object(telling->source, &object, &to) != STATUS_OK)) {
        telling->failed = true;
        return;
    }
    telling->window.place = NULL; /* the window knows places by their address, which is reused */
    /* A container is written as its contents, without the address. */
    if (telling->nest <= 1 && is_known(known) && tell_container(telling, &to))
        return;
    telling_known(telling);
    if (is_synthetic)
        telling_put(telling, "<synthetic pointer>");
    else
        telling_printf(telling, "@0x%llx", (unsigned long long)object.place.pieces[0].addr);
    if (telling->nest <= 1) {
        telling_put(telling, ": ");
        if (is_known(known))
            tell_view(telling, &to);
        else
            telling_unknown(telling, known);
    }
    telling->window.place = NULL;
}

static void put_type_name(struct telling *telling, die_ref ref)
{
    char *name;

    if (value_type_name(telling->source, ref, &name) != STATUS_OK) {
        telling->failed = true;
        return;
    }
    telling_step(telling, 16 + strlen(name) / 16);
    telling_put(telling, name);
    free(name);
}

/* Returns the base that holds offset `adjustment`; NULL: none. */
static const struct type_member *base_at(struct telling *telling, const struct type *type,
                                         uint64_t adjustment)
{
    for (size_t i = 0; i < type->member_count && telling_step(telling, 1); i++) {
        const struct type_member *member = &type->members[i];
        const struct type *base;
        uint64_t size;

        if (!member->is_base || member->off_unknown || adjustment < member->off)
            continue;
        if (value_strip_any(telling->source, member->type, &base) != STATUS_OK) {
            telling->failed = true;
            return NULL;
        }
        if (value_size(telling->source, base, 0, &size) && adjustment - member->off < size)
            return member;
    }
    return NULL;
}

static const char *virtual_name(struct telling *telling, die_ref container, uint64_t index,
                                uint64_t adjustment)
{
    for (unsigned nest = 0; nest < BASES_MAX; nest++) {
        const struct type_member *base;
        const struct type *type;

        if (value_strip_any(telling->source, container, &type) != STATUS_OK) {
            telling->failed = true;
            return NULL;
        }
        for (size_t i = 0; adjustment == 0 && i < type->method_count && telling_step(telling, 1);
             i++)
            if (type->methods[i].index == index)
                return type->methods[i].linkage_name;
        base = base_at(telling, type, adjustment);
        if (!base)
            return NULL;
        container = base->type;
        adjustment -= base->off;
    }
    return NULL;
}

static void tell_adjustment(struct telling *telling, int64_t adjustment)
{
    if (adjustment != 0)
        telling_printf(telling, ", this adjustment %lld", (long long)adjustment);
}

/* Writes the method as gdb finds it: in the pointer's class, though others may override it. */
static void tell_virtual(struct telling *telling, const struct value_view *view, uint64_t off,
                         int64_t adjustment)
{
    const char *name = virtual_name(telling, view->type->container,
                                    off / telling->source->arch->word_size, (uint64_t)adjustment);
    char *readable;

    if (!name) {
        telling_printf(telling, "&virtual table offset %llu", (unsigned long long)off);
        tell_adjustment(telling, adjustment);
        return;
    }
    readable = telling->source->demangle ? telling->source->demangle(name) : NULL;
    telling_put(telling, "&virtual ");
    telling_put(telling, readable ? readable : name);
    free(readable);
}

/*
 * Itanium C++ ABI 2.3: two words, the function and what is added to `this`. A virtual one has 1
 * plus the offset in the virtual table first; in the ABIs of ARM, where code addresses may be odd,
 * the offset, and then twice what is added, with its lowest bit set.
 */
static void tell_method_pointer(struct telling *telling, const struct value_view *view)
{
    size_t word = telling->source->arch->word_size;
    uint8_t bytes[16];
    uint64_t function;
    int64_t adjustment;
    bool is_virtual;
    struct known_how known = telling_bytes(telling, view, bytes, 2 * word);

    if (!is_known(known)) {
        telling_unknown(telling, known);
        return;
    }
    telling_known(telling);
    function = value_word(bytes, word);
    adjustment = (int64_t)value_word(bytes + word, word);
    if (word == 4)
        adjustment = (int32_t)adjustment;
    if (arch_analysis(telling->source->arch)->virtual_in_adjustment) {
        is_virtual = adjustment & 1;
        adjustment = (adjustment - is_virtual) / 2;
    } else {
        is_virtual = function & 1 && function < VIRTUAL_OFF_MAX;
        function -= is_virtual;
    }
    if (is_virtual) {
        tell_virtual(telling, view, function, adjustment);
    } else if (function == 0) {
        telling_put(telling, "NULL");
    } else {
        telling_put(telling, "(");
        put_type_name(telling, view->ref);
        telling_put(telling, ") ");
        tell_address(telling, function);
        tell_adjustment(telling, adjustment);
    }
}

static bool find_field(struct telling *telling, const struct type *type, uint64_t off,
                       const struct type_member **out)
{
    for (size_t i = 0; i < type->member_count && telling_step(telling, 1); i++) {
        *out = &type->members[i];
        if (!(*out)->is_static && !(*out)->is_base && (*out)->name && (*out)->off == off &&
            (*out)->bit_size == 0)
            return true;
    }
    return false;
}

static void tell_field_pointer(struct telling *telling, const struct value_view *view)
{
    size_t word = telling->source->arch->word_size;
    const struct type *container;
    const struct type_member *member;
    uint8_t bytes[8] = {0};
    uint64_t off;
    struct known_how known = telling_bytes(telling, view, bytes, word);

    if (!is_known(known)) {
        telling_unknown(telling, known);
        return;
    }
    telling_known(telling);
    off = value_word(bytes, word);
    if (off == bits_low(UINT64_MAX, 8 * word)) {
        telling_put(telling, "NULL");
        return;
    }
    if (value_strip_any(telling->source, view->type->container, &container) != STATUS_OK) {
        telling->failed = true;
    } else if (container->name && find_field(telling, container, off, &member)) {
        telling_put(telling, "&");
        telling_put(telling, container->name);
        telling_put(telling, "::");
        telling_put(telling, member->name);
    } else {
        telling_printf(telling, "%lld", (long long)off);
    }
}

void tell_member_pointer(struct telling *telling, const struct value_view *view)
{
    const struct type *target;

    if (value_strip_any(telling->source, view->type->target, &target) != STATUS_OK)
        telling->failed = true;
    else if (target->kind == TYPE_FUNCTION)
        tell_method_pointer(telling, view);
    else
        tell_field_pointer(telling, view);
}

void tell_function(struct telling *telling, const struct value_view *view)
{
    uint64_t addr;

    if (!value_address(view, &addr)) {
        telling_unknown(telling, unavailable("a function that is nowhere"));
        return;
    }
    telling_known(telling);
    telling_put(telling, "{");
    put_type_name(telling, view->ref);
    telling_put(telling, "} ");
    tell_address(telling, addr);
}
