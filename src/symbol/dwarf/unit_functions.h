/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the functions of one compilation unit and what was inlined into them, as a
 * flat array of nodes, looked up by address. One pass over the unit's DIEs makes it; names are
 * resolved for nodes that are asked for, once for all copies of a function.
 */
#ifndef SYMBOL_DWARF_UNIT_FUNCTIONS_H
#define SYMBOL_DWARF_UNIT_FUNCTIONS_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/dwarf/dwarf_file.h"
#include "symbol/dwarf/qualified.h"

/* What is beyond these is left out, as is what is beyond the file's budget (dwarf_file.h). */
#define UNIT_FUNCTIONS_MAX 4000000
#define UNIT_RANGES_MAX    8000000

#define UNIT_FUNCTIONS_DEPTH_MAX 192 /* of DIEs; functions that are deeper are left out */

#define FUNCTION_NONE UINT32_MAX

struct function_node {
    uint64_t name_off;    /* private: of the DIE in .debug_info to begin with for the name */
    uint64_t start_vaddr; /* the first of its ranges, which is where it is entered; 0: none */
    uint32_t origin;      /* private: see unit_functions_origin */
    uint32_t parent;      /* the node it is inlined into; FUNCTION_NONE: a real function */
    uint32_t call_file, call_line; /* UINT32_MAX, 0: not known */
};

struct function_origin { /* of which a node is a copy, or the real function */
    const char *name;    /* the linkage name, else the full name; NULL: has none */
    /* Without a linkage name, where its real function starts, or what is left of it; 0: none is. */
    uint64_t real_vaddr;
};

struct unit_functions;

MUST_CHECK enum status unit_functions_create(struct dwarf_file *file, struct dwarf_unit *unit,
                                             struct unit_functions **out);
void unit_functions_destroy(struct unit_functions *functions);

/* The innermost node that holds `vaddr`; FUNCTION_NONE. */
uint32_t unit_functions_find(const struct unit_functions *functions, uint64_t vaddr);

const struct function_node *unit_functions_node(const struct unit_functions *functions,
                                                uint32_t index);

/*
 * What a node is of: by itself, or the declaration it refers to. *out is valid until the next call.
 * Full names are made for C++ and Rust; of other languages it is the name as it is declared.
 */
MUST_CHECK enum status unit_functions_origin(struct unit_functions *functions,
                                             struct dwarf_file *file, struct qualifier *qualifier,
                                             uint32_t index, const struct function_origin **out);

#endif
