/* SPDX-License-Identifier: MIT */
/*
 * Statistics of threads by identity: their time by state, the functions they were in, and how much
 * stack they used, with the chain that used most.
 */
#ifndef OUTPUT_THREADS_STATS_TEXT_H
#define OUTPUT_THREADS_STATS_TEXT_H

#include <stdio.h>

#include "base/status.h"
#include "threads/timeline.h"

#define STATS_FUNCTIONS_MAX 5 /* functions listed by self weight, and as many more by total */

/*
 * Writes the statistics. If the timeline's report is verbose, each thread of an identity also has a
 * line of its own. NO_MEMORY; IO: `out` has failed.
 */
MUST_CHECK enum status stats_text_write(const struct timeline *timeline, FILE *out);

#endif
