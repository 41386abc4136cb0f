/* SPDX-License-Identifier: MIT */
/*
 * Matches the modules of a profile with those of its baseline, where files were rebuilt, or
 * replaced by another release.
 *
 * Modules match by their file's base name. Main programs match whatever their names, and libraries
 * match without the version behind `.so`, unless two files of one side would match each other:
 *
 *     app-1.0 and app-1.1        if these were captured
 *     libfoo.so.1.2, libfoo.so.1.3
 */
#ifndef GRAPH_MODULE_MATCH_H
#define GRAPH_MODULE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/profile.h"

struct module_match {
    uint32_t *classes; /* owned; by module.id: the module's class, equal for modules that match */
    size_t count;
};

/* The result of module_match_class for addresses outside all modules. */
#define MODULE_MATCH_NONE UINT32_MAX

/*
 * Gives a class to each module in which the names of the resolved profile found functions; the
 * caller calls module_match_deinit. NO_MEMORY.
 */
MUST_CHECK enum status module_match_init(struct module_match *match, const struct profile *profile);
void module_match_deinit(struct module_match *match);

static inline uint32_t module_match_class(const struct module_match *match,
                                          const struct module *module)
{
    return module ? match->classes[module->id] : MODULE_MATCH_NONE;
}

#endif
