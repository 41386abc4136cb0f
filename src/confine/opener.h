/* SPDX-License-Identifier: MIT */
/*
 * Opens output files for a program that has confined itself: a helper process, started before,
 * knows a few paths and hands over descriptors. It takes a path's number and never a path, so that
 * whoever takes the program over cannot write elsewhere; and a file is created, or truncated, only
 * when there is something to write.
 */
#ifndef CONFINE_OPENER_H
#define CONFINE_OPENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/out_file.h"
#include "base/status.h"

#define OPENER_PATHS_MAX 4

struct opener {
    const char *paths[OPENER_PATHS_MAX];              /* borrowed; NULL: none */
    out_file_replaces_fn *replaces[OPENER_PATHS_MAX]; /* as for out_file_stream */
    /* The path is a pattern for strftime(3), with the local time of opening. */
    bool is_dated[OPENER_PATHS_MAX];
    pid_t pid; /* 0: no helper process, files are opened here */
    int fd;    /* a socket to the helper */
};

/*
 * Starts the helper; call while there is one thread. `paths` must not change afterwards. IO: errno
 * says why. Without this call an opener opens its paths by itself.
 */
MUST_CHECK enum status opener_begin(struct opener *opener);

/* As out_file_stream(paths[i]). NULL: `diag` says why. If is_dated, diag.file is the name. */
FILE *opener_open(struct opener *opener, size_t i, struct diag *diag);

/* Removes paths[i] if possible; the helper removes only a file that it has opened. */
void opener_remove(struct opener *opener, size_t i);

/* Ends the helper, if there is one. */
void opener_end(struct opener *opener);

#endif
