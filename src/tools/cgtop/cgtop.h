/* SPDX-License-Identifier: MIT */
/*
 * cgtop shows live what a running process does. options.c reads the command line, feed.c captures
 * in a process of its own, moment.c analyses the last seconds as cgunwind would, rows.c makes rows
 * of the result, draw.c draws them. Decision 40 has the reasons.
 */
#ifndef TOOLS_CGTOP_CGTOP_H
#define TOOLS_CGTOP_CGTOP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "capture/capture.h"
#include "graph/profile.h"
#include "tools/options.h"

#define DEBUG_DIRS_MAX 16

struct cgtop_options {
    struct capture_options capture;
    uint64_t window_ns, delay_ns;
    /* the user's choice if weight_given; else weight_choice.h chooses the weight */
    enum weight_kind weight;
    bool weight_given;
    const char *debug_dirs[DEBUG_DIRS_MAX];
    size_t debug_dir_count;
    bool no_cache, no_sandbox, verbose;
};

/*
 * Fills *options from the command line; texts are borrowed from `argv`. Returns -1: go on; else end
 * with this exit status, as all messages have been printed.
 */
int options_parse(struct cgtop_options *options, int argc, char **argv);

/* Returns the CPU time that this process has used, in ns. */
uint64_t cgtop_used_ns(void);

#endif
