/* SPDX-License-Identifier: MIT */
/*
 * Private to address_name.c: how large what a type describes is, which types are locks, and which
 * stand for pointers.
 */
#ifndef VARIABLES_ADDRESS_TYPES_H
#define VARIABLES_ADDRESS_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "variables/value/value.h"

enum lock_type_kind {
    LOCK_NOT,
    LOCK_OF_WORDS,    /* a C library's: each word of it is its own */
    LOCK_OF_LANGUAGE, /* C++'s or Rust's, made of another one; it may have what it guards in it */
};

struct address_type {
    const struct type *type; /* stripped */
    unsigned dims_passed;    /* of an array: the outer dimensions that are behind */
    uint64_t size;           /* bytes; 0: not known, or nothing */
    enum lock_type_kind lock;
};

/* NOT_FOUND: it is void; NO_MEMORY. */
MUST_CHECK enum status address_type_of(const struct value_source *source, die_ref ref,
                                       struct address_type *out);

/* What an array consists of: of one of several dimensions arrays. NOT_FOUND, NO_MEMORY. */
MUST_CHECK enum status address_type_element(const struct value_source *source,
                                            const struct address_type *array,
                                            struct address_type *out);

/* Is it a struct, class, union or array? */
bool address_type_has_parts(const struct type *type);

/* std::unique_ptr, Arc and the like, and what these point to with a count. */
bool address_type_is_smart(const struct type *type);

#endif
