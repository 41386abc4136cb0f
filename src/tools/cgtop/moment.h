/* SPDX-License-Identifier: MIT */
/*
 * What the last seconds' snapshot says: all that cgunwind would make of it, by the same functions.
 * Made anew each time, from the samples on; so that it holds nothing of what came before, and its
 * numbers are those of the snapshot that `w` writes.
 */
#ifndef TOOLS_CGTOP_MOMENT_H
#define TOOLS_CGTOP_MOMENT_H

#include "graph/callgraph.h"
#include "graph/filter.h"
#include "graph/ingest.h"
#include "graph/view.h"
#include "output/fold.h"
#include "threads/history.h"
#include "threads/report.h"
#include "threads/timeline.h"
#include "tools/cgtop/engine.h"

struct moment {
    struct ingest ingest; /* its results */
    struct ingest_sink sinks[2];
    struct profile *profile; /* resolved; threads by tid */
    struct waits *waits;
    struct history history;
    struct report report; /* of all threads */
    struct timeline *timeline;
    struct snap_summary summary; /* of the window, as far as it is known */
};

/*
 * Reads the snapshot in `fd`, from its beginning. `rate_mhz`: the rate that was asked for. The
 * engine is opened if it is not, and has to be there as long as the moment. As ingest_run; what is
 * there is to be ended by moment_deinit, whatever the status.
 */
MUST_CHECK enum status moment_read(struct moment *moment, struct engine *engine, int fd,
                                   uint32_t rate_mhz, struct diag *diag);
void moment_deinit(struct moment *moment);

/* Which weight says what is hot in it. */
enum weight_kind moment_weight(const struct moment *moment);

/* A moment through a filter, by one weight: functions and who calls whom. */
struct aspect {
    struct view *view;
    struct callgraph *graph; /* all of it */
    struct fold *fold;
};

/* Fails only for memory. To be ended by aspect_deinit, whatever the status. */
MUST_CHECK enum status aspect_make(struct aspect *aspect, const struct moment *moment,
                                   enum weight_kind weight, const struct graph_filter *filter);
void aspect_deinit(struct aspect *aspect);

#endif
