/* SPDX-License-Identifier: MIT */
/* What the values of a profile's samples are as weights. */
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
        uint64_t factor; /* to samples or ns */
    } list[PPROF_COLUMNS_MAX];
    struct diag note; /* which are left out; what[0] 0: none */
};

/* UNSUPPORTED with `diag` filled: none of them is known. BAD_DATA. */
MUST_CHECK enum status pprof_columns_find(const struct pprof_tables *tables,
                                          struct pprof_columns *columns, struct diag *diag);

/* A negative value, which only differences have, counts nothing. */
struct weights pprof_weights(const struct pprof_columns *columns, const uint64_t *values);

#endif
