/* SPDX-License-Identifier: MIT */
/*
 * Private to address_name.c: tells the sizes of types, which types are locks, and which stand for
 * pointers.
 */
#ifndef VARIABLES_ADDRESS_TYPES_H
#define VARIABLES_ADDRESS_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "variables/value/value.h"

enum lock_type_kind {
    LOCK_NOT,
    LOCK_OF_WORDS,    /* a C library's lock: all its words belong to it */
    LOCK_OF_LANGUAGE, /* C++'s or Rust's lock, made of another lock; may contain what it guards */
};

struct address_type {
    const struct type *type; /* without typedefs and qualifiers; borrowed from the source */
    unsigned dims_passed;    /* array: number of outer dimensions that are indexed already */
    uint64_t size;           /* in bytes; 0: not known, or the type has none */
    enum lock_type_kind lock;
};

/*
 * Fills *out for the type `ref`, stripped of typedefs and qualifiers. NOT_FOUND: it is void, or
 * cannot be found; NO_MEMORY; else as source->type.
 */
MUST_CHECK enum status address_type_of(const struct value_source *source, die_ref ref,
                                       struct address_type *out);

/*
 * Fills *out for an element of `array`: if several dimensions are left, the array without the first
 * of them. NOT_FOUND: no dimension is left; else fails as address_type_of.
 */
MUST_CHECK enum status address_type_element(const struct value_source *source,
                                            const struct address_type *array,
                                            struct address_type *out);

/* Whether the type is a struct, class, union or array. */
bool address_type_has_parts(const struct type *type);

/*
 * Whether the type is std::unique_ptr, Arc or the like, or the counted block that these point to.
 */
bool address_type_is_smart(const struct type *type);

#endif
