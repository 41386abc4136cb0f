/* SPDX-License-Identifier: MIT */
/*
 * Statistics of threads by identity: what they did with their time, in which functions, and how
 * much stack they needed, with the chain that needed it.
 */
#ifndef OUTPUT_THREADS_STATS_TEXT_H
#define OUTPUT_THREADS_STATS_TEXT_H

#include <stdio.h>

#include "base/status.h"
#include "threads/timeline.h"

#define STATS_FUNCTIONS_MAX 5 /* by self, and as many more by total */

/* Of its report: verbose: each thread of several on a line of its own, too. */
MUST_CHECK enum status stats_text_write(const struct timeline *timeline, FILE *out);

#endif
