/* SPDX-License-Identifier: MIT */
/*
 * The file, pipe or connection that a snapshot is written to. Snapshots hold stack contents, which
 * may be secret: the file is readable by its owner only. Nothing is overwritten by mistake:
 *
 *     the file           what happens
 *     does not exist     it is created
 *     is empty           it is replaced
 *     is a snapshot      it becomes FILE.old; with `force` it is replaced
 *     anything else      refused; with `force` it is replaced
 *     is no file         a pipe or device is written to, a terminal refused
 *
 * An older FILE.old is lost if it is a snapshot; if it is not, the output is refused. A file is
 * replaced when the first byte is written: until then the new one is written beside it, as
 * FILE.PID.new. The output's file system is touched only before the process is attached to, or by
 * the pump, so that it cannot hold up the target.
 */
#ifndef TOOLS_CGSNAP_OUTPUT_H
#define TOOLS_CGSNAP_OUTPUT_H

#include <limits.h>
#include <stdbool.h>

#include "base/diag.h"
#include "base/status.h"

struct pump;

struct snap_output {
    const char *name; /* borrowed; "-": standard output; tcp:...: a connection */
    struct pump *pump;
    /* Private: */
    int fd;
    bool is_created;
    bool keeps_old;
    char beside[PATH_MAX], old[PATH_MAX]; /* paths FILE.PID.new and FILE.old; "": not used */
};

/*
 * Opens the output `name` (borrowed) and starts its pump; for use before the capture begins.
 * `force`: an existing file, whatever it holds, may be replaced. IO, or another status of
 * tcp_connect or pump_start: refused or failed; `diag` says why.
 */
MUST_CHECK enum status output_open(struct snap_output *output, const char *name, bool force,
                                   struct diag *diag);

/*
 * Closes the output without a snapshot, for a capture that has not begun, and removes the file that
 * output_open created.
 */
void output_abandon(struct snap_output *output);

/* Ends and frees the pump, after all is written or given up. */
void output_close(struct snap_output *output);

/* Returns the output's name for messages; "standard output" for "-". Borrowed. */
const char *output_title(const struct snap_output *output);

#endif
