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
 * Opens the file that in_root_find finds. Returns a descriptor, to be closed by the caller; -1: it
 * failed, see errno (EMEDIUMTYPE: the file is of a kind that this module does not open;
 * EWOULDBLOCK: another process has a lease on it).
 */
int root_file_open(int root, const char *path);

/*
 * Opens the file that a link in /proc leads to (/proc/PID/exe or in /proc/PID/map_files), with the
 * results of root_file_open.
 */
int root_link_open(const char *path);

#endif
