/*
 * Private to symbol/: the functions of one compilation unit and what was inlined into them, as a
 * flat array of nodes, looked up by address. Names are resolved for nodes that are asked for.
 */
#ifndef SYMBOL_UNIT_FUNCTIONS_H
#define SYMBOL_UNIT_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/die_ranges.h"
#include "symbol/dwarf_file.h"

#define UNIT_FUNCTIONS_MAX       4000000
#define UNIT_FUNCTIONS_DEPTH_MAX 192 /* of DIEs; a unit is read up to one that is deeper */

#define FUNCTION_NONE UINT32_MAX

struct function_node {
    uint64_t die_off;
    uint64_t start_vaddr; /* the first of its ranges, which is where it is entered */
    uint32_t parent;      /* the node it is inlined into; FUNCTION_NONE: a real function */
    uint32_t call_line;   /* 0: not known */
    uint64_t call_file;
    const char *name; /* when named: NULL: it has none */
    bool named;
};

struct unit_functions;

MUST_CHECK enum status unit_functions_create(struct dwarf_file *file, Dwarf_Die unit_die,
                                             const struct unit_bases *bases,
                                             struct unit_functions **out);
void unit_functions_destroy(struct unit_functions *functions);

/* The innermost node that holds `vaddr`; FUNCTION_NONE. */
uint32_t unit_functions_find(const struct unit_functions *functions, uint64_t vaddr);

const struct function_node *unit_functions_node(const struct unit_functions *functions,
                                                uint32_t index);

/* The linkage name, else the name, of a node or the declaration it refers to; NULL. */
const char *unit_functions_name(struct unit_functions *functions, struct dwarf_file *file,
                                uint32_t index);

#endif
