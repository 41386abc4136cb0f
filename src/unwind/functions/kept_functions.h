/* SPDX-License-Identifier: MIT */
/* Keeps the functions that a search has found from one run to later ones (kept_search.h). */
#ifndef UNWIND_FUNCTIONS_KEPT_FUNCTIONS_H
#define UNWIND_FUNCTIONS_KEPT_FUNCTIONS_H

#include "unwind/functions/functions.h"
#include "unwind/functions/kept_search.h"
#include "unwind/functions/module_code.h"

/* `number` of kept_functions_id for a search of a whole file; else the part's number */
#define KEPT_WHOLE UINT64_MAX

/* The results of a search for functions. */
struct found_functions {
    struct functions list;
    struct map_pair *learned; /* owned; answers about called functions (callees.h) */
    size_t learned_count;
};

/*
 * Returns the id of a search's results. The id depends on all that these depend on: the bytes of
 * the code (in `within`; NULL: all), `known`, the functions by tables and symbols, code->code_only,
 * and `symbols`, a hash that identifies the file that has the symbols; and on `number`: KEPT_WHOLE
 * or a part's.
 */
struct kept_id kept_functions_id(const struct module_code *code, const struct functions *known,
                                 uint64_t symbols, uint64_t number,
                                 const struct vaddr_range *within);

/*
 * Fills *found, which must be zeroed, from the record with this id. False: there is no sound
 * record, or no memory, which sets *status to NO_MEMORY; *found stays zeroed.
 */
bool kept_functions_find(struct kept_search *kept, const struct kept_id *id,
                         struct found_functions *found, enum status *status);

void kept_functions_put(struct kept_search *kept, const struct kept_id *id,
                        const struct found_functions *found);

/* Frees what *found owns and zeroes it. */
void found_functions_deinit(struct found_functions *found);

#endif
