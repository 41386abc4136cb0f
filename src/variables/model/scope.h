/* SPDX-License-Identifier: MIT */
/*
 * The scope of an address: the function that holds it, functions inlined there, and the parameters
 * and variables of each, with their locations at this address.
 */
#ifndef VARIABLES_MODEL_SCOPE_H
#define VARIABLES_MODEL_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "variables/model/location.h"

enum variable_kind { VARIABLE_PARAMETER, VARIABLE_LOCAL };

enum variable_form {
    VARIABLE_NOWHERE,  /* optimized out: it has no location, no constant, or none at this address */
    VARIABLE_LOCATED,  /* the variable is where `location` says */
    VARIABLE_CONSTANT, /* the variable's value is `bytes` (DW_AT_const_value) */
    VARIABLE_DAMAGED,  /* the variable's location cannot be read */
};

struct scope_variable {
    const char *name; /* never NULL; "": without a name, only from debug_info_variable */
    enum variable_kind kind;
    enum variable_form form;
    die_ref die, type;
    struct location location;
    /* the location is from a list by address, and so valid at this address exactly */
    bool is_listed;
    bool is_artificial; /* the compiler made the variable, such as `this` */
    /* it is a parameter of the real function with a location from a list: `entry` is valid */
    bool has_entry;
    /* the parameter's location at the function's entry; valid if has_entry */
    struct location entry;
    bool is_outer; /* a variable of the same name further in, at the same level, hides it */
    const uint8_t *bytes;
    uint32_t size;
    uint32_t decl_line;   /* line that declares the variable; 0: not known */
    uint64_t block_vaddr; /* start of its block; for a variable of no block the function's entry */
};

struct pc_level {             /* a function, real or inlined */
    const char *name;         /* name with namespaces and classes; NULL: none */
    const char *linkage_name; /* the name in symbol tables, mangled; NULL: none */
    bool is_external;         /* other files may call it (DW_AT_external) */
    bool is_inline;           /* it is inlined into the function of the next level */
    die_ref die; /* the function's DIE; for an inlined function its abstract instance */
    /* parameters in their order, then variables, those of the innermost block first */
    const struct scope_variable *variables;
    size_t count;
};

#define SCOPE_LEVELS_MAX    256
#define SCOPE_VARIABLES_MAX 4096 /* the most variables of one level */
#define SCOPE_TAILS_MAX     256

struct pc_scope {
    const struct pc_level *levels; /* innermost first; the last one is the real function */
    size_t count;
    uint16_t language; /* DW_LANG_…: the language of the function's unit */
    uint64_t entry_vaddr;
    /* end of the prologue by the line table (prologue_end, else the second line), or the entry */
    uint64_t body_vaddr;
    /* the compiler does not say when the register of a location outside of a list is reused */
    bool is_untracked;
    bool has_frame_base;
    struct location frame_base;
    /* functions that it may end with a jump to (tail calls); has_other_tails: there are more */
    const uint64_t *tail_vaddrs;
    size_t tail_count;
    bool has_other_tails;
};

struct call_parameter {
    /* where it is passed: a register, or an address in the callee; empty if `parameter` is set */
    struct location where;
    /* the callee's parameter, for DW_OP_GNU_parameter_ref; 0: `where` tells it */
    die_ref parameter;
    bool has_value, has_pointed;
    struct location value; /* its value, computed in the caller's frame (DW_AT_call_value) */
    /* the value in memory that the parameter points to (DW_AT_call_data_value) */
    struct location pointed;
};

#define CALL_PARAMETERS_MAX 256

struct call_site {   /* a call, from a DW_TAG_call_site */
    bool has_target; /* the callee's address is target_vaddr */
    uint64_t target_vaddr;
    /* linkage name of the callee, which may be in another module; NULL: not known */
    const char *target_name;
    bool has_target_location; /* `target` computes the callee's address, in the caller's frame */
    struct location target;
    const struct call_parameter *parameters;
    size_t count;
};

#endif
