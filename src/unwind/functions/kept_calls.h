/* SPDX-License-Identifier: MIT */
/* Keeps targets of calls, and of far jumps, between runs (kept_search.h). */
#ifndef UNWIND_FUNCTIONS_KEPT_CALLS_H
#define UNWIND_FUNCTIONS_KEPT_CALLS_H

#include "unwind/code/calls.h"
#include "unwind/functions/kept_search.h"

/*
 * Fills *out with the kept targets; the caller calls calls_deinit. False: there are none for this
 * code, and *out is empty. `kind`: KEPT_CALLS or KEPT_FAR_JUMPS.
 */
bool kept_calls_find(struct kept_search *kept, enum kept_kind kind, const struct elf_image *image,
                     struct calls *out);

/* Does nothing for less than 1 MiB of code, which is scanned as fast. */
void kept_calls_put(struct kept_search *kept, enum kept_kind kind, const struct calls *calls);

#endif
