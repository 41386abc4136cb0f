/* SPDX-License-Identifier: MIT */
/*
 * The hierarchy of threads as a tree for people: below a process the threads, below each those that
 * it made; threads of one identity are one line, with their creation site and chain.
 */
#ifndef OUTPUT_THREADS_THREADS_TEXT_H
#define OUTPUT_THREADS_THREADS_TEXT_H

#include <stdio.h>

#include "base/status.h"
#include "threads/report.h"

/*
 * Writes the tree of a prepared report (report_prepare). If report->verbose, each thread of an
 * identity has a line of its own below the identity's. NO_MEMORY; IO: `out` has failed.
 */
MUST_CHECK enum status threads_text_write(const struct report *report, FILE *out);

#endif
