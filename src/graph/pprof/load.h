/* SPDX-License-Identifier: MIT */
/*
 * A pprof profile as an input: what it holds goes into the profile that is being made, as if its
 * samples had just been unwound. Its chains are finished and its addresses have names (told.h), so
 * that no file is looked at.
 *
 * What cgunwind wrote comes back as it was (fields.h). Of other programs' profiles:
 *
 * - Sample types become the closest weight (pprof_weight_of); others are left out.
 * - Addresses become file offsets, as processes have a file at different places. A location that
 *   is in no file gets its functions and lines for an address, in "[unknown]".
 * - Chains count as whole, and nobody knows how their frames were found.
 */
#ifndef GRAPH_PPROF_LOAD_H
#define GRAPH_PPROF_LOAD_H

#include <stdbool.h>

#include "arch/arch.h"
#include "graph/ingest.h"
#include "graph/pprof/tables.h"
#include "graph/told.h"

/* NULL: it does not say, or was made of such alone. UNSUPPORTED with `diag` filled: unknown. */
MUST_CHECK enum status pprof_arch(const struct pprof_tables *tables, const struct arch **arch,
                                  struct diag *diag);

struct pprof_found {
    bool cut_short;   /* a snapshot that it was made of was */
    struct diag note; /* what was left out of it; what[0] 0: nothing */
};

/*
 * Adds it to ingest->profile and its modules, results and title. OK; BAD_DATA, UNSUPPORTED (it has
 * no weight that is known) with `diag` filled: samples before may have been added; NO_MEMORY.
 */
MUST_CHECK enum status pprof_load(const struct pprof_tables *tables, struct ingest *ingest,
                                  struct told *told, struct pprof_found *found, struct diag *diag);

#endif
