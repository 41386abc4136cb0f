/* SPDX-License-Identifier: MIT */
/*
 * From what a format is given to the timeline that those of times are written from.
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

/* A format's check: UNSUPPORTED with `diag` filled where all samples are of one moment. */
MUST_CHECK enum status output_timeline_check(const struct output *output, struct diag *diag);

/* output_timeline_deinit, whatever the status. Of a format with NEEDS_HISTORY. */
MUST_CHECK enum status output_timeline_init(struct output_timeline *made,
                                            const struct output *output);
void output_timeline_deinit(struct output_timeline *made);

#endif
