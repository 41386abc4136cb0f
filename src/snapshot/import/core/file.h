/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the file's bytes. Headers, notes and stacks are read; all other
 * memory is reached through mappings of the file (base/windows.h), which cost nothing for what
 * nobody looks at, however large the core. What cannot be sought is copied to a file without name
 * first.
 *
 * Of a mapped file that somebody else cuts short while it is looked at zeroes are seen
 * (base/mapped.h), which are no memory of the process: so core_file_check is to be asked before
 * mapped bytes are handed out, and nothing behind its answer is touched.
 */
#ifndef SNAPSHOT_IMPORT_CORE_FILE_H
#define SNAPSHOT_IMPORT_CORE_FILE_H

#include "base/windows.h"
#include "snapshot/import/source.h"

#define CORE_VIEW_MAX (1u << 20) /* bytes of one view */

struct core_file {
    int fd;
    bool owns_fd;
    const char *name; /* for messages, borrowed */
    uint64_t size;    /* as core_file_check found it last */
    struct windows mapped;
    uint8_t *view; /* view_len bytes from view_off on */
    size_t view_len, view_cap;
    uint64_t view_off;
};

/* IO with `diag` filled, NO_MEMORY; nothing is to be closed then. */
MUST_CHECK enum status core_file_open(struct source_input *input, struct core_file *out,
                                      struct diag *diag);
void core_file_close(struct core_file *file);

/* Looks at the size again. False: the file has become shorter. That it is not told is noted. */
bool core_file_check(struct core_file *file);

/* How many of `size` bytes at `off` could be read; an error is noted (base/shortage.h). */
size_t core_file_read(const struct core_file *file, uint64_t off, void *buffer, size_t size);

/*
 * The bytes there, at most CORE_VIEW_MAX of them, valid until the next view; NULL: the file ends
 * before. Made for going forwards.
 */
const uint8_t *core_file_view(struct core_file *file, uint64_t off, size_t size);

#endif
