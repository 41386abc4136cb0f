/* SPDX-License-Identifier: MIT */
/* Files in the root of another process. */
#ifndef BASE_ROOT_FILE_H
#define BASE_ROOT_FILE_H

#include <sys/types.h>

/*
 * Opens the regular file at `path`, with links resolved as in the root of `tid` (0: ours): a file
 * descriptor; -1: errno, as in_file_open's.
 */
int root_file_open(pid_t tid, const char *path);

#endif
