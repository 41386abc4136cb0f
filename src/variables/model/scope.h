/* SPDX-License-Identifier: MIT */
/*
 * What is in scope at an address: the function that it is in, those that were inlined there, and of
 * each the parameters and variables, with their locations as they are at this address.
 */
#ifndef VARIABLES_MODEL_SCOPE_H
#define VARIABLES_MODEL_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "variables/model/location.h"

enum variable_kind { VARIABLE_PARAMETER, VARIABLE_LOCAL };

enum variable_form {
    VARIABLE_NOWHERE,  /* no location, no constant, or none at this address: optimized out */
    VARIABLE_LOCATED,  /* `location` */
    VARIABLE_CONSTANT, /* is `bytes` (DW_AT_const_value) */
    VARIABLE_DAMAGED,  /* its location cannot be read */
};

struct scope_variable {
    const char *name; /* never NULL: what has no name is left out, or "" if asked for */
    enum variable_kind kind;
    enum variable_form form;
    die_ref die, type;
    struct location location;
    bool is_listed;     /* the location is one of a list, of just the addresses where it holds */
    bool is_artificial; /* `this` */
    bool has_entry;     /* `entry`: a parameter of the real function, whose location is of a list */
    struct location entry; /* where it was when the function was entered */
    bool is_outer;         /* a variable of the same name and level, further in, hides it */
    const uint8_t *bytes;
    uint32_t size;
    uint32_t decl_line;   /* 0: not known */
    uint64_t block_vaddr; /* where its block begins; of the function's own: its entry */
};

struct pc_level {             /* one function */
    const char *name;         /* with namespaces and classes; NULL: none */
    const char *linkage_name; /* NULL: none */
    bool is_external;         /* other files may call it (DW_AT_external) */
    bool is_inline;           /* inlined into the level that follows */
    die_ref die;              /* the function itself, of an inlined one its abstract instance */
    const struct scope_variable
        *variables; /* parameters in their order, then the innermost block first */
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
    /*
     * Where what it does begins, behind the prologue, by the line table (the second line, or
     * prologue_end); the entry where that is not known.
     */
    uint64_t body_vaddr;
    bool is_untracked; /* locations that are in no list do not tell when a register is another's */
    bool has_frame_base;
    struct location frame_base;
    /* Functions that it leaves to by a jump (tail calls), and whether there are others. */
    const uint64_t *tail_vaddrs;
    size_t tail_count;
    bool has_other_tails;
};

struct call_parameter {
    struct location where; /* empty, with `parameter`, or a register, or an address in the callee */
    die_ref parameter;     /* of DW_OP_GNU_parameter_ref; 0: none */
    bool has_value, has_pointed;
    struct location value;   /* of the parameter, in the caller's frame (DW_AT_call_value) */
    struct location pointed; /* of what it refers to (DW_AT_call_data_value) */
};

#define CALL_PARAMETERS_MAX 256

struct call_site {   /* DW_TAG_call_site */
    bool has_target; /* the function that is called */
    uint64_t target_vaddr;
    const char *target_name;  /* its linkage name, where it may be another module's; NULL: none */
    bool has_target_location; /* or what computes its address, in the caller's frame */
    struct location target;
    const struct call_parameter *parameters;
    size_t count;
};

#endif
