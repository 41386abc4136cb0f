/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: a file's bytes, mapped read-only or copied, with zeroes behind them, since
 * libraries that parse sections read a few bytes beyond the end of a damaged one.
 */
#ifndef SYMBOL_ELF_FILE_MAP_H
#define SYMBOL_ELF_FILE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

/* A file above HOLES_MAX bytes is refused when less than one byte in RATIO_MAX is on disk. */
#define FILE_MAP_HOLES_MAX (UINT64_C(64) << 20)
#define FILE_MAP_RATIO_MAX 16

struct file_map {
    uint8_t *bytes;
    size_t size;
    bool mapped; /* else malloc'ed */
    /* When it was written, and when it or its inode was changed; ns; 0: no whole file. */
    uint64_t written_ns, changed_ns;
};

/*
 * Maps a file. IO: cannot be read (noted in base/shortage.h, unless there is no such file);
 * BAD_DATA: no regular file, empty, or nearly all of it a hole. Fills `diag` (may be NULL).
 */
MUST_CHECK enum status file_map_open(const char *path, struct file_map *out, struct diag *diag);

/* The same for an open file, which it closes, also on failure; `name` is for messages. */
MUST_CHECK enum status file_map_open_fd(int fd, const char *name, struct file_map *out,
                                        struct diag *diag);

/*
 * Maps `size` bytes (not 0) of `fd` from `off` on, which must begin a page; zeroes fill the last
 * page. Leaves `fd` open. `name` is for messages. IO.
 */
MUST_CHECK enum status file_map_open_part(int fd, uint64_t off, uint64_t size, const char *name,
                                          struct file_map *out, struct diag *diag);

/* Copies `bytes`. NO_MEMORY. */
MUST_CHECK enum status file_map_copy(const void *bytes, size_t size, struct file_map *out);

/* Allows the whole pages among these bytes, if the map has them, to leave memory. */
void file_map_let_go(const struct file_map *map, const uint8_t *bytes, size_t size);

void file_map_close(struct file_map *map);

#endif
