/* SPDX-License-Identifier: MIT */
/*
 * Matches the functions and modules of a profile with those of its baseline, where the program was
 * rebuilt and has other modules and addresses.
 *
 * Functions match by name, in modules that match (module_match.h); nameless functions by address,
 * in files of one build. A compiler's clones (clone_suffix.h) count as the function that they were
 * made from, since builds differ in their clones. If a module has several functions of a name, none
 * of these match, as it is not known which became which.
 */
#ifndef GRAPH_CLONE_MATCH_H
#define GRAPH_CLONE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"

struct clone_match {              /* zeroed: each function stands for itself */
    uint32_t *function;           /* function[f]: the function that stands for f; owned */
    const struct module **module; /* module[f]: the module that stands for f's module; owned */
    size_t count;                 /* of both */
};

/*
 * Matches all functions that the names of the resolved profile have found; the caller calls
 * clone_match_deinit. NO_MEMORY.
 */
MUST_CHECK enum status clone_match_init(struct clone_match *clones, const struct profile *profile);
void clone_match_deinit(struct clone_match *clones);

/* Returns the function that stands for `function`: perhaps itself, the same for all that match. */
static inline uint32_t clone_match_function(const struct clone_match *clones, uint32_t function)
{
    return function < clones->count ? clones->function[function] : function;
}

#endif
