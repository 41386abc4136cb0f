/* SPDX-License-Identifier: MIT */
/* Keeps the functions that a search has found between runs (kept_search.h). */
#ifndef UNWIND_FUNCTIONS_KEPT_FUNCTIONS_H
#define UNWIND_FUNCTIONS_KEPT_FUNCTIONS_H

#include "unwind/functions/functions.h"
#include "unwind/functions/kept_search.h"
#include "unwind/functions/module_code.h"

#define KEPT_WHOLE UINT64_MAX /* `number` of a search of a whole file; else a part's number */

/* Results of a search. */
struct found_functions {
    struct functions list;
    struct callee_answer *learned; /* owned; answers on called functions */
    size_t learned_count;
};

/*
 * Returns the id of a search's results. It depends on the bytes of the code (in `within` only,
 * unless that is NULL), on `known`, the functions by tables and symbols, on code->code_only and on
 * `symbols`, a hash that identifies the file that has the symbols.
 */
struct kept_id kept_functions_id(const struct module_code *code, const struct functions *known,
                                 uint64_t symbols, uint64_t number,
                                 const struct vaddr_range *within);

/*
 * Fills *found, which is zeroed. False: no sound record, or no memory, which sets *status to
 * NO_MEMORY; *found stays zeroed.
 */
bool kept_functions_find(struct kept_search *kept, const struct kept_id *id,
                         struct found_functions *found, enum status *status);

void kept_functions_put(struct kept_search *kept, const struct kept_id *id,
                        const struct found_functions *found);

/* Frees what *found owns and zeroes it. */
void found_functions_deinit(struct found_functions *found);

#endif
