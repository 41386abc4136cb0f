/* SPDX-License-Identifier: MIT */
/*
 * The functions of one module, from its unwind tables and symbols; what these leave free is
 * searched when first asked for.
 */
#ifndef UNWIND_FUNCTIONS_MODULE_FUNCTIONS_H
#define UNWIND_FUNCTIONS_MODULE_FUNCTIONS_H

#include "base/status.h"
#include "symbol/elf/function_starts.h"
#include "symbol/elf/gopclntab.h"
#include "unwind/functions/functions.h"
#include "unwind/functions/module_code.h"
#include "unwind/functions/module_landing_pads.h"
#include "unwind/sources/cfi.h"
#include "unwind/sources/exidx.h"

struct module_functions;

/* What tells of functions besides the file's own symbols; each may be NULL. */
struct function_tables {
    struct cfi *eh_frame, *debug_frame;
    const struct exidx *exidx;
    const struct gopclntab *go;
    const struct vaddr_range *made; /* functions made at run time */
    size_t made_count;
};

/*
 * Bytes of code in no function that tables and symbols tell of: of more only the surroundings of
 * what is asked for are searched (module_parts.h).
 */
#define MODULE_WHOLE_MAX (UINT64_C(4) << 20)

/*
 * `code_only`: no unwind tables and no symbols but .dynsym, as if the file had none. All is
 * borrowed. Only NO_MEMORY fails.
 */
MUST_CHECK enum status module_functions_create(struct module_code *code,
                                               const struct function_tables *tables, bool code_only,
                                               struct module_functions **out);
void module_functions_destroy(struct module_functions *functions);

/* Nothing is searched from now on: module_functions_find is module_functions_known. */
void module_functions_no_search(struct module_functions *functions);

/* Searches in parts only, however little code there is: for tests. */
void module_functions_in_parts(struct module_functions *functions);

/* The function that holds `vaddr`; NOT_FOUND. The answer is valid until the next call. */
MUST_CHECK enum status module_functions_find(struct module_functions *functions, uint64_t vaddr,
                                             const struct code_function **out);

/*
 * The same without searching: of those that tables and symbols tell, or a search has found before.
 */
MUST_CHECK enum status module_functions_known(struct module_functions *functions, uint64_t vaddr,
                                              const struct code_function **out);

/* All of them, those found by searching included. */
MUST_CHECK enum status module_functions_all(struct module_functions *functions,
                                            const struct functions **out);

/* NULL: there are no unwind tables. Owned by the functions. */
struct module_landing_pads *module_functions_landing_pads(struct module_functions *functions);

/* The jumps into places in [start, end) that searching has come upon. */
const struct entry_jump *module_functions_jumps(const struct module_functions *functions,
                                                uint64_t start_vaddr, uint64_t end_vaddr,
                                                size_t *count);

/*
 * A prologue_data_fn is made of it: the end of the data that holds `vaddr` by the mapping symbols,
 * 0: none.
 */
uint64_t module_functions_data_until(const struct module_functions *functions, uint64_t vaddr);

#endif
