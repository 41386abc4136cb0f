/* SPDX-License-Identifier: MIT */
/*
 * Adds a pprof profile to the profile being made, as if its samples had just been unwound. Chains
 * are finished and addresses have names (told.h): no file is looked at.
 *
 * cgunwind's own profiles come back as they were (fields.h). Of other programs' profiles:
 *
 * - Sample types become the closest weight (pprof_columns_find); others are left out.
 * - Addresses become file offsets, as processes map a file at different places. A location outside
 *   all files gets an address made from its functions and lines, in "[unknown]".
 * - Chains count as whole; how their frames were found is not known.
 */
#ifndef GRAPH_PPROF_LOAD_H
#define GRAPH_PPROF_LOAD_H

#include <stdbool.h>

#include "arch/arch.h"
#include "graph/ingest.h"
#include "graph/pprof/tables.h"
#include "graph/told.h"

/*
 * Sets *arch to the profile's architecture; NULL: it has none, or was made only from profiles
 * without. UNSUPPORTED with `diag` filled: unknown architecture.
 */
MUST_CHECK enum status pprof_arch(const struct pprof_tables *tables, const struct arch **arch,
                                  struct diag *diag);

struct pprof_found {
    bool cut_short;   /* a snapshot it was made from was cut short */
    struct diag note; /* what was left out; what[0] 0: nothing */
};

/*
 * Adds the samples to ingest->profile, and modules, results and title to `ingest`. BAD_DATA,
 * UNSUPPORTED (no known weight) with `diag` filled: some samples may have been added; NO_MEMORY.
 */
MUST_CHECK enum status pprof_load(const struct pprof_tables *tables, struct ingest *ingest,
                                  struct told *told, struct pprof_found *found, struct diag *diag);

#endif
