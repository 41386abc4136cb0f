/* SPDX-License-Identifier: MIT */
/*
 * Where the functions of a module are: from FDEs and symbols where it has them, else from the code
 * itself.
 *
 * The evidence of functions, in the order of its use; the first that covers an address decides:
 *
 *   PLT             the stubs of PLT sections, which an FDE of the linker takes for one function
 *   FDE, EXIDX      ranges of the unwind tables (an .ARM.exidx entry may hold several functions)
 *   symbols         with their sizes; without one, up to the next start
 *   MADE            what run-time compilers tell of their functions (jit_map.h)
 *   GOPCLNTAB       the tables of Go's runtime, up to the next function of theirs
 *   ENTRY, INIT     the entry point, initialisers
 *   POINTER         addresses that the file relocates, where the code there looks like a function
 *   CALL, JUMP      what found functions call, or jump to when nothing of their frame is left
 *   PATTERN, GAP    code between found functions that behaves like a function, and begins like
 *                   one or not
 *
 * and a FRAGMENT is code outside of its function that is jumped to in mid-frame: gcc's f.cold.
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
    FUNCTION_CONSTANT, /* a number that may be a pointer */
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
    /* owned; ascending by target; only of functions found by their code */
    struct entry_jump *jumps;
    size_t jump_count, jump_cap;
};

void functions_deinit(struct functions *functions);

/* The function that holds `vaddr`, or NULL. */
const struct code_function *functions_find(const struct functions *functions, uint64_t vaddr);

/* Adds one; the order is for functions_sort to make. */
MUST_CHECK enum status functions_add(struct functions *functions,
                                     const struct code_function *function);

/*
 * Orders them, cuts what overlaps: of functions that start together the first origin wins, and each
 * ends before the next.
 */
void functions_sort(struct functions *functions);

/*
 * Adds what the code itself tells, in the executable ranges, or what of them is `within`, that
 * `functions` (sorted) leave free.
 * `seeds` are places to begin at, with their origin and mode: POINTER ones are tried, all others
 * are functions. `landing_pads` and `within` may be NULL.
 */
MUST_CHECK enum status functions_search(struct functions *functions, struct module_code *code,
                                        struct module_landing_pads *landing_pads,
                                        const struct code_function *seeds, size_t seed_count,
                                        const struct vaddr_range *within);

#endif
