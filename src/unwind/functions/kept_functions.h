/* SPDX-License-Identifier: MIT */
/* Functions that a search has found, as a record that is kept. */
#ifndef UNWIND_FUNCTIONS_KEPT_FUNCTIONS_H
#define UNWIND_FUNCTIONS_KEPT_FUNCTIONS_H

#include "unwind/functions/functions.h"
#include "unwind/functions/kept_search.h"
#include "unwind/functions/module_code.h"

#define KEPT_WHOLE UINT64_MAX /* the number of what was found in all of a file; else its part's */

/*
 * Whose functions they are: of the bytes of the code, in `within` alone when that is not NULL, and
 * of what tables and symbols told.
 */
struct kept_id kept_functions_id(const struct module_code *code, const struct functions *known,
                                 uint64_t number, const struct vaddr_range *within);

/* Fills the list, which is empty. false: they are not there; NO_MEMORY goes to *status. */
bool kept_functions_find(struct kept_search *kept, const struct kept_id *id, struct functions *list,
                         enum status *status);

void kept_functions_put(struct kept_search *kept, const struct kept_id *id,
                        const struct functions *list);

#endif
