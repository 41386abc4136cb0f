/* SPDX-License-Identifier: MIT */
/* The locations of a profile as frames, and what they are called as told. */
#ifndef GRAPH_PPROF_PLACES_H
#define GRAPH_PPROF_PLACES_H

#include "graph/pprof/tables.h"
#include "graph/told.h"
#include "symbol/module.h"
#include "unwind/chain.h"

struct pprof_places {
    struct frame *frames; /* by location, without what a sample says of it */
};

/*
 * Adds the profile's mappings to the set and its functions and lines to `told`. BAD_DATA with
 * `diag` filled; NO_MEMORY. To be ended in any case.
 */
MUST_CHECK enum status pprof_places_make(const struct pprof_tables *tables,
                                         struct module_set *modules, struct told *told,
                                         struct pprof_places *places, struct diag *diag);
void pprof_places_deinit(struct pprof_places *places);

#endif
