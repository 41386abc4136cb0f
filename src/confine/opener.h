/* SPDX-License-Identifier: MIT */
/*
 * Opens output files for a program that has confined itself: a helper process, begun before, which
 * knows a few paths and hands over descriptors. It is asked for the i-th path and never for another
 * one, so that whoever takes the program over cannot write anywhere else; and a file is made, or
 * loses what it had, no sooner than there is something to write.
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
    /* The path is a pattern of strftime(3), for the local time at which it is opened. */
    bool is_dated[OPENER_PATHS_MAX];
    pid_t pid; /* 0: no process, files are opened here */
    int fd;    /* the process's end of a socket */
};

/*
 * Begins the process. To be called while there is one thread, and without `paths` changing from
 * here on. IO: errno says why not. Without it an opener with paths opens them by itself.
 */
MUST_CHECK enum status opener_begin(struct opener *opener);

/* As out_file_stream(paths[i]): NULL, and `diag` says why. Of a dated one diag.file is its name. */
FILE *opener_open(struct opener *opener, size_t i, struct diag *diag);

/* As remove(paths[i]); whether that could be done does not matter to anybody. */
void opener_remove(struct opener *opener, size_t i);

/* Also of one that was not begun. */
void opener_end(struct opener *opener);

#endif
