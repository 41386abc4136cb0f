/* SPDX-License-Identifier: MIT */
/*
 * Makes the report (threads/report.h) from the input of a format about threads.
 */
#ifndef OUTPUT_THREADS_OUTPUT_REPORT_H
#define OUTPUT_THREADS_OUTPUT_REPORT_H

#include "output/format.h"
#include "threads/report.h"

/*
 * Fills and prepares *report from the output's history and options (format with NEEDS_HISTORY),
 * which it borrows. Fails only with NO_MEMORY; report_deinit is to be called then, too.
 */
MUST_CHECK enum status output_report_init(struct report *report, const struct output *output);

/*
 * Makes the report, calls write(report, output->file), and frees the report. NO_MEMORY, or the
 * status of `write`.
 */
MUST_CHECK enum status output_report_write(const struct output *output,
                                           enum status (*write)(const struct report *, FILE *));

#endif
