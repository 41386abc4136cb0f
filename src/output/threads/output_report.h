/* SPDX-License-Identifier: MIT */
/*
 * Makes the report (threads/report.h) from the input of a format about threads.
 */
#ifndef OUTPUT_THREADS_OUTPUT_REPORT_H
#define OUTPUT_THREADS_OUTPUT_REPORT_H

#include "output/format.h"
#include "threads/report.h"

/*
 * Prepares the report, for a format with NEEDS_HISTORY. Call report_deinit whatever the status,
 * which is NO_MEMORY if it fails.
 */
MUST_CHECK enum status output_report_init(struct report *report, const struct output *output);

/* Makes the report, calls `write` with the output's file, and frees the report. */
MUST_CHECK enum status output_report_write(const struct output *output,
                                           enum status (*write)(const struct report *, FILE *));

#endif
