/* SPDX-License-Identifier: MIT */
/*
 * A source of files that any debugger or probe can write: a board's memory as raw bytes, and its
 * registers as text.
 */
#ifndef BOARDS_DUMP_RAW_H
#define BOARDS_DUMP_RAW_H

#include "snapshot/import/source.h"

struct raw_file { /* all borrowed */
    int fd;
    const char *name; /* for messages */
    uint64_t addr;    /* run-time address of the file's first byte; 0 for the registers */
};

struct raw_dump {
    const struct raw_file *files; /* files of memory, file_count */
    size_t file_count;
    struct raw_file registers; /* a text as registers_read takes it */
    const struct arch *arch;
};

/* Reads all files and makes *out of them. BAD_DATA, IO with `diag` filled; NO_MEMORY. */
MUST_CHECK enum status raw_source_open(const struct raw_dump *raw, struct snap_source **out,
                                       struct diag *diag);

#endif
