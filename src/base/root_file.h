/* SPDX-License-Identifier: MIT */
/*
 * Files to read in the root of another process, at paths that it or a snapshot tells: on a disk or
 * in memory, and not empty. What a kernel makes up when it is read (procfs and the like) may tell
 * secrets, wait for ever, or be gone once it was read.
 */
#ifndef BASE_ROOT_FILE_H
#define BASE_ROOT_FILE_H

#include <sys/types.h>

/* Of all roots that are kept open. */
int root_open(pid_t tid);

/*
 * Opens the file at `path`, with links resolved as below the directory `root` (AT_FDCWD: in our own
 * root): a file descriptor; -1: errno, which is EMEDIUMTYPE where it is no such file.
 */
int root_file_open(int root, const char *path);

/* The same of a link of /proc to a file that is mapped, or runs. */
int root_link_open(const char *path);

#endif
