/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the functions of one compilation unit and the calls inlined into them, as a
 * flat array of nodes, looked up by address. One pass over the unit's DIEs makes it. Names are
 * resolved on request, once for all copies of a function.
 */
#ifndef SYMBOL_DWARF_UNIT_FUNCTIONS_H
#define SYMBOL_DWARF_UNIT_FUNCTIONS_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/dwarf/dwarf_file.h"
#include "symbol/dwarf/qualified.h"

/* Functions, and ranges, of a unit; the rest is left out. dwarf_file.h bounds those of a file. */
#define UNIT_FUNCTIONS_MAX 4000000
#define UNIT_RANGES_MAX    8000000

#define UNIT_FUNCTIONS_DEPTH_MAX 192 /* of DIEs; deeper functions are left out */

#define FUNCTION_NONE UINT32_MAX

struct function_node {
    uint64_t name_off;    /* private: offset in .debug_info of the DIE that leads to the name */
    uint64_t start_vaddr; /* start of its first range, where it is entered; 0: none */
    uint32_t origin;      /* private: see unit_functions_origin */
    uint32_t parent;      /* node that it is inlined into; FUNCTION_NONE: a real function */
    uint32_t call_file, call_line; /* of the call; UINT32_MAX, 0: not known */
};

struct function_origin { /* the function that a node is, or is a copy of */
    const char *name;    /* linkage name, else full name; NULL: none */
    /* Of one without linkage name: start of the unit's real function; 0: none. */
    uint64_t real_vaddr;
};

struct unit_functions;

/* Reads the functions of `unit`; damage ends the pass. Fails with NO_MEMORY only. */
MUST_CHECK enum status unit_functions_create(struct dwarf_file *file, struct dwarf_unit *unit,
                                             struct unit_functions **out);
void unit_functions_destroy(struct unit_functions *functions);

/* Returns the innermost node that holds `vaddr`; FUNCTION_NONE: none. */
uint32_t unit_functions_find(const struct unit_functions *functions, uint64_t vaddr);

const struct function_node *unit_functions_node(const struct unit_functions *functions,
                                                uint32_t index);

/*
 * Finds the function of node `index`, by its own DIE or the declaration that this refers to. *out
 * is valid until the next call. C++ and Rust get full names, other languages the name as declared.
 * Fails with NO_MEMORY only.
 */
MUST_CHECK enum status unit_functions_origin(struct unit_functions *functions,
                                             struct dwarf_file *file, struct qualifier *qualifier,
                                             uint32_t index, const struct function_origin **out);

#endif
