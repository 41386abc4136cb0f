/* SPDX-License-Identifier: MIT */
/*
 * Chooses the nodes of a call graph that are kept when their number is limited:
 * docs/decisions/0041-what-a-call-graph-keeps.md.
 *
 * Three quarters of the places go to the nodes with the most self weight, where time is spent. The
 * rest, at least one, go to the nodes that best show how these are reached: where chains begin or
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
    uint64_t begins; /* weight of the chains whose outermost function it is */
    uint64_t passed; /* weight of its heaviest call of another node */
    uint32_t inner;  /* index of the next node in its run; KEEP_NONE: none */
};

/*
 * Sets kept[i], for each of `count` nodes, to whether node i is kept; at most `limit` places are
 * given (0: no limit). Of equal nodes the first are kept. NO_MEMORY.
 */
MUST_CHECK enum status keep_choose(const struct keep_node *nodes, size_t count, uint32_t limit,
                                   bool *kept);

#endif
