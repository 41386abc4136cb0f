/* SPDX-License-Identifier: MIT */
/* Functions that a search has found, as a record that is kept. */
#ifndef UNWIND_FUNCTIONS_KEPT_FUNCTIONS_H
#define UNWIND_FUNCTIONS_KEPT_FUNCTIONS_H

#include "unwind/functions/functions.h"
#include "unwind/functions/kept_search.h"
#include "unwind/functions/module_code.h"

#define KEPT_WHOLE UINT64_MAX /* the number of what was found in all of a file; else its part's */

/* What a search has found. */
struct found_functions {
    struct functions list;
    struct callee_answer *learned; /* owned; of called functions */
    size_t learned_count;
};

/*
 * Whose functions they are: of the bytes of the code, in `within` alone when that is not NULL, of
 * what tables and symbols told, and of `symbols`, a hash of where symbols are from.
 */
struct kept_id kept_functions_id(const struct module_code *code, const struct functions *known,
                                 uint64_t symbols, uint64_t number,
                                 const struct vaddr_range *within);

/*
 * Fills *found, which is zeroed. false: they are not there, and it is so still; NO_MEMORY goes to
 * *status.
 */
bool kept_functions_find(struct kept_search *kept, const struct kept_id *id,
                         struct found_functions *found, enum status *status);

void kept_functions_put(struct kept_search *kept, const struct kept_id *id,
                        const struct found_functions *found);

/* Zeroes it. */
void found_functions_deinit(struct found_functions *found);

#endif
