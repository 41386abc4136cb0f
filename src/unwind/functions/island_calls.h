/* SPDX-License-Identifier: MIT */
/*
 * Finds the functions that are called in code of which only pieces are known, by decoding each
 * piece from begin to end. Decoding that begins in the midst of an instruction, or of data, soon
 * falls into step with the code. One call alone may be data: its target counts only if it is a
 * multiple of 16, and never on ARM, whose two modes are both tried.
 */
#ifndef UNWIND_FUNCTIONS_ISLAND_CALLS_H
#define UNWIND_FUNCTIONS_ISLAND_CALLS_H

#include <stddef.h>

#include "base/status.h"
#include "unwind/functions/functions.h"
#include "unwind/functions/module_code.h"

#define ISLAND_CALLS_MAX 1000000 /* the most calls that are collected; further ones are ignored */

/*
 * Sets *out to the called places in the range `within`, or if that is NULL in all executable ranges
 * of the code: *count functions of origin FUNCTION_CALL without end_vaddr, ascending, one for each
 * address. The caller frees *out. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status island_calls(const struct module_code *code,
                                    const struct vaddr_range *within, struct code_function **out,
                                    size_t *count);

#endif
