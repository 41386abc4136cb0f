/* SPDX-License-Identifier: MIT */
/*
 * Lists files and directories that a confined program may read. All functions fail with NO_MEMORY
 * only.
 */
#ifndef CONFINE_READABLE_H
#define CONFINE_READABLE_H

#include <stddef.h>

#include "base/status.h"

struct readable { /* zeroed: empty */
    char **paths;
    size_t count, cap;
};

/* Adds a copy of the path. Fails with NO_MEMORY only. */
MUST_CHECK enum status readable_add(struct readable *readable, const char *path);

/*
 * Adds the path, and the directory of the file to which its symbolic links lead, so that files
 * beside that file can be read. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status readable_add_with_directory(struct readable *readable, const char *path);

/* Adds $HOME/below; nothing if $HOME is not set. Fails with NO_MEMORY only. */
MUST_CHECK enum status readable_add_in_home(struct readable *readable, const char *below);

/*
 * Adds the system's directories (/usr, /lib, /etc, /proc, /sys ...), those of $LD_LIBRARY_PATH, and
 * of /dev what any program may need (null, urandom, tty ...). Fails with NO_MEMORY only.
 */
MUST_CHECK enum status readable_add_system(struct readable *readable);

/*
 * Adds the directories outside of the system's in which Graphviz and fontconfig look for files.
 * Fails with NO_MEMORY only.
 */
MUST_CHECK enum status readable_add_fonts(struct readable *readable);

void readable_deinit(struct readable *readable);

#endif
