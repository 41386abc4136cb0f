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
    VARIABLE_NOWHERE,  /* optimized out: no location, no constant, or none at this address */
    VARIABLE_LOCATED,  /* `location` */
    VARIABLE_CONSTANT, /* `bytes` (DW_AT_const_value) */
    VARIABLE_DAMAGED,  /* its location cannot be read */
};

struct scope_variable {
    const char *name; /* never NULL; "": nameless, of debug_info_variable */
    enum variable_kind kind;
    enum variable_form form;
    die_ref die, type;
    struct location location;
    bool is_listed;     /* the location is from a list: valid at this address exactly */
    bool is_artificial; /* `this` */
    /* a parameter of the real function with a location from a list: `entry` is valid */
    bool has_entry;
    struct location entry; /* where it was at the function's entry */
    bool is_outer;         /* hidden by a variable of the same name further in, at the same level */
    const uint8_t *bytes;
    uint32_t size;
    uint32_t decl_line;   /* 0: not known */
    uint64_t block_vaddr; /* start of its block; of the function's own: the entry */
};

struct pc_level {             /* a function */
    const char *name;         /* with namespaces and classes; NULL: none */
    const char *linkage_name; /* NULL: none */
    bool is_external;         /* other files may call it (DW_AT_external) */
    bool is_inline;           /* inlined into the next level */
    die_ref die;              /* the function; of an inlined one its abstract instance */
    /* Parameters in their order, then variables, those of the innermost block first. */
    const struct scope_variable *variables;
    size_t count;
};

#define SCOPE_LEVELS_MAX    256
#define SCOPE_VARIABLES_MAX 4096 /* of a level */
#define SCOPE_TAILS_MAX     256

struct pc_scope {
    const struct pc_level *levels; /* innermost first; the last one is the real function */
    size_t count;
    uint16_t language; /* DW_LANG_… */
    uint64_t entry_vaddr;
    /* End of the prologue by the line table (prologue_end, else the second line), or the entry. */
    uint64_t body_vaddr;
    bool is_untracked; /* a location outside a list does not say when its register is reused */
    bool has_frame_base;
    struct location frame_base;
    /* Functions that it leaves to by a jump (tail calls); has_other_tails: there are more. */
    const uint64_t *tail_vaddrs;
    size_t tail_count;
    bool has_other_tails;
};

struct call_parameter {
    struct location where; /* empty, with `parameter`; a register; or an address in the callee */
    die_ref parameter;     /* DW_OP_GNU_parameter_ref; 0: none */
    bool has_value, has_pointed;
    struct location value;   /* of the parameter, in the caller's frame (DW_AT_call_value) */
    struct location pointed; /* of what it points to (DW_AT_call_data_value) */
};

#define CALL_PARAMETERS_MAX 256

struct call_site {   /* DW_TAG_call_site */
    bool has_target; /* the callee is target_vaddr */
    uint64_t target_vaddr;
    const char *target_name; /* linkage name of a callee that may be another module's; NULL: none */
    bool has_target_location; /* `target` computes the callee's address, in the caller's frame */
    struct location target;
    const struct call_parameter *parameters;
    size_t count;
};

#endif
