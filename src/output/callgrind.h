/* SPDX-License-Identifier: MIT */
/*
 * The callgrind format (https://valgrind.org/docs/manual/cl-format.html), for KCachegrind and
 * callgrind_annotate: what each line of a function costs by itself, and what the calls from it
 * cost, in samples, wall and CPU time.
 *
 * Samples are not calls: "calls=" has the number of samples in which a call was seen, as the header
 * says. Functions are the view's nodes, by their labels, so that namesakes are two; lines are of
 * the file most of a function lies in, others follow with "fi=".
 *
 * Recursion is as in callgrind with its default --separate-recs=2: the outermost occurrence of a
 * function on a chain is "f", all further ones together are "f'2". A call counts where its callee
 * is entered as "f" or, the first time, as "f'2", and wherever its caller is a first occurrence;
 * calls from "f'2" to itself are not written. Inclusive costs of "f" are thereby exact, by its
 * callers as by what it calls: those of all chains that f is on. Where functions call each other in
 * turn, those of "f'2" may be more than that.
 */
#ifndef OUTPUT_CALLGRIND_H
#define OUTPUT_CALLGRIND_H

#include <stdio.h>

#include "base/status.h"
#include "graph/view.h"

/* The view is by function; its weight does not matter. `title` may be NULL. */
MUST_CHECK enum status callgrind_write(const struct view *view, const char *title, FILE *out);

#endif
