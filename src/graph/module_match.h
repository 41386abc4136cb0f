/* SPDX-License-Identifier: MIT */
/*
 * For a comparison of two profiles: which modules of one are those of the other, where files were
 * built anew, or replaced by those of another release, in between.
 *
 * Modules are the same when their files' names are, without directory. Where no two files of one
 * profile get mixed up by that, so are the main programs, whatever they are called, and libraries
 * without what follows `.so`:
 *
 *     app-1.0 and app-1.1        when these were captured
 *     libfoo.so.1.2, libfoo.so.1.3
 */
#ifndef GRAPH_MODULE_MATCH_H
#define GRAPH_MODULE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"

struct module_match {
    uint32_t *classes; /* by module's id: equal for modules that are the same */
    size_t count;
};

/* The class of what is outside all modules. */
#define MODULE_MATCH_NONE UINT32_MAX

/* Of all modules in which the names of the profile, which is resolved, have found functions. */
MUST_CHECK enum status module_match_init(struct module_match *match, const struct profile *profile);
void module_match_deinit(struct module_match *match);

static inline uint32_t module_match_class(const struct module_match *match,
                                          const struct module *module)
{
    return module ? match->classes[module->id] : MODULE_MATCH_NONE;
}

#endif
