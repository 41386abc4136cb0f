/* SPDX-License-Identifier: MIT */
/* The quality report: how far the result may be trusted. Of the whole profile, without filters. */
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
 * All counts include repeats (a thread that did not run was sampled all the same), except those of
 * unwound and distinct chains.
 */
struct quality {
    uint64_t samples;
    uint64_t repeats;
    uint64_t chains_unwound, chains_distinct;
    uint64_t frames;
    uint64_t frames_by_trust[TRUST_COUNT];
    uint64_t frames_unnamed; /* frames of functions without a name in any file */
    /* samples; STOP_THREAD_START: reached the thread's start */
    uint64_t chains_by_stop[STOP_COUNT];
    /* Samples of running and ready threads, and those that reached the start: sleepers are easy. */
    uint64_t running, running_complete;
    /* The rest is cleared by quality_fill, and set after it. By quality_count: */
    struct capture_account all, own, base; /* all; without the baseline; the baseline */
    /* By the caller: */
    const struct module_set *modules; /* borrowed; NULL: not reported */
    uint64_t unwind_ns, symbolize_ns;
    bool cut_short; /* the snapshot has no summary */
    bool has_capture;
    struct snap_summary capture; /* valid if has_capture */
};

/* Counts a profile; one that is not resolved has no unnamed frames. NO_MEMORY. */
MUST_CHECK enum status quality_fill(struct quality *quality, const struct profile *profile);

/* Sets all, own and base from the accounts of `ingest`. */
void quality_count(struct quality *quality, const struct ingest *ingest);

/*
 * Returns whether a sample touched the module but its file was not found or was refused; of modules
 * without a file, as [anon], whether the snapshot lacks its code, too.
 */
bool quality_module_missing(const struct module *module);

/* Prints the report for --stats. IO; NO_MEMORY. */
MUST_CHECK enum status quality_print(const struct quality *quality, FILE *out);

#endif
