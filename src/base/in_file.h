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

/* The same of a file of this user's, which is no symbolic link; else EPERM or EMEDIUMTYPE. */
int in_file_open_owned(const char *path, uid_t owner);

#endif
