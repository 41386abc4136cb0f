/* SPDX-License-Identifier: MIT */
/*
 * From a snapshot's PROCESS and MAP events to modules and their places: what every reader of events
 * does alike, whether it unwinds or only tells which modules there are.
 */
#ifndef GRAPH_PLACE_H
#define GRAPH_PLACE_H

#include "base/status.h"
#include "snapshot/import/source.h"
#include "symbol/module.h"

/*
 * Lets the modules look at the process's memory, where the source has it (a core), until
 * place_end. Borrows the source until then.
 */
void place_process(struct module_set *modules, const struct snap_source *source,
                   const struct snap_process *process);
void place_end(struct module_set *modules);

/* The module of a map, and the mapping that it is; of the kernel only out->module is of use. */
MUST_CHECK enum status place_map(struct module_set *modules, const struct snap_source *source,
                                 const struct snap_map *map, struct mapping *out);

#endif
