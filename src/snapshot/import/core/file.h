/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the file's bytes. Headers, notes and stacks are read; all other
 * memory is reached through mappings of the file (base/windows.h), which cost nothing for bytes
 * that nobody looks at. A stream is copied to an unnamed file first.
 *
 * If somebody truncates the file, its mapping shows zeroes (base/mapped.h), which are no memory of
 * the process. Call core_file_check before handing out mapped bytes, and touch none behind
 * file->size.
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
    uint64_t size;    /* bytes, as core_file_check last found */
    struct windows mapped;
    uint8_t *view; /* owned: view_len bytes from view_off on */
    size_t view_len, view_cap;
    uint64_t view_off;
};

/* Opens the file of `input`, borrowed. IO with `diag` filled, NO_MEMORY: nothing is open then. */
MUST_CHECK enum status core_file_open(struct source_input *input, struct core_file *out,
                                      struct diag *diag);
void core_file_close(struct core_file *file);

/*
 * Looks at the file's size again. False: it has shrunk, and file->size is the new one. An unknown
 * size is noted (base/shortage.h) and counts as unchanged.
 */
bool core_file_check(struct core_file *file);

/* Reads `size` bytes at `off`; returns how many there are. Errors are noted (base/shortage.h). */
size_t core_file_read(const struct core_file *file, uint64_t off, void *buffer, size_t size);

/*
 * Returns `size` bytes at `off`, at most CORE_VIEW_MAX, valid until the next view; NULL: the file
 * ends before, or no memory. Reads ahead: made for going forwards.
 */
const uint8_t *core_file_view(struct core_file *file, uint64_t off, size_t size);

#endif
