/* SPDX-License-Identifier: MIT */
/*
 * A board's memory as files of nothing but its bytes, and its registers as a text: what any
 * debugger, probe or boot loader can write.
 */
#ifndef SNAPSHOT_IMPORT_DUMP_RAW_H
#define SNAPSHOT_IMPORT_DUMP_RAW_H

#include "snapshot/import/source.h"

struct raw_file { /* all borrowed */
    int fd;
    const char *name; /* for messages */
    uint64_t addr;    /* of its first byte; of the registers 0 */
};

struct raw_dump {
    const struct raw_file *files; /* of memory */
    size_t file_count;
    struct raw_file registers; /* registers.h */
    const struct arch *arch;
};

/* Reads all of them. BAD_DATA, IO with `diag` filled; NO_MEMORY. */
MUST_CHECK enum status raw_source_open(const struct raw_dump *raw, struct snap_source **out,
                                       struct diag *diag);

#endif
