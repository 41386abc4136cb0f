/* SPDX-License-Identifier: MIT */
/*
 * Private to wait_edges.c: finds who held an object, and in which chain. Waiters' samples read the
 * owner at moments; an owner is taken to hold the object from one reading to the next:
 *
 *     reading: A    reading: A    reading: B    waiter no longer waits
 *     |------- A holds it --------|-- B holds it --|
 */
#ifndef THREADS_BLOCKING_WAIT_HOLDS_H
#define THREADS_BLOCKING_WAIT_HOLDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "threads/blocking/wait_graph.h"
#include "threads/blocking/wait_stretch.h"

/*
 * Fills `holds` with the stretches in which owners held the node's object, in the order of time,
 * and sets the node's end_span and end_owner. The node's records are graph->records[first .. last -
 * 1]. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status wait_holds_collect(const struct wait_graph *graph, struct wait_node *node,
                                          size_t first, size_t last, struct stretches *holds);

/*
 * Sets *chain to the chain that the owner of these stretches was in longest while it held the
 * object; HISTORY_NONE: not known. The stretches are one owner's, in the order of time; where they
 * overlap, time counts once. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status wait_holds_chain(const struct wait_graph *graph, const struct stretch *list,
                                        size_t count, uint32_t *chain);

#endif
