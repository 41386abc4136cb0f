/* SPDX-License-Identifier: MIT */
/*
 * The folded format: `thread;outermost;…;innermost N`, one line for each distinct stack, for
 * flamegraph.pl, speedscope, Firefox Profiler, Pyroscope.
 *
 * Lines are sorted by bytes, as `LC_ALL=C sort` does; equal texts are one line. N is a whole
 * number: samples, or nanoseconds of wall, CPU or off-CPU time, so that the sum of all N is exactly
 * the weight that is shown. Stacks of weight 0 are left out. ';' in a name is written ':', control
 * characters '?'. Threads of one name are one; --thread TID picks one of them.
 *
 * Compared with a baseline a line is `stack BASE N`, as FlameGraph's difffolded.pl prints it:
 * weights as they are, not made comparable. Only stacks of weight 0 in both are left out.
 */
#ifndef OUTPUT_FOLDED_H
#define OUTPUT_FOLDED_H

#include <stdio.h>

#include "base/status.h"
#include "graph/view.h"

/* Writes the view's shown chains. NO_MEMORY; IO: `out` has failed. */
MUST_CHECK enum status folded_write(const struct view *view, FILE *out);

#endif
