/* SPDX-License-Identifier: MIT */
/*
 * The callgrind format (https://valgrind.org/docs/manual/cl-format.html), for KCachegrind and
 * callgrind_annotate: for each line of a function its own cost, and the cost of the calls from it,
 * in samples, wall and CPU time.
 *
 * Samples are not calls: "calls=" has the number of samples in which a call was seen, as the header
 * says. Functions are the view's nodes, by their labels, so that namesakes are two functions; lines
 * are of the file that most of a function lies in, lines of other files follow with "fi=".
 *
 * Recursion is as in callgrind with its default --separate-recs=2: the outermost occurrence of a
 * function on a chain is "f", all further ones together are "f'2". A call counts where its callee
 * is entered as "f" or, the first time, as "f'2", and wherever its caller is a first occurrence;
 * calls from "f'2" to itself are not written. So inclusive costs of "f" are exact, both by its
 * callers and by its callees: those of all chains with f. Where functions call each other in turn,
 * inclusive costs of "f'2" may be too large.
 */
#ifndef OUTPUT_CALLGRIND_H
#define OUTPUT_CALLGRIND_H

#include <stdio.h>

#include "base/status.h"
#include "graph/view.h"

/*
 * Writes a view by function; costs do not depend on view->weight. `title`: text of a comment in the
 * head; NULL: none. NO_MEMORY; IO: `out` has failed.
 */
MUST_CHECK enum status callgrind_write(const struct view *view, const char *title, FILE *out);

#endif
