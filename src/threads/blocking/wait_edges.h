/* SPDX-License-Identifier: MIT */
/*
 * Private to wait_graph.c: makes a node's edges and episodes from its records.
 */
#ifndef THREADS_BLOCKING_WAIT_EDGES_H
#define THREADS_BLOCKING_WAIT_EDGES_H

#include <stddef.h>

#include "base/status.h"
#include "threads/blocking/wait_graph.h"
#include "threads/blocking/wait_stretch.h"

/*
 * Adds the edges and episodes of the node that graph->records[first .. last - 1] belong to, and
 * fills the node's members about them. `waits` and `holds` are scratch memory. Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status wait_edges_add(struct wait_graph *graph, size_t first, size_t last,
                                      struct stretches *waits, struct stretches *holds);

#endif
