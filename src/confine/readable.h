/* SPDX-License-Identifier: MIT */
/*
 * Files and directories that a confined program may read: a list, and what is usual on it.
 */
#ifndef CONFINE_READABLE_H
#define CONFINE_READABLE_H

#include <stddef.h>

#include "base/status.h"

struct readable { /* zeroed: empty */
    char **paths;
    size_t count, cap;
};

/* Copies the path. NO_MEMORY, of all. */
MUST_CHECK enum status readable_add(struct readable *readable, const char *path);

/* The file, and the directory that it is in, links followed: for what lies beside. */
MUST_CHECK enum status readable_add_with_directory(struct readable *readable, const char *path);

/* A path below $HOME; none where that is not set. */
MUST_CHECK enum status readable_add_in_home(struct readable *readable, const char *below);

/* Libraries and their configuration, those of LD_LIBRARY_PATH among them. */
MUST_CHECK enum status readable_add_system(struct readable *readable);

/* What Graphviz draws with, as far as it is not of the system. */
MUST_CHECK enum status readable_add_fonts(struct readable *readable);

void readable_deinit(struct readable *readable);

#endif
