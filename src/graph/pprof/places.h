/* SPDX-License-Identifier: MIT */
/* Makes frames of a profile's locations, and tells their names (told.h). */
#ifndef GRAPH_PPROF_PLACES_H
#define GRAPH_PPROF_PLACES_H

#include "graph/pprof/tables.h"
#include "graph/told.h"
#include "symbol/module.h"
#include "unwind/chain.h"

struct pprof_places {
    struct frame *frames; /* owned; by location, without a sample's part (trust, is_call) */
};

/*
 * Adds the profile's mappings to `modules`, and its functions and lines to `told`; fills *places.
 * BAD_DATA with `diag` filled; NO_MEMORY. To be deinitialized in any case.
 */
MUST_CHECK enum status pprof_places_make(const struct pprof_tables *tables,
                                         struct module_set *modules, struct told *told,
                                         struct pprof_places *places, struct diag *diag);
void pprof_places_deinit(struct pprof_places *places);

#endif
