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

/* Most functions, and most ranges, of a unit; others are left out. dwarf_file.h has a file's. */
#define UNIT_FUNCTIONS_MAX 4000000
#define UNIT_RANGES_MAX    8000000

#define UNIT_FUNCTIONS_DEPTH_MAX 192 /* depth of DIEs; deeper functions are left out */

#define FUNCTION_NONE UINT32_MAX

struct function_node {    /* a function, or a call that is inlined */
    uint64_t name_off;    /* private: offset in .debug_info of the DIE that leads to the name */
    uint64_t start_vaddr; /* start of the first range, where the function is entered; 0: none */
    uint32_t origin;      /* private: for unit_functions_origin */
    uint32_t parent;      /* node that this one is inlined into; FUNCTION_NONE: a real function */
    uint32_t call_file, call_line; /* place of the inlined call; UINT32_MAX, 0: not known */
};

struct function_origin { /* the function that a node is, or is an inlined copy of */
    const char *name;    /* linkage name, else full name; NULL: none */
    /* Without linkage name: start of the function itself, not inlined, in the unit; 0: none. */
    uint64_t real_vaddr;
};

struct unit_functions;

/* Sets *out to the functions of `unit`, up to damage. Fails only with NO_MEMORY. */
MUST_CHECK enum status unit_functions_create(struct dwarf_file *file, struct dwarf_unit *unit,
                                             struct unit_functions **out);
void unit_functions_destroy(struct unit_functions *functions);

/* Returns the innermost node that holds `vaddr`; FUNCTION_NONE: none. */
uint32_t unit_functions_find(const struct unit_functions *functions, uint64_t vaddr);

const struct function_node *unit_functions_node(const struct unit_functions *functions,
                                                uint32_t index);

/*
 * Sets *out to the function of node `index`, by its own DIE or the declaration that the DIE refers
 * to; valid until the next call. Without linkage name, functions of C++ and Rust get full names (by
 * `qualifier`), those of other languages the name as declared. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status unit_functions_origin(struct unit_functions *functions,
                                             struct dwarf_file *file, struct qualifier *qualifier,
                                             uint32_t index, const struct function_origin **out);

#endif
