/* SPDX-License-Identifier: MIT */
/*
 * Types of the debug information (DWARF 5, chapter 5): one struct type for each DIE, with a die_ref
 * for each other type in it. They are untrusted and may be circular: users bound their steps.
 */
#ifndef VARIABLES_MODEL_TYPE_H
#define VARIABLES_MODEL_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "variables/model/location.h"

enum type_kind {
    TYPE_UNKNOWN, /* the DIE cannot be read, or is no type */
    TYPE_BASE,
    TYPE_ENUM,
    TYPE_POINTER,
    TYPE_REFERENCE,
    TYPE_RVALUE_REFERENCE,
    TYPE_MEMBER_POINTER, /* `target`: what it points to; `container`: the class */
    TYPE_ARRAY,          /* dimensions, outermost first; `target`: the element */
    TYPE_STRUCT,
    TYPE_CLASS,
    TYPE_UNION,
    TYPE_FUNCTION, /* members: types of the parameters; `target`: of the result */
    TYPE_TYPEDEF,
    TYPE_CONST,
    TYPE_VOLATILE,
    TYPE_RESTRICT,
    TYPE_ATOMIC,
    TYPE_UNSPECIFIED, /* decltype(nullptr), Rust's ! */
};

#define TYPE_MEMBERS_MAX    65536 /* the rest is left out, and is_cut set */
#define TYPE_DIMENSIONS_MAX 16

struct type_member {  /* or a parameter of a function's type */
    const char *name; /* NULL: none (an anonymous union, a parameter) */
    die_ref type;
    uint64_t off;     /* bytes */
    bool off_unknown; /* the place depends on the object */
    /* off_unknown: computes the member's address from the object's; no operations: not known. */
    struct location where;
    /* Of a bit-field: counts up from the least significant bit at `off`; may exceed 8. */
    uint32_t bit_off;
    uint32_t bit_size;  /* 0: no bit-field */
    bool is_base;       /* inherited (DW_TAG_inheritance) */
    bool is_virtual;    /* a base that the whole object has once */
    bool is_static;     /* no part of the object; in Rust also a type's parameter (T) */
    bool is_artificial; /* _vptr */
    /* Variant part (Rust's enums): a variant is present when the discriminant has its value. */
    bool is_discriminant;
    bool is_variant, is_default; /* is_default: present for all other values */
    uint64_t variant_value;      /* the discriminant's bytes, zero-extended */
};

struct type_enumerator {
    const char *name;
    uint64_t value; /* sign-extended where the enumeration is signed */
};

enum bound_kind {
    BOUND_UNKNOWN, /* cannot be read */
    BOUND_CONSTANT,
    BOUND_VARIABLE, /* the value of a variable, mostly one that the compiler made */
    BOUND_COMPUTED, /* `location` computes it, in the frame of the function that has the type */
};

struct type_bound {
    enum bound_kind kind;
    int64_t value;
    die_ref variable;
    struct location location;
};

struct type_dimension {
    bool has_count; /* false: `[]`, or known at run time only (`end`) */
    uint64_t count;
    int64_t lower;
    /* Variable length array: number of elements (end_is_count) or last index; else NULL. */
    const struct type_bound *end;
    bool end_is_count;
    const struct type_bound *low; /* the first index; NULL: `lower` */
};

struct type_method { /* a virtual method, in the class that declares or overrides it */
    const char *linkage_name;
    uint64_t index; /* in the virtual table */
};

struct type {
    die_ref ref;
    enum type_kind kind;
    const char *name; /* with namespaces and classes around it; NULL: none */
    bool has_size;
    uint64_t size;       /* bytes */
    uint8_t encoding;    /* BASE, ENUM (the underlying type's; 0: not known): DW_ATE_... */
    uint16_t language;   /* of its unit: DW_LANG_... */
    bool is_declaration; /* incomplete, and the module has no definition */
    bool is_vector;      /* ARRAY: of SIMD */
    bool is_prototyped, has_ellipsis; /* FUNCTION */
    bool is_cut;
    bool is_enum_class;
    die_ref target, container;
    const struct type_member *members;
    size_t member_count;
    const struct type_enumerator *enumerators;
    size_t enumerator_count;
    const struct type_dimension *dimensions;
    size_t dimension_count;
    const struct type_method *methods;
    size_t method_count;
};

#endif
