/* SPDX-License-Identifier: MIT */
/*
 * Functions of a file so large that its code is searched only around the places that are asked
 * for. Each part is searched with what lies on both sides of it, so that a function which begins
 * there is found, and as a piece of code is, of which there is more elsewhere.
 */
#ifndef UNWIND_FUNCTIONS_MODULE_PARTS_H
#define UNWIND_FUNCTIONS_MODULE_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "unwind/functions/functions.h"
#include "unwind/functions/module_code.h"
#include "unwind/functions/module_landing_pads.h"

struct module_parts;

/* Bytes of code that are searched for a part. */
#define MODULE_PART_SIZE   (UINT64_C(32) << 10)
#define MODULE_PART_WINDOW (5 * MODULE_PART_SIZE)

/*
 * Finds seeds as those of functions_search, yours to free. Asked for once, when the first part is
 * searched. Only NO_MEMORY fails.
 */
typedef enum status module_parts_seeds_fn(void *context, struct code_function **out, size_t *count);

/*
 * `known` is what tables and symbols tell, sorted; `symbols` is kept_functions_id's. All is
 * borrowed. Only NO_MEMORY fails.
 */
MUST_CHECK enum status module_parts_create(struct module_code *code,
                                           struct module_landing_pads *landing_pads,
                                           const struct functions *known, uint64_t symbols,
                                           module_parts_seeds_fn *find_seeds, void *context,
                                           struct module_parts **out);
void module_parts_destroy(struct module_parts *parts);

/* The function that holds `vaddr`, which is in none of the known; NOT_FOUND, NO_MEMORY. */
MUST_CHECK enum status module_parts_find(struct module_parts *parts, uint64_t vaddr,
                                         const struct code_function **out);

/* How many have been asked for. */
size_t module_parts_count(const struct module_parts *parts);

/* The functions of the part that holds `vaddr`, if it has been asked for; NULL: it was not. */
const struct functions *module_parts_at(const struct module_parts *parts, uint64_t vaddr);

#endif
