/* SPDX-License-Identifier: MIT */
/*
 * The analysis of the last seconds' snapshot, by the functions that cgunwind uses. Made anew each
 * time from the samples. So nothing of earlier moments is in it, and its numbers are those of the
 * snapshot that the key `w` saves.
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
    struct ingest ingest; /* with the results of reading */
    struct ingest_sink sinks[2];
    struct profile *profile; /* resolved; by thread, by tid */
    struct waits *waits;
    struct history history;
    struct report report; /* on all threads */
    struct timeline *timeline;
    struct snap_summary summary; /* of the window, as far as known */
};

/*
 * Makes a moment of the snapshot in `fd`, from its beginning. `rate_mhz`: the sampling rate that
 * was asked for. Opens the engine if necessary; it must stay open as long as the moment. Fails as
 * ingest_run and snap_source_open. Call moment_deinit whatever the status.
 */
MUST_CHECK enum status moment_read(struct moment *moment, struct engine *engine, int fd,
                                   uint32_t rate_mhz, struct diag *diag);
void moment_deinit(struct moment *moment);

/* Returns the weight that shows best what is hot in the moment. */
enum weight_kind moment_weight(const struct moment *moment);

/* A moment's functions and calls, by one weight and through a filter. */
struct aspect {
    struct view *view;
    struct callgraph *graph; /* not trimmed */
    struct fold *fold;
};

/*
 * Makes an aspect of `moment`, which must live longer. Fails with NO_MEMORY only. Call
 * aspect_deinit whatever the status.
 */
MUST_CHECK enum status aspect_make(struct aspect *aspect, const struct moment *moment,
                                   enum weight_kind weight, const struct graph_filter *filter);
void aspect_deinit(struct aspect *aspect);

#endif
