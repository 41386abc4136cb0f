/* SPDX-License-Identifier: MIT */
/*
 * From what a format is given to the report that those of threads are written from.
 */
#ifndef OUTPUT_THREADS_OUTPUT_REPORT_H
#define OUTPUT_THREADS_OUTPUT_REPORT_H

#include "output/format.h"
#include "threads/report.h"

/* Prepared; report_deinit, whatever the status. Of a format with NEEDS_HISTORY. */
MUST_CHECK enum status output_report_init(struct report *report, const struct output *output);

/* All that a format does that is written from a report to a file. */
MUST_CHECK enum status output_report_write(const struct output *output,
                                           enum status (*write)(const struct report *, FILE *));

#endif
