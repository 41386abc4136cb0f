/* SPDX-License-Identifier: MIT */
/*
 * Opens output files for a program that has confined itself: a helper process, started before,
 * knows a few paths and hands over descriptors. The helper is asked by a path's number and never by
 * a path, so that an attacker who takes the program over cannot write elsewhere; and a file is
 * created, or truncated, only when there is something to write.
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
    const char *paths[OPENER_PATHS_MAX];              /* borrowed; NULL: not used */
    out_file_replaces_fn *replaces[OPENER_PATHS_MAX]; /* `replaces` of out_file_stream */
    /* paths[i] is a pattern for strftime(3), filled in with the local time of opening */
    bool is_dated[OPENER_PATHS_MAX];
    pid_t pid; /* of the helper; 0: there is none, and files are opened by this process */
    int fd;    /* a socket to the helper, if there is one */
};

/*
 * Starts the helper; to be called while the process has one thread; the caller calls opener_end.
 * `paths` must not change afterwards. IO: errno says why. Without this call the functions below
 * open and remove files in this process.
 */
MUST_CHECK enum status opener_begin(struct opener *opener);

/*
 * Opens paths[i] as out_file_stream does; the caller calls fclose. NULL: `diag` says why. If
 * is_dated[i], diag->file is set to the file's name, also on success.
 */
FILE *opener_open(struct opener *opener, size_t i, struct diag *diag);

/* Removes the file paths[i] if possible; the helper removes only a file that it has opened. */
void opener_remove(struct opener *opener, size_t i);

/* Ends the helper, if there is one. */
void opener_end(struct opener *opener);

#endif
