/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: a file's bytes, mapped read-only or copied, with zeroes behind them: the
 * libraries that parse sections read a few bytes beyond the end of a damaged one.
 */
#ifndef SYMBOL_ELF_FILE_MAP_H
#define SYMBOL_ELF_FILE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

/* A larger file of which less than this part takes room on its disk is refused. */
#define FILE_MAP_HOLES_MAX (UINT64_C(64) << 20)
#define FILE_MAP_RATIO_MAX 16

struct file_map {
    uint8_t *bytes;
    size_t size;
    bool mapped; /* else malloc'ed */
    /* When it was written, and when anything of it was changed; in ns; 0: it is no file. */
    uint64_t written_ns, changed_ns;
};

/*
 * IO: cannot be read, which is noted (base/shortage.h) unless there is no such file; BAD_DATA: no
 * regular file, empty, or nearly all of it a hole. `diag` (may be NULL) is filled.
 */
MUST_CHECK enum status file_map_open(const char *path, struct file_map *out, struct diag *diag);

/* The same of an open file, which is closed; `name` is for messages. */
MUST_CHECK enum status file_map_open_fd(int fd, const char *name, struct file_map *out,
                                        struct diag *diag);

/*
 * The `size` bytes, not 0, of `fd` from `off` on, where a page begins; zeroes follow in the last
 * one. `name` is for messages. IO.
 */
MUST_CHECK enum status file_map_open_part(int fd, uint64_t off, uint64_t size, const char *name,
                                          struct file_map *out, struct diag *diag);

/* A copy of `bytes`. */
MUST_CHECK enum status file_map_copy(const void *bytes, size_t size, struct file_map *out);

/* The whole pages among `size` bytes, where they are the map's, need not stay in memory. */
void file_map_let_go(const struct file_map *map, const uint8_t *bytes, size_t size);

void file_map_close(struct file_map *map);

#endif
