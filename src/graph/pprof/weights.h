/* SPDX-License-Identifier: MIT */
/* Maps the values of a profile's samples to weights. */
#ifndef GRAPH_PPROF_WEIGHTS_H
#define GRAPH_PPROF_WEIGHTS_H

#include "graph/pprof/tables.h"
#include "graph/profile.h"

#define PPROF_COLUMNS_MAX 32 /* values of a sample */

struct pprof_columns {
    size_t count;
    struct pprof_column {
        bool known;
        enum weight_kind weight;
        uint64_t factor; /* multiplies a value to samples or ns */
    } list[PPROF_COLUMNS_MAX];
    struct diag note; /* a value that is left out; what[0] 0: none */
};

/*
 * Finds the weight of each value: the first of a kind counts. UNSUPPORTED (none is known), BAD_DATA
 * (too many), with `diag` filled.
 */
MUST_CHECK enum status pprof_columns_find(const struct pprof_tables *tables,
                                          struct pprof_columns *columns, struct diag *diag);

/* Returns a sample's weights from columns->count values; negative values (differences) count 0. */
struct weights pprof_weights(const struct pprof_columns *columns, const uint64_t *values);

#endif
