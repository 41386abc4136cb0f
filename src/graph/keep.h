/* SPDX-License-Identifier: MIT */
/*
 * Chooses the nodes of a call graph to keep when their number is limited: docs/decisions/0041.
 *
 * Three quarters of the places go to the nodes with the most self weight: where time is spent. The
 * rest, at least one, go to the nodes that best show how one gets there: where chains begin or
 * part. Such a node's worth is the weight that enters it less that of its heaviest call: a function
 * that only passes a call on is worth nothing; main, or an interpreter's loop, much. A run (runs.h)
 * takes one place.
 */
#ifndef GRAPH_KEEP_H
#define GRAPH_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define KEEP_NONE UINT32_MAX

struct keep_node {
    uint64_t self, total;
    uint64_t begins; /* weight of chains that begin with it */
    uint64_t passed; /* weight of its heaviest call of another node */
    uint32_t inner;  /* next node in its run; KEEP_NONE: none */
};

/* Fills kept[0 .. count), `limit` places at most (0: any). Of equals the first stay. NO_MEMORY. */
MUST_CHECK enum status keep_choose(const struct keep_node *nodes, size_t count, uint32_t limit,
                                   bool *kept);

#endif
