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

#define WAITS_DOT_THREADS_MAX 32

struct waits_dot { /* all borrowed */
    struct wait_words words;
    const struct deadlocks *deadlocks;
    const struct graph_filter *filter; /* its thread part counts; may be NULL */
    const char *title;                 /* may be NULL */
    const char *caveats;               /* whole lines for the label; may be NULL */
    /* Objects of deadlocks first, then those that threads share, then by time; 0: no limit. */
    size_t objects_max;
};

MUST_CHECK enum status waits_dot_write(const struct waits_dot *dot, FILE *out);

#endif
