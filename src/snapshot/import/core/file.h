/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the file's bytes. Headers, notes and stacks are read; all other
 * memory is reached through mappings of the file (base/windows.h), which cost nothing for bytes
 * that nobody reads. A stream is copied to an unnamed file first.
 *
 * If somebody truncates the file, its mapping shows zeroes (base/mapped.h), which are no memory of
 * the process. So core_file_check is to be called before mapped bytes are given to others, and
 * bytes behind file->size are not to be used.
 */
#ifndef SNAPSHOT_IMPORT_CORE_FILE_H
#define SNAPSHOT_IMPORT_CORE_FILE_H

#include "base/windows.h"
#include "snapshot/import/source.h"

#define CORE_VIEW_MAX (1u << 20) /* most bytes of one view */

struct core_file {
    int fd;
    bool owns_fd;     /* core_file_close closes `fd`: a copy of a stream */
    const char *name; /* for messages, borrowed */
    uint64_t size;    /* bytes of the file, the least that core_file_check has found */
    struct windows mapped;
    uint8_t *view; /* owned: view_len bytes of the file from view_off on */
    size_t view_len, view_cap;
    uint64_t view_off;
};

/*
 * Opens the file of `input`, which is borrowed. IO with `diag` filled; NO_MEMORY; then *out is
 * closed.
 */
MUST_CHECK enum status core_file_open(struct source_input *input, struct core_file *out,
                                      struct diag *diag);
void core_file_close(struct core_file *file);

/*
 * Asks for the file's size again. False: the file has shrunk, and file->size is its new size. A
 * failure to ask is noted (base/shortage.h) and counts as unchanged.
 */
bool core_file_check(struct core_file *file);

/*
 * Copies up to `size` bytes at offset `off`; returns how many were read, fewer at the file's end or
 * after an error, which is noted (base/shortage.h).
 */
size_t core_file_read(const struct core_file *file, uint64_t off, void *buffer, size_t size);

/*
 * Returns `size` bytes, at most CORE_VIEW_MAX, from offset `off` on, valid until the next
 * core_file_view; NULL: the file ends before, or no memory. Reads ahead, for callers that go
 * forwards.
 */
const uint8_t *core_file_view(struct core_file *file, uint64_t off, size_t size);

#endif
