/* SPDX-License-Identifier: MIT */
/*
 * The timeline as a picture, drawn here, without Graphviz: on top how many threads ran, below a row
 * for each thread in the order of the hierarchy. A colour is a state; a function is text where its
 * piece is wide enough; all is in the tooltips.
 *
 * Pieces that are narrower than two columns are not drawn one by one: a column of the row shows the
 * states that the thread had there as a stack, each as high as its share. So the size of the file
 * is bounded by columns × threads, whatever the number of samples: some 60 KiB a row, with long
 * names at most 400 KiB.
 *
 * Same timeline, same bytes.
 */
#ifndef OUTPUT_THREADS_TIMELINE_SVG_H
#define OUTPUT_THREADS_TIMELINE_SVG_H

#include <stdio.h>

#include "base/status.h"
#include "threads/timeline.h"

#define TIMELINE_SVG_ROWS_MAX 1000 /* what comes after is counted, not shown */

/* `title`: raw bytes; `caveats`: lines, or NULL. IO when `out` has failed; NO_MEMORY. */
MUST_CHECK enum status timeline_svg_write(const struct timeline *timeline, const char *title,
                                          const char *caveats, FILE *out);

#endif
