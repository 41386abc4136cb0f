/* SPDX-License-Identifier: MIT */
/*
 * Reads facts from the target's files, which can take for ever (a server that has gone): so a
 * helper process does it, and is waited for at most 20 ms at a time, and 60 ms in a second.
 */
#ifndef CAPTURE_PTRACE_FILES_H
#define CAPTURE_PTRACE_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/file_pieces.h"
#include "capture/target/maps.h"
#include "capture/target/backend.h"
#include "snapshot/elf_file.h"

struct files;

/*
 * Starts the helper process; the caller calls files_destroy. NULL: that failed; the functions below
 * take NULL and answer nothing.
 */
struct files *files_start(void);
void files_destroy(struct files *files);

struct file_facts {
    bool is_replaced;          /* the mapped file's path leads to another file, or to none */
    unsigned reading;          /* of that path: enum maps_reading */
    struct build_id id;        /* build-id of the mapped file; size 0: none, or not wanted */
    struct file_pieces pieces; /* count 0: none, or not wanted */
};

enum file_wants {
    FILE_WANTS_PLACE,  /* is_replaced alone */
    FILE_WANTS_ID,     /* also id or, of a file without one, pieces */
    FILE_WANTS_PIECES, /* also id and pieces, of the file at the path, though `map` is a copy */
};

/*
 * Fills `out` for the file that `tid` has mapped as `map`, whose path in /proc/TID/maps is `path`.
 * False: no answer in time; `out` is zeroed but for the usual reading.
 */
bool files_ask(struct files *files, pid_t tid, const struct exec_map *map, const char *path,
               enum file_wants wants, struct file_facts *out);

/*
 * Reads a part of the process's perf map, from the byte `off` on, through its thread `tid`, into
 * *out. Returns the number of bytes; 0: the file ends there or before; -1: no file, or no answer in
 * time. The helper keeps the files of 16 processes open, for when the process has ended.
 */
ssize_t files_read_names(struct files *files, pid_t pid, pid_t tid, uint64_t off,
                         struct names_part *out);

#endif
