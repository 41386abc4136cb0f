/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: a file's bytes, mapped read-only or copied, and zeroes behind the last byte,
 * since libraries that parse sections read a few bytes beyond the end of a damaged one.
 */
#ifndef SYMBOL_ELF_FILE_MAP_H
#define SYMBOL_ELF_FILE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"

/* A file of more than HOLES_MAX bytes is refused if less than one byte in RATIO_MAX is on disk. */
#define FILE_MAP_HOLES_MAX (UINT64_C(64) << 20)
#define FILE_MAP_RATIO_MAX 16

struct file_map {
    uint8_t *bytes;
    size_t size;
    bool mapped; /* `bytes` is mapped; false: malloc'ed */
    /*
     * Times when the file was written, and when it or its inode was changed; ns since the epoch; 0:
     * the map is not of a whole file.
     */
    uint64_t written_ns, changed_ns;
};

/*
 * Maps a file. IO: the file cannot be read (noted in base/shortage.h, unless there is no such
 * file); BAD_DATA: it is no regular file, empty, or nearly all a hole. `diag` (NULL: not wanted)
 * says why.
 */
MUST_CHECK enum status file_map_open(const char *path, struct file_map *out, struct diag *diag);

/* Maps the file `fd`, and closes it in any case; else as file_map_open. `name` is for messages. */
MUST_CHECK enum status file_map_open_fd(int fd, const char *name, struct file_map *out,
                                        struct diag *diag);

/*
 * Maps `size` bytes (not 0) of `fd` from offset `off` on, which must be a multiple of the page
 * size; the caller sees to it that the rest of the last page is zeroes. Leaves `fd` open. `name` is
 * for messages. IO: `diag` says why.
 */
MUST_CHECK enum status file_map_open_part(int fd, uint64_t off, uint64_t size, const char *name,
                                          struct file_map *out, struct diag *diag);

/* Sets *out to a copy of `bytes`. NO_MEMORY. */
MUST_CHECK enum status file_map_copy(const void *bytes, size_t size, struct file_map *out);

/*
 * Tells the kernel that the whole pages among these bytes may leave memory; they can be read as
 * before. Does nothing if the file is copied, not mapped, or any of the bytes is not in `map`.
 */
void file_map_let_go(const struct file_map *map, const uint8_t *bytes, size_t size);

void file_map_close(struct file_map *map);

#endif
