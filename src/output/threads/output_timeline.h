/* SPDX-License-Identifier: MIT */
/*
 * Makes the timeline (threads/timeline.h) from the input of a format.
 */
#ifndef OUTPUT_THREADS_OUTPUT_TIMELINE_H
#define OUTPUT_THREADS_OUTPUT_TIMELINE_H

#include "output/format.h"
#include "threads/report.h"
#include "threads/timeline.h"

struct output_timeline {
    struct report report;
    struct timeline *timeline;
};

/* A format's `check`: UNSUPPORTED with `diag` filled if all samples are of one moment. */
MUST_CHECK enum status output_timeline_check(const struct output *output, struct diag *diag);

/*
 * Makes the report and the timeline, for a format with NEEDS_HISTORY. Call output_timeline_deinit
 * whatever the status, which is NO_MEMORY if it fails.
 */
MUST_CHECK enum status output_timeline_init(struct output_timeline *made,
                                            const struct output *output);
void output_timeline_deinit(struct output_timeline *made);

#endif
