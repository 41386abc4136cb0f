/* SPDX-License-Identifier: MIT */
/*
 * The waits format: deadlocks, what each blocked thread waits for, objects by the time lost in
 * waiting for them, contradictory lock orders, and the rest summed up, with where most of it was.
 * Text of 100 columns, but for names that are longer.
 *
 * What follows from reading the kernel's answers and the objects' memory stands as it is; what was
 * inferred is marked.
 */
#ifndef OUTPUT_THREADS_WAITS_REPORT_H
#define OUTPUT_THREADS_WAITS_REPORT_H

#include <stdio.h>

#include "base/status.h"
#include "graph/filter.h"
#include "threads/blocking/deadlock.h"
#include "threads/blocking/lock_order.h"
#include "threads/blocking/wait_words.h"

/* Of each list; what is left out is counted. */
#define WAITS_REPORT_BLOCKED_MAX 200
#define WAITS_REPORT_OBJECTS_MAX 20
#define WAITS_REPORT_HOLDERS_MAX 4
#define WAITS_REPORT_NAMED_MAX   3
#define WAITS_REPORT_PLACES_MAX  3 /* of a kind of wait; with whole chains BLOCKED_MAX */

struct waits_report { /* all borrowed */
    struct wait_words words;
    const struct deadlocks *deadlocks;
    const struct lock_orders *orders;
    const struct graph_filter *filter; /* its thread part counts: who waits, or is waited for */
    const char *title;                 /* what was looked at; may be NULL */
    const char *caveats;               /* whole lines for the head; may be NULL */
    size_t columns;                    /* of the terminal; 0: there is none */
};

MUST_CHECK enum status waits_report_write(const struct waits_report *report, FILE *out);

#endif
