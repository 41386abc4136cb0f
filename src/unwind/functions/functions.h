/* SPDX-License-Identifier: MIT */
/*
 * The list of a module's functions, from FDEs and symbols where there are any, else from the code
 * itself.
 *
 * Origins of functions, in the order of their use; the first that covers an address decides:
 *
 *   PLT             the stubs of PLT sections, for which the linker has one FDE
 *   FDE, EXIDX      ranges of the unwind tables (an .ARM.exidx entry may hold several functions)
 *   symbols         with their sizes; without one, up to the next start
 *   MADE            functions that run-time compilers name (jit_map.h)
 *   GOPCLNTAB       the tables of Go's runtime, up to the next function in the table
 *   ENTRY, VECTOR   the entry point, entries of a board's vector table
 *   INIT            initialisers and finalisers
 *   POINTER         addresses that the file relocates, where the code there looks like a function
 *   CALL, JUMP      targets of found functions' calls, and of jumps with nothing of a frame left
 *   PATTERN, GAP    code between found functions that behaves like a function, and begins like
 *                   one or not
 *
 * A FRAGMENT is code outside of its function, to which the function jumps in mid-frame: gcc's
 * f.cold.
 */
#ifndef UNWIND_FUNCTIONS_FUNCTIONS_H
#define UNWIND_FUNCTIONS_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "unwind/functions/module_code.h"
#include "unwind/functions/module_landing_pads.h"

enum function_origin {
    FUNCTION_PLT,
    FUNCTION_FDE,
    FUNCTION_EXIDX,
    FUNCTION_SYMTAB,
    FUNCTION_DYNSYM,
    FUNCTION_DEBUG_FILE,
    FUNCTION_MINI_DEBUGINFO,
    FUNCTION_MADE,
    FUNCTION_GOPCLNTAB,
    FUNCTION_ENTRY,
    FUNCTION_VECTOR,
    FUNCTION_INIT,
    FUNCTION_CALL,
    FUNCTION_JUMP,
    FUNCTION_POINTER,
    FUNCTION_CONSTANT, /* a number in data that may be a pointer */
    FUNCTION_PATTERN,
    FUNCTION_GAP,
    FUNCTION_FRAGMENT,
};

const char *function_origin_name(enum function_origin origin);

struct code_function {
    uint64_t start_vaddr, end_vaddr;
    uint8_t origin; /* enum function_origin */
    uint8_t mode;   /* enum code_mode of its first instruction */
};

/* A jump to a place outside of the jumping function while some of its frame was left. */
struct entry_jump {
    uint64_t source_vaddr, target_vaddr;
};

struct functions {
    struct code_function *items; /* owned; ascending, disjoint */
    size_t count, cap;
    struct entry_jump *jumps; /* owned; ascending by target; found by functions_search only */
    size_t jump_count, jump_cap;
};

void functions_deinit(struct functions *functions);

/* Returns the function that holds `vaddr`, borrowed; NULL: none. */
const struct code_function *functions_find(const struct functions *functions, uint64_t vaddr);

/* Appends a function; functions_sort makes the order. Only NO_MEMORY fails. */
MUST_CHECK enum status functions_add(struct functions *functions,
                                     const struct code_function *function);

/*
 * Sorts functions and jumps and removes overlaps: of functions with one start the first origin
 * stays; a function that starts inside of one of an earlier origin is dropped, else it cuts that
 * one.
 */
void functions_sort(struct functions *functions);

/*
 * Searches the code that `functions` (sorted) leave free, in the executable ranges or in what of
 * them is `within`, and adds the functions and jumps that it finds. `seeds` are places to begin at,
 * with origin and mode: POINTER, CONSTANT and FRAGMENT seeds are tried, all others are functions.
 * `landing_pads` and `within` may be NULL. Only NO_MEMORY fails.
 */
MUST_CHECK enum status functions_search(struct functions *functions, struct module_code *code,
                                        struct module_landing_pads *landing_pads,
                                        const struct code_function *seeds, size_t seed_count,
                                        const struct vaddr_range *within);

#endif
