/* SPDX-License-Identifier: MIT */
/*
 * Files to read whose names come from a target or a snapshot. To open one can do something, or take
 * for ever: a FIFO, a device, a mount point of autofs. So only regular files are opened.
 */
#ifndef BASE_IN_FILE_H
#define BASE_IN_FILE_H

#include <sys/types.h>

/*
 * Opens it for reading: a file descriptor; -1: errno, which is EMEDIUMTYPE where it is no regular
 * file.
 */
int in_file_open(const char *path);

/*
 * The same of a file of this user's in a directory of another root, neither of which is a symbolic
 * link, which would be one in our root; else EPERM, EMEDIUMTYPE or ENOTDIR.
 */
int in_file_open_below(const char *root, const char *directory, const char *name, uid_t owner);

#endif
