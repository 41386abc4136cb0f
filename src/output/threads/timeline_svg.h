/* SPDX-License-Identifier: MIT */
/*
 * The timeline as an SVG picture, drawn without Graphviz: on top how many threads ran, below a row
 * for each thread in the order of the hierarchy. Colours are states; a function's name is in its
 * piece if that is wide enough; tooltips have everything.
 *
 * Pieces narrower than two columns are not drawn one by one: a column of the row stacks the states
 * that the thread had there, each as high as its share. So the size of the file is bounded by
 * columns × threads, whatever the number of samples: some 60 KiB a row, with long names at most
 * 400 KiB.
 *
 * The same timeline gives the same bytes.
 */
#ifndef OUTPUT_THREADS_TIMELINE_SVG_H
#define OUTPUT_THREADS_TIMELINE_SVG_H

#include <stdio.h>

#include "base/status.h"
#include "threads/timeline.h"

#define TIMELINE_SVG_ROWS_MAX 1000 /* most rows drawn; others are only counted */

/*
 * Writes the picture. `title`: the programs, raw bytes. `caveats`: whole lines; NULL: none.
 * NO_MEMORY; IO: `out` has failed.
 */
MUST_CHECK enum status timeline_svg_write(const struct timeline *timeline, const char *title,
                                          const char *caveats, FILE *out);

#endif
