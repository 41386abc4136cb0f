/* SPDX-License-Identifier: MIT */
/*
 * Opens files whose names come from a target or a snapshot. Opening a FIFO, a device or a mount
 * point of autofs could block or have effects, so that only regular files are opened.
 */
#ifndef BASE_IN_FILE_H
#define BASE_IN_FILE_H

#include <sys/types.h>

/*
 * Opens for reading the regular file that the O_PATH descriptor `found` refers to. Returns another
 * descriptor, to be closed by the caller; -1: errno says why (EWOULDBLOCK: another process has a
 * lease on the file, and did not give it up in a second; the kernel would wait for 45).
 */
int in_file_reopen(int found);

/*
 * Opens a regular file for reading; follows symbolic links. Returns a descriptor, to be closed by
 * the caller; -1: errno says why, EMEDIUMTYPE where `path` is no regular file.
 */
int in_file_open(const char *path);

/*
 * Opens the regular file root/directory/name, which `owner` must own, for reading, and returns a
 * descriptor, to be closed by the caller. Fails if `directory` or `name` is a symbolic link, as
 * those of a container's `root` would be resolved in the host's file system. `directory` (one
 * component) and `name` are relative. -1: errno is EPERM (another owner), EMEDIUMTYPE (no regular
 * file), ENOTDIR, or open(2)'s.
 */
int in_file_open_below(const char *root, const char *directory, const char *name, uid_t owner);

#endif
