/* SPDX-License-Identifier: MIT */
/*
 * Opens output files whose names other users may have prepared, in /tmp while we are root, say.
 * Refused are symbolic links (out_file_find with `follow`: except ours and root's), directories,
 * block devices, another user's regular files and FIFOs (a FIFO that a followed link leads to is
 * allowed), and, when we are root, regular files with several hard links.
 */
#ifndef BASE_OUT_FILE_H
#define BASE_OUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/status.h"

/*
 * Looks the file `name` up without opening it. Sets *fd to an O_PATH descriptor of the existing
 * file, which the caller closes or gives to out_file_open, and fills *st; *fd -1: there is no such
 * file. `follow`: `name` may be a symbolic link that belongs to us or to root. IO: the file is
 * refused (see above) or cannot be reached; `diag` says why.
 */
MUST_CHECK enum status out_file_find(const char *name, bool follow, int *fd, struct stat *st,
                                     struct diag *diag);

/*
 * Creates the file `name` for writing; the caller closes *fd. IO: `diag` says why; also if the file
 * exists by now.
 */
MUST_CHECK enum status out_file_create(const char *name, mode_t mode, int *fd, struct diag *diag);

/*
 * Opens for writing the very file that out_file_find found, and closes `found` in any case; the
 * caller closes *fd. `empty`: the file is truncated. `name` is for messages. Waits until a FIFO has
 * a reader. IO: `diag` says why.
 */
MUST_CHECK enum status out_file_open(int found, const char *name, bool empty, int *fd,
                                     struct diag *diag);

/*
 * Whether an existing file that begins with the `size` bytes at `begin` may be overwritten; size 0:
 * the file could not be read.
 */
typedef bool out_file_replaces_fn(const char *begin, size_t size);
#define OUT_FILE_BEGIN_MAX 4096 /* most bytes of a file that out_file_replaces_fn gets */

/* Returns true: every existing file may be overwritten. */
bool out_file_replaces_all(const char *begin, size_t size);

/*
 * Opens a stream that writes to the file `name`; the caller calls fclose. No symbolic link is
 * followed.
 *
 *     name                                  effect
 *     /dev/stdout, /dev/stderr, /dev/fd/N,  writes to a copy of our descriptor
 *     /proc/self/fd/N
 *     does not exist                        is created with mode 0600
 *     exists, and `replaces` is NULL        fails
 *     a regular file, empty                 is written to, with mode 0600
 *     a regular file, and `replaces` agrees is truncated; gets mode 0600
 *     a regular file, otherwise             fails
 *     a FIFO, a character device            is written to
 *
 * NULL: it cannot be opened; `diag` says why.
 */
FILE *out_file_stream(const char *name, out_file_replaces_fn *replaces, struct diag *diag);

/* Removes the regular file `name`, which was begun. A device or FIFO, there before, stays. */
void out_file_remove(const char *name);

#endif
