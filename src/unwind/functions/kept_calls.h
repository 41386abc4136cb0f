/* SPDX-License-Identifier: MIT */
/* The targets of calls, and of far jumps, as records that are kept. */
#ifndef UNWIND_FUNCTIONS_KEPT_CALLS_H
#define UNWIND_FUNCTIONS_KEPT_CALLS_H

#include "unwind/code/calls.h"
#include "unwind/functions/kept_search.h"

/* Of the file's code. false: they are not there, and *out is empty. */
bool kept_calls_find(struct kept_search *kept, enum kept_kind kind, const struct elf_image *image,
                     struct calls *out);

/* Does nothing where there is so little code that to look again costs as little. */
void kept_calls_put(struct kept_search *kept, enum kept_kind kind, const struct calls *calls);

#endif
