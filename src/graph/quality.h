/* SPDX-License-Identifier: MIT */
/*
 * The quality report: how far the result may be trusted, from the whole profile, whatever a filter
 * shows.
 */
#ifndef GRAPH_QUALITY_H
#define GRAPH_QUALITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "graph/ingest.h"
#include "graph/profile.h"
#include "snapshot/reader.h"
#include "symbol/module.h"

/*
 * Samples count with their repeats (a thread that did not run was sampled all the same); so do the
 * frames and stops of their chains. How many chains were unwound for them is said apart.
 */
struct quality {
    uint64_t samples;
    uint64_t repeats;
    uint64_t chains_unwound, chains_distinct;
    uint64_t frames;
    uint64_t frames_by_trust[TRUST_COUNT];
    uint64_t frames_unnamed; /* whose function has no name in any file */
    /* samples; STOP_THREAD_START is "reached the thread's start" */
    uint64_t chains_by_stop[STOP_COUNT];
    /* The same of threads that were running, or ready to: sleepers repeat what is easy. */
    uint64_t running, running_complete;
    /* Below: set by the caller after quality_fill, which clears them. By quality_count: */
    struct capture_account all, own, base; /* all, without the baseline, of the baseline alone */
    /* By itself: */
    const struct module_set *modules; /* borrowed; NULL: none to report */
    uint64_t unwind_ns, symbolize_ns;
    bool cut_short; /* the snapshot ended without its summary */
    bool has_capture;
    struct snap_summary capture; /* valid when has_capture */
};

/* A profile that is not resolved has no unnamed frames. */
MUST_CHECK enum status quality_fill(struct quality *quality, const struct profile *profile);

/* Takes what was counted of captures. */
void quality_count(struct quality *quality, const struct ingest *ingest);

/*
 * A module that some sample touched and whose file was not found or was refused; what is no file,
 * as [anon], when the snapshot has no code of it either.
 */
bool quality_module_missing(const struct module *module);

/* For --stats. */
MUST_CHECK enum status quality_print(const struct quality *quality, FILE *out);

#endif
