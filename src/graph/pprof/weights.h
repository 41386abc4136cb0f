/* SPDX-License-Identifier: MIT */
/* Turns the values of samples in a pprof profile into weights. */
#ifndef GRAPH_PPROF_WEIGHTS_H
#define GRAPH_PPROF_WEIGHTS_H

#include "graph/pprof/tables.h"
#include "graph/profile.h"

#define PPROF_COLUMNS_MAX 32 /* most values of a sample */

struct pprof_columns {
    size_t count; /* number of values of each sample */
    struct pprof_column {
        bool known; /* the value is a weight; false: it is left out */
        enum weight_kind weight;
        uint64_t factor; /* by which a value is multiplied to be a count or ns */
    } list[PPROF_COLUMNS_MAX];
    struct diag note; /* says which value is left out; what[0] 0: none is */
};

/*
 * Finds the kind of weight of each value in the profile's samples; of several values of a kind the
 * first counts, others are left out. With `diag` filled: UNSUPPORTED: no value is a known weight;
 * BAD_DATA: more than PPROF_COLUMNS_MAX values.
 */
MUST_CHECK enum status pprof_columns_find(const struct pprof_tables *tables,
                                          struct pprof_columns *columns, struct diag *diag);

/*
 * Returns a sample's weights, from its columns->count values; negative ones (of profiles of
 * differences) count 0.
 */
struct weights pprof_weights(const struct pprof_columns *columns, const uint64_t *values);

#endif
