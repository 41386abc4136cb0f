/* SPDX-License-Identifier: MIT */
/*
 * Types, as the debug information has them (DWARF 5, chapter 5): each DIE one struct type that
 * names the others by die_ref. They may be circular, and are untrusted: whoever follows them bounds
 * the steps.
 */
#ifndef VARIABLES_MODEL_TYPE_H
#define VARIABLES_MODEL_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "variables/model/location.h"

enum type_kind {
    TYPE_UNKNOWN, /* a DIE that could not be read, or is no type */
    TYPE_BASE,
    TYPE_ENUM,
    TYPE_POINTER,
    TYPE_REFERENCE,
    TYPE_RVALUE_REFERENCE,
    TYPE_MEMBER_POINTER, /* `target`: what it points to; `container`: of which class */
    TYPE_ARRAY,          /* dimensions, outermost first; `target`: the element */
    TYPE_STRUCT,
    TYPE_CLASS,
    TYPE_UNION,
    TYPE_FUNCTION, /* members: the parameters' types; `target`: what it returns */
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
    bool off_unknown; /* where it is depends on the object */
    /* Then, if it is known: makes the member's address of the object's; else without operations. */
    struct location where;
    /* Of a bit-field: from the least significant bit at `off` upwards; may exceed 8. */
    uint32_t bit_off;
    uint32_t bit_size;  /* 0: no bit-field */
    bool is_base;       /* inherited from (DW_TAG_inheritance) */
    bool is_virtual;    /* such a one, which the whole object has once */
    bool is_static;     /* is no part of the object; of Rust also a type's parameters (T) */
    bool is_artificial; /* _vptr */
    /* Of a variant part (Rust's enums): it is there when the discriminant has this value. */
    bool is_discriminant;
    bool is_variant, is_default; /* is_default: when it has no other variant's value */
    uint64_t variant_value;      /* as the discriminant's bytes are, zero-extended */
};

struct type_enumerator {
    const char *name;
    uint64_t value; /* sign-extended where the enumeration is signed */
};

enum bound_kind {
    BOUND_UNKNOWN, /* it cannot be read */
    BOUND_CONSTANT,
    BOUND_VARIABLE, /* is what a variable has, mostly one that the compiler made */
    BOUND_COMPUTED, /* by an expression, in the frame of the function that has the type */
};

struct type_bound {
    enum bound_kind kind;
    int64_t value;
    die_ref variable;
    struct location location;
};

struct type_dimension {
    bool has_count; /* false: `[]`, or known when the program runs only (`end`) */
    uint64_t count;
    int64_t lower;
    /* Of a variable length array: how many elements, or the last one's index. NULL: of others. */
    const struct type_bound *end;
    bool end_is_count;
    const struct type_bound *low; /* the first one's index; NULL: it is `lower` */
};

struct type_method { /* a virtual one, of the class that has it or overrides it */
    const char *linkage_name;
    uint64_t index; /* in the virtual table */
};

struct type {
    die_ref ref;
    enum type_kind kind;
    const char *name; /* with namespaces and classes around it; NULL: none */
    bool has_size;
    uint64_t size;       /* bytes */
    uint8_t encoding;    /* BASE, ENUM (of its underlying type; 0: not told): DW_ATE_… */
    uint16_t language;   /* of its unit: DW_LANG_… */
    bool is_declaration; /* incomplete; and no definition was found in the module */
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
