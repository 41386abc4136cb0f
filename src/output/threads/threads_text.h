/* SPDX-License-Identifier: MIT */
/*
 * The hierarchy of threads as a tree to be read: processes, in each which thread made which,
 * threads of one identity on one line, with where and through which calls they were made.
 */
#ifndef OUTPUT_THREADS_THREADS_TEXT_H
#define OUTPUT_THREADS_THREADS_TEXT_H

#include <stdio.h>

#include "base/status.h"
#include "threads/report.h"

/* `report` is prepared; verbose: each thread of a line on a line of its own below. */
MUST_CHECK enum status threads_text_write(const struct report *report, FILE *out);

#endif
