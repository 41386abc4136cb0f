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
 *   CALL, JUMP      targets of found functions' calls, and of jumps with nothing of a frame left
 *   POINTER         addresses that the file relocates, where the code there looks like a function
 *   CONSTANT        numbers in data that may be such addresses
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
    FUNCTION_CONSTANT, /* a number in data that may be a pointer to code */
    FUNCTION_PATTERN,
    FUNCTION_GAP,
    FUNCTION_FRAGMENT,
};

const char *function_origin_name(enum function_origin origin);

struct code_function {
    uint64_t start_vaddr, end_vaddr;
    uint8_t origin; /* enum function_origin, how the function was found */
    uint8_t mode;   /* enum code_mode of its first instruction */
};

/* A jump from a function to a place outside, with some of the function's frame left. */
struct entry_jump {
    uint64_t source_vaddr, target_vaddr;
};

struct functions {
    /* the functions; ascending by address and disjoint after functions_sort; owned */
    struct code_function *items;
    size_t count, cap;
    /* owned; after functions_sort ascending by target; only functions_search adds any */
    struct entry_jump *jumps;
    size_t jump_count, jump_cap;
};

void functions_deinit(struct functions *functions);

/* Returns the function that holds `vaddr`, owned by `functions` (sorted); NULL: none. */
const struct code_function *functions_find(const struct functions *functions, uint64_t vaddr);

/* Appends a copy of *function, out of order until functions_sort. Fails with NO_MEMORY only. */
MUST_CHECK enum status functions_add(struct functions *functions,
                                     const struct code_function *function);

/*
 * Sorts functions and jumps, and removes empty functions and overlaps. Of functions with the same
 * start, that of the earliest origin (enum function_origin) stays. A function that starts inside
 * another one is dropped if the other's origin is earlier; else the other ends at its start.
 */
void functions_sort(struct functions *functions);

/*
 * Searches the code that `functions` (sorted) leave free, and adds the functions and jumps that it
 * finds. `seeds` are places to begin at, with origin and mode: POINTER, CONSTANT and FRAGMENT seeds
 * are tried, all others are functions. `landing_pads` NULL: none are known. `within`: the part of
 * the executable ranges to search; NULL: all. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status functions_search(struct functions *functions, struct module_code *code,
                                        struct module_landing_pads *landing_pads,
                                        const struct code_function *seeds, size_t seed_count,
                                        const struct vaddr_range *within);

#endif
