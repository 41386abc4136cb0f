/* SPDX-License-Identifier: MIT */
/*
 * The functions of one module, from its unwind tables and symbols. The code that these leave free
 * is searched when first needed.
 */
#ifndef UNWIND_FUNCTIONS_MODULE_FUNCTIONS_H
#define UNWIND_FUNCTIONS_MODULE_FUNCTIONS_H

#include "base/status.h"
#include "symbol/elf/function_starts.h"
#include "runtime/go/gopclntab.h"
#include "unwind/functions/functions.h"
#include "unwind/functions/module_code.h"
#include "unwind/functions/module_landing_pads.h"
#include "unwind/sources/cfi.h"
#include "unwind/sources/exidx.h"

struct module_functions;

/* Sources of functions besides the file's symbols; each may be NULL. */
struct function_tables {
    struct cfi *eh_frame, *debug_frame;
    const struct exidx *exidx;
    const struct gopclntab *go;
    const struct vaddr_range *made; /* functions made at run time */
    size_t made_count;
};

/*
 * Bytes of code in no function by tables and symbols, up to which all code is searched at once;
 * above, module_functions_find searches around the address (module_parts.h).
 */
#define MODULE_WHOLE_MAX (UINT64_C(4) << 20)

/*
 * Borrows its arguments. `code_only`: ignores unwind tables and all symbols but .dynsym. Only
 * NO_MEMORY fails.
 */
MUST_CHECK enum status module_functions_create(struct module_code *code,
                                               const struct function_tables *tables, bool code_only,
                                               struct module_functions **out);
void module_functions_destroy(struct module_functions *functions);

/* Makes module_functions_find the same as module_functions_known: no search. */
void module_functions_no_search(struct module_functions *functions);

/* Makes module_functions_find search in parts even of little code, for tests. */
void module_functions_in_parts(struct module_functions *functions);

/*
 * Returns the function that holds `vaddr`, searches if need be; borrowed until the next call.
 * NOT_FOUND, NO_MEMORY.
 */
MUST_CHECK enum status module_functions_find(struct module_functions *functions, uint64_t vaddr,
                                             const struct code_function **out);

/* As module_functions_find, without a search: by tables, symbols and searches made before. */
MUST_CHECK enum status module_functions_known(struct module_functions *functions, uint64_t vaddr,
                                              const struct code_function **out);

/*
 * Returns all functions, owned by `functions`; searches all code, even after
 * module_functions_no_search. Only NO_MEMORY fails.
 */
MUST_CHECK enum status module_functions_all(struct module_functions *functions,
                                            const struct functions **out);

/* Returns the landing pads, owned by `functions`; NULL: there are no unwind tables. */
struct module_landing_pads *module_functions_landing_pads(struct module_functions *functions);

/*
 * Returns the *count jumps in mid-frame to places in [start, end) that searches have found;
 * borrowed until the next search.
 */
const struct entry_jump *module_functions_jumps(const struct module_functions *functions,
                                                uint64_t start_vaddr, uint64_t end_vaddr,
                                                size_t *count);

/* Returns the end of the data at `vaddr` by the mapping symbols; 0: none. A prologue_data_fn. */
uint64_t module_functions_data_until(const struct module_functions *functions, uint64_t vaddr);

#endif
