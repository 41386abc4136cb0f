/* SPDX-License-Identifier: MIT */
/*
 * cgtop: what a running process does, live. options.c reads the command line, feed.c captures in a
 * process of its own, moment.c makes of the last seconds what cgunwind would say of them, rows.c
 * orders that for the screen, and draw.c shows it. Decision 40 says why it is so.
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
    enum weight_kind weight; /* with weight_given; else weight_choice.h has it */
    bool weight_given;
    const char *debug_dirs[DEBUG_DIRS_MAX];
    size_t debug_dir_count;
    bool no_cache, no_sandbox;
};

/* Sets `options` anew. -1: go on; else the exit status, with everything said. */
int options_parse(struct cgtop_options *options, int argc, char **argv);

/* CLOCK_MONOTONIC; and the CPU time of this process. */
uint64_t cgtop_now_ns(void);
uint64_t cgtop_used_ns(void);

#endif
