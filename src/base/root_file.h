/* SPDX-License-Identifier: MIT */
/*
 * Opens files for reading at paths that another process or a snapshot names, in that process's
 * root. Only regular files of at least 64 bytes (an ELF header) are opened, and none of procfs,
 * sysfs, debugfs, tracefs or securityfs: reading such a file may reveal secrets, block, or have
 * effects.
 */
#ifndef BASE_ROOT_FILE_H
#define BASE_ROOT_FILE_H

#include <sys/types.h>

/*
 * Opens the root directory of the process of `tid` (/proc/TID/root, O_PATH). Returns a descriptor,
 * to be closed by the caller; -1: it failed, see errno.
 */
int root_open(pid_t tid);

/*
 * Finds the file of any kind at `path`, where symbolic links are resolved as if the directory
 * `root` were "/" (AT_FDCWD: our own root). Kernels before 5.6 resolve absolute links in our root.
 * Returns a descriptor (O_PATH: the file is not touched), to be closed by the caller; -1: it
 * failed, see errno.
 */
int root_file_find(int root, const char *path);

/*
 * Opens the file that root_file_find finds, with its results (EMEDIUMTYPE: the file is of a kind
 * that this module does not open).
 */
int root_file_open(int root, const char *path);

/*
 * Opens the file that a link in /proc leads to (/proc/PID/exe or in /proc/PID/map_files), with the
 * results of root_file_open.
 */
int root_link_open(const char *path);

#endif
