/* SPDX-License-Identifier: MIT */
/*
 * From the records of a node to its edges: who waited for the object and how long, who held it, and
 * how many waited at one time. Private to wait_graph.c.
 */
#ifndef THREADS_BLOCKING_WAIT_EDGES_H
#define THREADS_BLOCKING_WAIT_EDGES_H

#include <stddef.h>

#include "base/status.h"
#include "threads/blocking/wait_graph.h"
#include "threads/blocking/wait_stretch.h"

/*
 * Adds the edges of the node that the records in [first, last) are of, and fills what it has of
 * them. `waits` and `holds` are memory for it. Fails only for memory.
 */
MUST_CHECK enum status wait_edges_add(struct wait_graph *graph, size_t first, size_t last,
                                      struct stretches *waits, struct stretches *holds);

#endif
