/* SPDX-License-Identifier: MIT */
/* Makes frames of the locations of a pprof profile, and adds their names to a struct told. */
#ifndef GRAPH_PPROF_PLACES_H
#define GRAPH_PPROF_PLACES_H

#include "graph/pprof/tables.h"
#include "graph/told.h"
#include "symbol/module.h"
#include "unwind/chain.h"

struct pprof_places {
    /* owned; by index of the location; trust and is_call, which a sample tells, are not set */
    struct frame *frames;
};

/*
 * Adds the profile's mappings to `modules`, and its functions and lines to `told`; fills *places,
 * for which the caller calls pprof_places_deinit in any case. BAD_DATA with `diag` filled: the
 * profile is malformed; NO_MEMORY.
 */
MUST_CHECK enum status pprof_places_make(const struct pprof_tables *tables,
                                         struct module_set *modules, struct told *told,
                                         struct pprof_places *places, struct diag *diag);
void pprof_places_deinit(struct pprof_places *places);

#endif
