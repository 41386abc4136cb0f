/* SPDX-License-Identifier: MIT */
/*
 * A line for the head of a tree, which begins with the outermost functions: the functions with the
 * most self weight.
 *
 *     most in itself: sha256_block 36 %, pymalloc_alloc 5.8 %, PyLong_FromString 5.7 %
 */
#ifndef OUTPUT_HOTTEST_H
#define OUTPUT_HOTTEST_H

#include <stdio.h>

#include "base/status.h"
#include "graph/view.h"

#define HOTTEST_MAX 3 /* most functions in the line */

/*
 * Writes the line with its newline. Writes nothing for a view with a baseline, of a trace of calls,
 * inverted, or with a single node. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status hottest_write(const struct view *view, FILE *out);

#endif
