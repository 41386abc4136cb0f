/* SPDX-License-Identifier: MIT */
/*
 * Who held an object: from what its waiters read off it, each at moments, to the owner spans
 * between them, and what the owner did meanwhile. Private to wait_edges.c.
 */
#ifndef THREADS_BLOCKING_WAIT_HOLDS_H
#define THREADS_BLOCKING_WAIT_HOLDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "threads/blocking/wait_graph.h"
#include "threads/blocking/wait_stretch.h"

/*
 * The owner spans of the node that the records in [first, last) are of, and the end of the node.
 * Fails only for memory.
 */
MUST_CHECK enum status wait_holds_collect(const struct wait_graph *graph, struct wait_node *node,
                                          size_t first, size_t last, struct stretches *holds);

/*
 * The chain in which the owner of these spans, which are in the order of time, was longest, each
 * moment counted once; HISTORY_NONE. Fails only for memory.
 */
MUST_CHECK enum status wait_holds_chain(const struct wait_graph *graph, const struct stretch *list,
                                        size_t count, uint32_t *chain);

#endif
