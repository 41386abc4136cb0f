/* SPDX-License-Identifier: MIT */
/* A board's memory as raw bytes and its registers as text: what any debugger or probe can write. */
#ifndef BOARDS_DUMP_RAW_H
#define BOARDS_DUMP_RAW_H

#include "snapshot/import/source.h"

struct raw_file { /* all borrowed */
    int fd;
    const char *name; /* for messages */
    uint64_t addr;    /* run-time address of its first byte; registers: 0 */
};

struct raw_dump {
    const struct raw_file *files; /* memory */
    size_t file_count;
    struct raw_file registers; /* the text of registers.h */
    const struct arch *arch;
};

/* Reads all files and makes a source of them. BAD_DATA, IO with `diag` filled; NO_MEMORY. */
MUST_CHECK enum status raw_source_open(const struct raw_dump *raw, struct snap_source **out,
                                       struct diag *diag);

#endif
