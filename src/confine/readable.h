/* SPDX-License-Identifier: MIT */
/* Lists files and directories that a confined program may read. All fail with NO_MEMORY only. */
#ifndef CONFINE_READABLE_H
#define CONFINE_READABLE_H

#include <stddef.h>

#include "base/status.h"

struct readable { /* zeroed: empty */
    char **paths;
    size_t count, cap;
};

/* Adds a copy of the path. */
MUST_CHECK enum status readable_add(struct readable *readable, const char *path);

/* Adds the path, and the directory of the file that its links lead to: for files beside it. */
MUST_CHECK enum status readable_add_with_directory(struct readable *readable, const char *path);

/* Adds a path below $HOME; none if $HOME is not set. */
MUST_CHECK enum status readable_add_in_home(struct readable *readable, const char *below);

/* Adds the system's directories of libraries and configuration, and LD_LIBRARY_PATH's. */
MUST_CHECK enum status readable_add_system(struct readable *readable);

/* Adds Graphviz's and fontconfig's files outside of the system's directories. */
MUST_CHECK enum status readable_add_fonts(struct readable *readable);

void readable_deinit(struct readable *readable);

#endif
