/* SPDX-License-Identifier: MIT */
#include "variables/address_types.h"

#include <string.h>

#define NAMES_MAX  64                  /* typedefs of typedefs, arrays of arrays */
#define OBJECT_MAX (UINT64_C(1) << 48) /* bytes; a larger object is damaged */

static bool begins_as(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strncmp(name, *list, strlen(*list)) == 0)
            return true;
    return false;
}

/* Skips libc++'s inline namespace of its version. */
static const char *without_namespace(const char *name, const char *outer)
{
    const size_t length = strlen(outer);

    if (strncmp(name, outer, length) != 0)
        return NULL;
    name += length;
    if (strncmp(name, "__", 2) == 0 && name[2] >= '0' && name[2] <= '9') {
        const char *inner = strstr(name, "::");

        return inner ? inner + 2 : name;
    }
    return name;
}

static enum lock_type_kind lock_by_name(const char *name)
{
    static const char *const in_std[] = {"mutex",
                                         "recursive_mutex",
                                         "timed_mutex",
                                         "recursive_timed_mutex",
                                         "shared_mutex",
                                         "shared_timed_mutex",
                                         "condition_variable",
                                         "counting_semaphore<",
                                         "latch",
                                         "barrier<",
                                         "once_flag",
                                         "atomic<",
                                         "sync::",
                                         NULL};
    const char *inner = without_namespace(name, "std::");

    if (strncmp(name, "pthread_", 8) == 0 || strcmp(name, "sem_t") == 0 ||
        strcmp(name, "mtx_t") == 0 || strcmp(name, "cnd_t") == 0 || strcmp(name, "once_flag") == 0)
        return LOCK_OF_WORDS;
    return inner && begins_as(inner, in_std) ? LOCK_OF_LANGUAGE : LOCK_NOT;
}

bool address_type_is_smart(const struct type *type)
{
    static const char *const in_std[] = {"unique_ptr<", "shared_ptr<", "reference_wrapper<", NULL};
    static const char *const in_alloc[] = {"sync::Arc<", "sync::ArcInner<", "rc::Rc<",
                                           "rc::RcBox<", "rc::RcInner<",    "boxed::Box<",
                                           NULL};
    const char *name = type->name ? type->name : "";
    const char *std = without_namespace(name, "std::");
    const char *alloc = without_namespace(name, "alloc::");

    return (std && begins_as(std, in_std)) || (alloc && begins_as(alloc, in_alloc));
}

bool address_type_has_parts(const struct type *type)
{
    return type->kind == TYPE_STRUCT || type->kind == TYPE_CLASS || type->kind == TYPE_UNION ||
           type->kind == TYPE_ARRAY;
}

static bool is_alias(const struct type *type)
{
    return type->kind == TYPE_TYPEDEF || type->kind == TYPE_CONST || type->kind == TYPE_VOLATILE ||
           type->kind == TYPE_RESTRICT || type->kind == TYPE_ATOMIC;
}

/* Strips the type, and notes a name on the way that is a lock's. */
static enum status strip(const struct value_source *source, die_ref ref, struct address_type *out)
{
    for (unsigned i = 0; i < NAMES_MAX && ref; i++) {
        enum status status = source->type(source->context, ref, &out->type);

        if (status != STATUS_OK)
            return status;
        if (out->lock == LOCK_NOT && out->type->name && out->type->kind != TYPE_BASE)
            out->lock = lock_by_name(out->type->name);
        if (!is_alias(out->type))
            return STATUS_OK;
        ref = out->type->target;
    }
    return STATUS_NOT_FOUND;
}

/* Number of elements in all dimensions but the first `passed`; 0: not known. */
static uint64_t count_elements(const struct value_source *source, const struct type *array,
                               unsigned passed)
{
    uint64_t all = 1;

    for (size_t i = passed; i < array->dimension_count; i++) {
        const struct type_dimension *dimension = &array->dimensions[i];
        uint64_t count;
        int64_t lower;

        /* Indexes are shown from `lower` on. */
        if (dimension->low || !value_count(source, dimension, &count, &lower) ||
            __builtin_mul_overflow(all, count, &all))
            return 0;
    }
    return all;
}

/* Sets of->size; 0: not known. In damaged files arrays of arrays may have no end. */
static enum status find_size(const struct value_source *source, struct address_type *of)
{
    struct address_type at = *of;
    uint64_t count = 1;

    for (unsigned i = 0; i < NAMES_MAX && at.type->kind == TYPE_ARRAY; i++) {
        enum status status;

        if (__builtin_mul_overflow(count, count_elements(source, at.type, at.dims_passed), &count))
            return STATUS_OK;
        status = strip(source, at.type->target, &at);
        if (status != STATUS_OK)
            return status == STATUS_NO_MEMORY ? status : STATUS_OK;
        at.dims_passed = 0;
    }
    if (at.type->has_size)
        of->size = at.type->size;
    else if (at.type->kind == TYPE_POINTER || at.type->kind == TYPE_REFERENCE ||
             at.type->kind == TYPE_RVALUE_REFERENCE)
        of->size = source->arch->word_size;
    if (at.type->kind == TYPE_ARRAY || at.type->is_declaration ||
        __builtin_mul_overflow(of->size, count, &of->size) || of->size > OBJECT_MAX)
        of->size = 0;
    return STATUS_OK;
}

enum status address_type_of(const struct value_source *source, die_ref ref,
                            struct address_type *out)
{
    enum status status;

    *out = (struct address_type){.lock = LOCK_NOT};
    status = strip(source, ref, out);
    return status == STATUS_OK ? find_size(source, out) : status;
}

enum status address_type_element(const struct value_source *source,
                                 const struct address_type *array, struct address_type *out)
{
    if (array->dims_passed >= array->type->dimension_count)
        return STATUS_NOT_FOUND;
    if (array->dims_passed + 1 == array->type->dimension_count)
        return address_type_of(source, array->type->target, out);
    *out = *array;
    out->dims_passed++;
    out->size = 0;
    return find_size(source, out);
}
