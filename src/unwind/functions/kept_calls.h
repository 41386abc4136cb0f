/* SPDX-License-Identifier: MIT */
/* Keeps the targets of calls, and of far jumps, from one run to later ones (kept_search.h). */
#ifndef UNWIND_FUNCTIONS_KEPT_CALLS_H
#define UNWIND_FUNCTIONS_KEPT_CALLS_H

#include "unwind/code/calls.h"
#include "unwind/functions/kept_search.h"

/*
 * Fills *out with the targets kept for this code; the caller calls calls_deinit. `kind`: KEPT_CALLS
 * or KEPT_FAR_JUMPS. False: none are kept, or there is no memory; *out is empty.
 */
bool kept_calls_find(struct kept_search *kept, enum kept_kind kind, const struct elf_image *image,
                     struct calls *out);

/*
 * Keeps `calls` as those of this kind. Does nothing for less than 1 MiB of code, which is scanned
 * as fast, or without memory.
 */
void kept_calls_put(struct kept_search *kept, enum kept_kind kind, const struct calls *calls);

#endif
