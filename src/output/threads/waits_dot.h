/* SPDX-License-Identifier: MIT */
/*
 * Who waited for whom, as Graphviz DOT text: the same history gives the same bytes.
 *
 *     box        thread; if more than WAITS_DOT_THREADS_MAX waited, an identity is one box
 *     ellipse    object
 *     edge       thread to object: waits for it; label and width: the time
 *     dashed     object to thread: held by it; dotted: inferred
 *
 * An edge's tooltip has the chain. A deadlock is red and bold; one that is not certain, or ends by
 * itself, is orange.
 */
#ifndef OUTPUT_THREADS_WAITS_DOT_H
#define OUTPUT_THREADS_WAITS_DOT_H

#include <stddef.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/filter.h"
#include "threads/blocking/deadlock.h"
#include "threads/blocking/wait_words.h"

#define WAITS_DOT_THREADS_MAX 32 /* most threads that have a box of their own */

struct waits_dot { /* all borrowed */
    struct wait_words words;
    const struct deadlocks *deadlocks;
    const struct graph_filter *filter; /* only its choice of threads is used; NULL: all threads */
    const char *title;                 /* first line of the graph's label; NULL: none */
    const char *caveats;               /* whole lines for the graph's label; NULL: none */
    /*
     * Most objects drawn; 0: no limit. Objects of deadlocks come first, then those that several
     * threads use, then by the time waited.
     */
    size_t objects_max;
};

/* Writes the graph. NO_MEMORY; IO: `out` has failed. */

MUST_CHECK enum status waits_dot_write(const struct waits_dot *dot, FILE *out);

#endif
