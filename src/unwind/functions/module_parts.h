/* SPDX-License-Identifier: MIT */
/*
 * Finds functions of a large file by searching its code only around the addresses that are looked
 * up. Each part is searched together with the code on both sides of it (a window), so that a
 * function that begins there is found; the search treats the window as a piece of code.
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

/* Bytes of a part, and of the window that is searched for a part. */
#define MODULE_PART_SIZE   (UINT64_C(32) << 10)
#define MODULE_PART_WINDOW (5 * MODULE_PART_SIZE)

/*
 * Returns the seeds for functions_search, malloc'ed. Called once, when the first part is searched.
 * Only NO_MEMORY fails.
 */
typedef enum status module_parts_seeds_fn(void *context, struct code_function **out, size_t *count);

/*
 * Borrows its arguments. `known`: the functions by tables and symbols, sorted; `symbols`: as for
 * kept_functions_id. Only NO_MEMORY fails.
 */
MUST_CHECK enum status module_parts_create(struct module_code *code,
                                           struct module_landing_pads *landing_pads,
                                           const struct functions *known, uint64_t symbols,
                                           module_parts_seeds_fn *find_seeds, void *context,
                                           struct module_parts **out);
void module_parts_destroy(struct module_parts *parts);

/*
 * Returns the function that holds `vaddr`, which is in no known one; searches its part if need be.
 * Borrowed until the end. NOT_FOUND, NO_MEMORY.
 */
MUST_CHECK enum status module_parts_find(struct module_parts *parts, uint64_t vaddr,
                                         const struct code_function **out);

/* Returns the number of parts that were searched. */
size_t module_parts_count(const struct module_parts *parts);

/*
 * Returns the functions of the part that holds `vaddr`, borrowed until the next module_parts_find;
 * NULL: not searched yet.
 */
const struct functions *module_parts_at(const struct module_parts *parts, uint64_t vaddr);

#endif
