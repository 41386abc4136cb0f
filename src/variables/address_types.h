/* SPDX-License-Identifier: MIT */
/* Private to address_name.c: sizes of types, which are locks, and which stand for pointers. */
#ifndef VARIABLES_ADDRESS_TYPES_H
#define VARIABLES_ADDRESS_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "variables/value/value.h"

enum lock_type_kind {
    LOCK_NOT,
    LOCK_OF_WORDS,    /* a C library's: all its words belong to it */
    LOCK_OF_LANGUAGE, /* C++'s or Rust's, made of another lock; may hold what it guards */
};

struct address_type {
    const struct type *type; /* stripped */
    unsigned dims_passed;    /* of an array: outer dimensions already indexed */
    uint64_t size;           /* bytes; 0: not known, or none */
    enum lock_type_kind lock;
};

/* Strips a type and finds its size and lock kind. NOT_FOUND: void; NO_MEMORY. */
MUST_CHECK enum status address_type_of(const struct value_source *source, die_ref ref,
                                       struct address_type *out);

/*
 * Finds the element of an array; with several dimensions left, an array without the first of them.
 * NOT_FOUND, NO_MEMORY.
 */
MUST_CHECK enum status address_type_element(const struct value_source *source,
                                            const struct address_type *array,
                                            struct address_type *out);

/* Is it a struct, class, union or array? */
bool address_type_has_parts(const struct type *type);

/* Is it std::unique_ptr, Arc or the like, or the counted block that these point to? */
bool address_type_is_smart(const struct type *type);

#endif
