/* SPDX-License-Identifier: MIT */
/*
 * Makes the graph of waits, with deadlocks and lock orders, from the input of a format.
 */
#ifndef OUTPUT_THREADS_OUTPUT_WAITS_H
#define OUTPUT_THREADS_OUTPUT_WAITS_H

#include "output/format.h"
#include "output/threads/output_timeline.h"
#include "threads/blocking/deadlock.h"
#include "threads/blocking/lock_order.h"
#include "threads/blocking/wait_graph.h"
#include "threads/blocking/wait_words.h"

struct output_waits {
    struct output_timeline made;
    struct wait_graph *graph;
    struct deadlocks *deadlocks;
    struct lock_orders *orders;
    struct wait_words words; /* borrows from the others */
};

/*
 * For a format with NEEDS_HISTORY. Call output_waits_deinit whatever the status, which is NO_MEMORY
 * if it fails.
 */
MUST_CHECK enum status output_waits_init(struct output_waits *waits, const struct output *output);
void output_waits_deinit(struct output_waits *waits);

#endif
