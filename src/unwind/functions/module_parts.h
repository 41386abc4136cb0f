/* SPDX-License-Identifier: MIT */
/*
 * Finds functions of a large file by searching its code only around the addresses that are looked
 * up. The code is divided into parts; a part is searched together with the code on both sides (a
 * window), so that a function that begins before the part is found. The search treats the window as
 * a piece of code.
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

/* Size in bytes of a part, and of the window that is searched for it. */
#define MODULE_PART_SIZE   (UINT64_C(32) << 10)
#define MODULE_PART_WINDOW (5 * MODULE_PART_SIZE)

/*
 * Sets *out to the *count seeds for functions_search, malloc'ed, which the caller frees. Called
 * once, when the first part is searched. Fails with NO_MEMORY only.
 */
typedef enum status module_parts_seeds_fn(void *context, struct code_function **out, size_t *count);

/*
 * Prepares the parts; *out is the caller's, and borrows the arguments. `known`: the functions by
 * tables and symbols, sorted. `symbols`: as for kept_functions_id. `context` is passed to
 * find_seeds. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_parts_create(struct module_code *code,
                                           struct module_landing_pads *landing_pads,
                                           const struct functions *known, uint64_t symbols,
                                           module_parts_seeds_fn *find_seeds, void *context,
                                           struct module_parts **out);
void module_parts_destroy(struct module_parts *parts);

/*
 * Sets *out to the function that holds `vaddr`, which is in none of `known`; searches the part of
 * `vaddr` if need be. *out is owned by `parts` and valid until module_parts_destroy. NOT_FOUND:
 * there is none; NO_MEMORY.
 */
MUST_CHECK enum status module_parts_find(struct module_parts *parts, uint64_t vaddr,
                                         const struct code_function **out);

/* Returns the number of parts that were searched so far. */
size_t module_parts_count(const struct module_parts *parts);

/*
 * Returns the functions found for the part that holds `vaddr`; owned by `parts`, valid until the
 * next module_parts_find; NULL: the part was not searched yet.
 */
const struct functions *module_parts_at(const struct module_parts *parts, uint64_t vaddr);

#endif
