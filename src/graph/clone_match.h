/* SPDX-License-Identifier: MIT */
/*
 * For a comparison of two profiles: which functions and modules of one are those of the other,
 * where the program was built anew in between, so that its modules and addresses are others.
 *
 * Functions are the same when their names are, and their modules (module_match.h); those without a
 * name when their addresses are, in files of one build. The clones that a compiler makes of a
 * function (clone_suffix.h) are that function: which it makes differs from build to build. Where
 * one of the modules has several functions of a name, it is not known which became which, and they
 * stay apart.
 */
#ifndef GRAPH_CLONE_MATCH_H
#define GRAPH_CLONE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"

struct clone_match {              /* zeroed: everything is itself */
    uint32_t *function;           /* by function */
    const struct module **module; /* by function: what stands for its module */
    size_t count;
};

/* Of all functions that the names of the profile, which is resolved, have found. */
MUST_CHECK enum status clone_match_init(struct clone_match *clones, const struct profile *profile);
void clone_match_deinit(struct clone_match *clones);

/* The function that stands for this one; it stands for itself, too. */
static inline uint32_t clone_match_function(const struct clone_match *clones, uint32_t function)
{
    return function < clones->count ? clones->function[function] : function;
}

#endif
