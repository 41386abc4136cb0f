/* SPDX-License-Identifier: MIT */
/*
 * A line for the head of a tree, which begins with what starts programs: what has the most weight
 * in itself.
 *
 *     most in itself: sha256_block 36 %, pymalloc_alloc 5.8 %, PyLong_FromString 5.7 %
 */
#ifndef OUTPUT_HOTTEST_H
#define OUTPUT_HOTTEST_H

#include <stdio.h>

#include "base/status.h"
#include "graph/view.h"

#define HOTTEST_MAX 3 /* functions, or whatever nodes are */

/* Nothing of a comparison, of calls, of inverted chains, and of what has one node only. */
MUST_CHECK enum status hottest_write(const struct view *view, FILE *out);

#endif
