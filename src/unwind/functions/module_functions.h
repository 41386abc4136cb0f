/* SPDX-License-Identifier: MIT */
/*
 * Finds the functions of one module, by its unwind tables and symbols. The code that these leave
 * free is searched when first needed.
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
    const struct vaddr_range *made; /* ranges of functions made at run time */
    size_t made_count;
};

/*
 * If at most this many bytes of code are in no function by tables and symbols, all code is searched
 * at once; else module_functions_find searches around the address (module_parts.h).
 */
#define MODULE_WHOLE_MAX (UINT64_C(4) << 20)

/*
 * Prepares the functions of code->module; *out is the caller's, and borrows the arguments.
 * `code_only`: unwind tables and all symbols except .dynsym are ignored. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_functions_create(struct module_code *code,
                                               const struct function_tables *tables, bool code_only,
                                               struct module_functions **out);
void module_functions_destroy(struct module_functions *functions);

/* Makes module_functions_find search no code: it acts as module_functions_known from then on. */
void module_functions_no_search(struct module_functions *functions);

/* Makes module_functions_find search in parts even if there is little code; for tests. */
void module_functions_in_parts(struct module_functions *functions);

/*
 * Sets *out to the function that holds `vaddr`, after a search if need be; owned by `functions`,
 * valid until the next call. NOT_FOUND: there is none; NO_MEMORY.
 */
MUST_CHECK enum status module_functions_find(struct module_functions *functions, uint64_t vaddr,
                                             const struct code_function **out);

/*
 * As module_functions_find, but without a new search: by tables, symbols and a search of all code,
 * if one was made.
 */
MUST_CHECK enum status module_functions_known(struct module_functions *functions, uint64_t vaddr,
                                              const struct code_function **out);

/*
 * Sets *out to all functions, owned by `functions`; searches all code first, even after
 * module_functions_no_search. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_functions_all(struct module_functions *functions,
                                            const struct functions **out);

/*
 * Fills *out with the first row of the FDE that starts where `function` does. False: there is none.
 */
bool module_functions_first_row(const struct module_functions *functions,
                                const struct code_function *function, struct row *out);

/* Returns the module's landing pads, owned by `functions`; NULL: there are no unwind tables. */
struct module_landing_pads *module_functions_landing_pads(struct module_functions *functions);

/*
 * Returns the jumps in mid-frame to places in [start_vaddr, end_vaddr) that searches have found,
 * and sets *count to their number; owned by `functions`, valid until the next search. May be NULL
 * if *count is 0.
 */
const struct entry_jump *module_functions_jumps(const struct module_functions *functions,
                                                uint64_t start_vaddr, uint64_t end_vaddr,
                                                size_t *count);

/*
 * Returns the end of the data that `vaddr` is in by the mapping symbols; 0: `vaddr` is in no data.
 */
uint64_t module_functions_data_until(const struct module_functions *functions, uint64_t vaddr);

#endif
