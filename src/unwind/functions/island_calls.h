/* SPDX-License-Identifier: MIT */
/*
 * Which functions are called, of code that is known in pieces only: each piece is decoded from its
 * begin to its end. Where that is in the midst of an instruction or of data, decoding soon falls
 * into step with the code; one call alone, from what may not be code, is not believed if its target
 * is not aligned as functions are.
 */
#ifndef UNWIND_FUNCTIONS_ISLAND_CALLS_H
#define UNWIND_FUNCTIONS_ISLAND_CALLS_H

#include <stddef.h>

#include "base/status.h"
#include "unwind/functions/functions.h"
#include "unwind/functions/module_code.h"

#define ISLAND_CALLS_MAX 1000000 /* others are left out */

/*
 * Places in the pieces that are called, ascending, one an address; of one piece, `within`, when
 * that is not NULL. Owned by the caller, to be freed. Only NO_MEMORY fails.
 */
MUST_CHECK enum status island_calls(const struct module_code *code,
                                    const struct vaddr_range *within, struct code_function **out,
                                    size_t *count);

#endif
