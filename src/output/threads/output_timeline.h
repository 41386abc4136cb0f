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
    struct timeline *timeline; /* owned; borrows from the report */
};

/* A format's `check`. UNSUPPORTED: all samples are of one moment, as `diag` says. */
MUST_CHECK enum status output_timeline_check(const struct output *output, struct diag *diag);

/*
 * Makes the report and the timeline from the output's history (format with NEEDS_HISTORY). Fails
 * only with NO_MEMORY; output_timeline_deinit is to be called then, too.
 */
MUST_CHECK enum status output_timeline_init(struct output_timeline *made,
                                            const struct output *output);
void output_timeline_deinit(struct output_timeline *made);

#endif
