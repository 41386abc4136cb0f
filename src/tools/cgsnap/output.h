/* SPDX-License-Identifier: MIT */
/*
 * Where a snapshot goes. It holds what a process had on its stacks, which may be secret, so its
 * file is for nobody but its owner; and what was in a file before is not lost by mistake.
 *
 * All that has to do with the output's file system is done before the process is attached to, or by
 * the pump. A file that exists keeps its content, and an earlier snapshot its name, until there is
 * something to write: the new one is written beside it.
 */
#ifndef TOOLS_CGSNAP_OUTPUT_H
#define TOOLS_CGSNAP_OUTPUT_H

#include <limits.h>
#include <stdbool.h>

#include "base/diag.h"
#include "base/status.h"

struct pump;

struct snap_output {
    const char *name; /* borrowed; "-": standard output; tcp:…: a connection */
    struct pump *pump;
    /* Private: */
    int fd;
    bool is_created;
    bool keeps_old;
    char beside[PATH_MAX], old[PATH_MAX]; /* where the new one begins, and the earlier goes; "" */
};

/* Before the capture begins. `force`: whatever the file holds is given up. IO: `diag` says why. */
MUST_CHECK enum status output_open(struct snap_output *output, const char *name, bool force,
                                   struct diag *diag);

/* The capture has not begun: leaves all as it was. */
void output_abandon(struct snap_output *output);

/* When all is written, or given up. */
void output_close(struct snap_output *output);

/* The name, for messages. */
const char *output_title(const struct snap_output *output);

#endif
