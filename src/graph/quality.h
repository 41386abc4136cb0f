/* SPDX-License-Identifier: MIT */
/* The quality report: how far the result may be trusted. Filters do not change the counts. */
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
 * A repeat is a sample of a thread that did not run since its last sample: its chain is not unwound
 * again. All counts include repeats, except chains_unwound and chains_distinct.
 */
struct quality {
    uint64_t samples;
    uint64_t repeats;
    uint64_t chains_unwound, chains_distinct;
    uint64_t frames; /* frames of all samples' chains together */
    uint64_t frames_by_trust[TRUST_COUNT];
    uint64_t frames_unnamed; /* frames of functions without a name in any file */
    /* samples by where their chain stopped; STOP_THREAD_START: at the thread's start */
    uint64_t chains_by_stop[STOP_COUNT];
    /*
     * Samples of running and ready threads, and how many of these have chains to the thread's
     * start (or a board's reset).
     */
    uint64_t running, running_complete;
    /* quality_fill clears the members below. Set by quality_count: */
    struct capture_account all, own, base; /* sum of the next two; capture; baseline */
    /* Set by the caller after quality_fill: */
    const struct module_set *modules; /* borrowed; NULL: modules are not reported */
    uint64_t unwind_ns, symbolize_ns; /* time spent on unwinding, on symbolizing */
    bool cut_short;                   /* the snapshot ends without a summary */
    bool has_capture;                 /* `capture` is set */
    struct snap_summary capture;
};

/* Sets *quality to the profile's counts; frames_unnamed is 0 before profile_resolve. NO_MEMORY. */
MUST_CHECK enum status quality_fill(struct quality *quality, const struct profile *profile);

/* Sets all, own and base from the accounts of `ingest`. */
void quality_count(struct quality *quality, const struct ingest *ingest);

/*
 * Returns whether chains need the module, but its file was not found or was refused, or, of a
 * module without a file ([anon]), the snapshot has no code of it. False with a stand-in.
 */
bool quality_module_missing(const struct module *module);

/* Prints the report for --stats; flushes `out`. IO; NO_MEMORY. */
MUST_CHECK enum status quality_print(const struct quality *quality, FILE *out);

#endif
