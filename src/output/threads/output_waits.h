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
    struct wait_graph *graph; /* owned, as are the next two */
    struct deadlocks *deadlocks;
    struct lock_orders *orders;
    struct wait_words words; /* borrows from the other members and the output */
};

/*
 * Makes all members from the output's history (format with NEEDS_HISTORY). Fails only with
 * NO_MEMORY; output_waits_deinit is to be called then, too.
 */
MUST_CHECK enum status output_waits_init(struct output_waits *waits, const struct output *output);
void output_waits_deinit(struct output_waits *waits);

#endif
