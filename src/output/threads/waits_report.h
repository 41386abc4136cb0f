/* SPDX-License-Identifier: MIT */
/*
 * The waits format: deadlocks, what each blocked thread waits for, objects by the time lost in
 * waiting for them, contradictory lock orders, and sums of all other waits with the functions that
 * most of these were in. Lines have at most 100 columns, but for longer names.
 *
 * Facts that were inferred, not read from the kernel or an object's memory, are marked.
 */
#ifndef OUTPUT_THREADS_WAITS_REPORT_H
#define OUTPUT_THREADS_WAITS_REPORT_H

#include <stdio.h>

#include "base/status.h"
#include "graph/filter.h"
#include "threads/blocking/deadlock.h"
#include "threads/blocking/lock_order.h"
#include "threads/blocking/wait_words.h"

/*
 * Most entries of a list; further ones are counted: blocked threads, objects of a table, holders of
 * an object, objects named for a kind of wait, places for a kind of wait (BLOCKED_MAX if whole
 * chains are written).
 */
#define WAITS_REPORT_BLOCKED_MAX 200
#define WAITS_REPORT_OBJECTS_MAX 20
#define WAITS_REPORT_HOLDERS_MAX 4
#define WAITS_REPORT_NAMED_MAX   3
#define WAITS_REPORT_PLACES_MAX  3

struct waits_report { /* all borrowed */
    struct wait_words words;
    const struct deadlocks *deadlocks;
    const struct lock_orders *orders;
    const struct graph_filter *filter; /* choice of threads that wait or hold; NULL: all */
    const char *title;                 /* the captured programs; NULL: none */
    const char *caveats;               /* whole lines for the head; NULL: none */
    size_t columns;                    /* width of the terminal; 0: no terminal */
};

/* Writes the text. NO_MEMORY; IO: `out` has failed. */

MUST_CHECK enum status waits_report_write(const struct waits_report *report, FILE *out);

#endif
