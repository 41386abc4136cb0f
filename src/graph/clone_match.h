/* SPDX-License-Identifier: MIT */
/*
 * For a comparison of two profiles: matches the functions and modules of one with those of the
 * other, where the program was rebuilt and has other modules and addresses.
 *
 * Functions match by name, in modules that match (module_match.h); nameless ones by address, in
 * files of one build. A compiler's clones (clone_suffix.h) count as their function, since builds
 * differ in which they make. If a module has several functions of a name it is not known which
 * became which, and they do not match.
 */
#ifndef GRAPH_CLONE_MATCH_H
#define GRAPH_CLONE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"

struct clone_match {              /* zeroed: each function stands for itself */
    uint32_t *function;           /* by function: the one that stands for it */
    const struct module **module; /* by function: the one that stands for its module */
    size_t count;
};

/* Matches all functions that the resolved profile's names found. NO_MEMORY. */
MUST_CHECK enum status clone_match_init(struct clone_match *clones, const struct profile *profile);
void clone_match_deinit(struct clone_match *clones);

/* Returns the function that stands for this one, perhaps itself. */
static inline uint32_t clone_match_function(const struct clone_match *clones, uint32_t function)
{
    return function < clones->count ? clones->function[function] : function;
}

#endif
