/* SPDX-License-Identifier: MIT */
/*
 * Adds a pprof profile to the profile being made, as if the samples had just been unwound. The
 * chains are in the file, and so are the names of addresses (told.h): no other file is looked at.
 *
 * cgunwind's own profiles come back as they were (fields.h). In other programs' profiles:
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
 * Sets *arch to the architecture of the profile (static storage); NULL: the profile tells none.
 * UNSUPPORTED with `diag` filled: the architecture is not known here.
 */
MUST_CHECK enum status pprof_arch(const struct pprof_tables *tables, const struct arch **arch,
                                  struct diag *diag);

struct pprof_found {
    bool cut_short;   /* a snapshot from which the profile was made was cut short */
    struct diag note; /* says which values were left out; what[0] 0: none were */
};

/*
 * Adds the samples of `tables` to ingest->profile, its modules, results and title to `ingest`, and
 * its names to `told`. BAD_DATA, UNSUPPORTED (no known weight) with `diag` filled: some samples may
 * have been added; NO_MEMORY.
 */
MUST_CHECK enum status pprof_load(const struct pprof_tables *tables, struct ingest *ingest,
                                  struct told *told, struct pprof_found *found, struct diag *diag);

#endif
