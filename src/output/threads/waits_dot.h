/* SPDX-License-Identifier: MIT */
/*
 * Who waited for whom, as Graphviz DOT text: the same history gives the same bytes.
 *
 * Threads are boxes, objects ellipses; "waits for" runs from a thread to an object with the time as
 * label and width, "held by" from an object to a thread, dashed, dotted where that was inferred.
 * The chain is an edge's tooltip. What is in a deadlock is red and bold, in one that is not
 * certain, or ends by itself, orange.
 *
 * Where there are more threads than WAITS_DOT_THREADS_MAX, those of one identity are one box.
 */
#ifndef OUTPUT_THREADS_WAITS_DOT_H
#define OUTPUT_THREADS_WAITS_DOT_H

#include <stddef.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/filter.h"
#include "threads/blocking/deadlock.h"
#include "threads/blocking/wait_words.h"

#define WAITS_DOT_THREADS_MAX 32

struct waits_dot { /* all borrowed */
    struct wait_words words;
    const struct deadlocks *deadlocks;
    const struct graph_filter *filter; /* its thread part counts; may be NULL */
    const char *title;                 /* may be NULL */
    const char *caveats;               /* whole lines for the label; may be NULL */
    size_t objects_max;                /* those with the longest waits, locks first; 0: no limit */
};

MUST_CHECK enum status waits_dot_write(const struct waits_dot *dot, FILE *out);

#endif
