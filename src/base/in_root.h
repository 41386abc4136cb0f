/* SPDX-License-Identifier: MIT */
/*
 * Finds files below a directory that stands for "/": symbolic links that lead to absolute paths, or
 * up beyond it, stay within.
 *
 *     root          path                               finds
 *     /srv/board    /lib/libc.so.6                     /srv/board/lib/libc.so.6
 *     /srv/board    /lib/l.so -> /usr/lib/l.so         /srv/board/usr/lib/l.so
 *     /srv/board    /../../etc/passwd                  /srv/board/etc/passwd
 *
 * Instead of openat2(2) with RESOLVE_IN_ROOT, whose flags are in memory: the filter of a confined
 * process does not see what it opens for. Directories that others move meanwhile do not lead out,
 * either.
 */
#ifndef BASE_IN_ROOT_H
#define BASE_IN_ROOT_H

/*
 * Returns a descriptor (O_PATH: the file is not touched) of the file of any kind at `path`, to be
 * closed by the caller; -1: there is none, see errno (ELOOP: more than 40 links, or one of
 * procfs; ENAMETOOLONG: more than PATH_MAX bytes, or 64 directories). `root` is open; AT_FDCWD:
 * our own root.
 */
int in_root_find(int root, const char *path);

#endif
