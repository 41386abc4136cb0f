/* SPDX-License-Identifier: MIT */
/*
 * Types of the debug information (DWARF 5, chapter 5): one struct type for each DIE, with a die_ref
 * for each other type in it. Types are untrusted and may be circular, so that users must bound
 * their steps.
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
    TYPE_MEMBER_POINTER, /* `target`: type that it points to; `container`: the class */
    TYPE_ARRAY,          /* dimensions, outermost first; `target`: type of the elements */
    TYPE_STRUCT,
    TYPE_CLASS,
    TYPE_UNION,
    TYPE_FUNCTION, /* members: the parameters; `target`: type of the result */
    TYPE_TYPEDEF,
    TYPE_CONST,
    TYPE_VOLATILE,
    TYPE_RESTRICT,
    TYPE_ATOMIC,
    /* a type that DWARF names but does not describe: decltype(nullptr), Rust's ! */
    TYPE_UNSPECIFIED,
};

/* members of a type; further ones are left out, and is_cut is set */
#define TYPE_MEMBERS_MAX    65536
#define TYPE_DIMENSIONS_MAX 16

struct type_member {  /* a member, or a parameter of a function's type */
    const char *name; /* the member's name; NULL: none (an anonymous union, a parameter) */
    die_ref type;
    uint64_t off;     /* in bytes, from the begin of the object */
    bool off_unknown; /* the member's place depends on the object: `where` tells it */
    /* if off_unknown: computes the member's address from the object's; no operations: not known. */
    struct location where;
    /*
     * for a bit-field: its lowest bit, counted from the least significant bit at `off`; may exceed
     * 8
     */
    uint32_t bit_off;
    uint32_t bit_size;  /* bits of a bit-field; 0: it is none */
    bool is_base;       /* it is a base class (DW_TAG_inheritance) */
    bool is_virtual;    /* it is a virtual base, of which the whole object has one */
    bool is_static;     /* it is no part of the object; in Rust also for a type's parameter (T) */
    bool is_artificial; /* the compiler made it, such as _vptr */
    /*
     * Of a variant part (Rust's enums): a variant is present when the discriminant has
     * variant_value.
     */
    bool is_discriminant;
    bool is_variant, is_default; /* is_default: present for all values that no other variant has */
    uint64_t variant_value;      /* is_variant: the bytes of its discriminant, zero-extended */
};

struct type_enumerator {
    const char *name;
    uint64_t value; /* sign-extended if the enumeration is signed */
};

enum bound_kind {
    BOUND_UNKNOWN, /* the bound cannot be read */
    BOUND_CONSTANT,
    BOUND_VARIABLE, /* the value of `variable`, mostly one that the compiler made */
    BOUND_COMPUTED, /* computed by `location`, in the frame of the function that has the type */
};

struct type_bound {
    enum bound_kind kind;
    int64_t value;
    die_ref variable;
    struct location location;
};

struct type_dimension {
    bool has_count; /* `count` is valid; false: `[]`, or known at run time only (`end`) */
    uint64_t count;
    int64_t lower;
    /* variable length array: its number of elements (if end_is_count) or last index; else NULL */
    const struct type_bound *end;
    bool end_is_count;
    const struct type_bound *low; /* the first index; NULL: it is `lower` */
};

struct type_method { /* a virtual method, in the class that declares or overrides it */
    const char *linkage_name;
    uint64_t index; /* the method's index in the virtual table */
};

struct type {
    die_ref ref;
    enum type_kind kind;
    const char *name; /* with the namespaces and classes around it; NULL: none */
    bool has_size;
    uint64_t size;       /* bytes of an object of the type; valid if has_size */
    uint8_t encoding;    /* DW_ATE_... of BASE; of ENUM the underlying type's, 0: not known */
    uint16_t language;   /* DW_LANG_... of the type's unit */
    bool is_declaration; /* it is incomplete, and no definition in the module is known */
    bool is_vector;      /* ARRAY: it is a SIMD vector */
    bool is_prototyped, has_ellipsis; /* for FUNCTION */
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
