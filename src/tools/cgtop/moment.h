/* SPDX-License-Identifier: MIT */
/*
 * A moment: the analysis of the snapshot of the last seconds, by the functions that cgunwind uses.
 * Each moment is made anew from the samples. So nothing of earlier moments is in it, and its
 * numbers are those of the snapshot that the key `w` saves.
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
    struct ingest ingest;    /* after ingest_run: with its results */
    struct profile *profile; /* resolved; each tid is a thread of its own */
    struct waits *waits;
    struct history history;
    struct report report; /* report on all threads of `history` */
    struct timeline *timeline;
    /* the capture's, if it has ended, else of the last seconds, as far as known */
    struct snap_summary summary;
};

/*
 * Fills *moment from the snapshot in `fd`, read from its beginning. `rate_mhz`: the sampling rate
 * that was asked for. Opens the engine if necessary, which must stay open as long as the moment
 * exists. Fails as ingest_run and snap_source_open. Call moment_deinit whatever the status.
 */
MUST_CHECK enum status moment_read(struct moment *moment, struct engine *engine, int fd,
                                   uint32_t rate_mhz, struct diag *diag);
void moment_deinit(struct moment *moment);

/* Returns the weight that weight_choice.h chooses for the moment. */
enum weight_kind moment_weight(const struct moment *moment);

/* A moment's functions and calls by one weight, of the samples that pass a filter. */
struct aspect {
    struct view *view;
    struct callgraph *graph; /* calls between functions, none left out as light */
    struct fold *fold;
};

/*
 * Fills *aspect with functions and calls of `moment`, which must outlive it, as must `filter`.
 * Fails with NO_MEMORY only. Call aspect_deinit whatever the status.
 */
MUST_CHECK enum status aspect_make(struct aspect *aspect, const struct moment *moment,
                                   enum weight_kind weight, const struct graph_filter *filter);
void aspect_deinit(struct aspect *aspect);

#endif
