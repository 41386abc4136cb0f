/* SPDX-License-Identifier: MIT */
/*
 * Files to write to, whose names others may have prepared: in /tmp, say, while we are root. A
 * symbolic link is followed nowhere or only where it is ours or root's; an existing file of another
 * user is refused, and so are directories and disks, and when we are root a file with several
 * links.
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
 * What has the name. *fd: O_PATH, to be closed; -1: nothing has it. `follow`: it may be a symbolic
 * link that is ours or root's. IO: refused, and `diag` says why.
 */
MUST_CHECK enum status out_file_find(const char *name, bool follow, int *fd, struct stat *st,
                                     struct diag *diag);

/* Creates it, for writing. IO, also if something has the name by now. */
MUST_CHECK enum status out_file_create(const char *name, mode_t mode, int *fd, struct diag *diag);

/*
 * Opens for writing what out_file_find has found, and nothing else, and closes `found`. `empty`: it
 * is made empty. Waits for a FIFO's reader.
 */
MUST_CHECK enum status out_file_open(int found, const char *name, bool empty, int *fd,
                                     struct diag *diag);

/* Whether an existing file that begins so may be overwritten. */
typedef bool out_file_replaces_fn(const char *begin, size_t size);
#define OUT_FILE_BEGIN_MAX 4096 /* bytes of `begin` */

/* Any. */
bool out_file_replaces_all(const char *begin, size_t size);

/*
 * All of the above: a stream to the file, which is created, for nobody but us; or made empty where
 * it is no ordinary file, or is empty, or `replaces` (NULL: nothing is) says so of it. No symbolic
 * link is followed. /dev/stdout, /dev/fd/3 and the like are written to as they are open. NULL:
 * `diag` says why not.
 */
FILE *out_file_stream(const char *name, out_file_replaces_fn *replaces, struct diag *diag);

#endif
