/* SPDX-License-Identifier: MIT */
/*
 * Which nodes of a call graph are kept when there may be so many only: docs/decisions/0041.
 *
 * Three quarters of the places go to the nodes with the most self weight: where the time is spent.
 * The rest, at least one, go to those that tell best how one gets there: where chains begin, and
 * where they part. What a node of these adds is the weight that comes to it less that of its
 * heaviest call, so that a function that only passes a call on is worth nothing, and main, or an
 * interpreter's loop, much.
 * A run (runs.h) takes one place.
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
    uint64_t begins; /* weight of the chains that it begins */
    uint64_t passed; /* of its heaviest call of another */
    uint32_t inner;  /* what follows it in its run; KEEP_NONE */
};

/*
 * Fills kept[0 … count) for at most `limit` places, 0: no limit. Where nodes are worth the same the
 * first stay.
 */
MUST_CHECK enum status keep_choose(const struct keep_node *nodes, size_t count, uint32_t limit,
                                   bool *kept);

#endif
