/* SPDX-License-Identifier: MIT */
/*
 * Asks the target's files, which can take for ever (a server that has gone): so a process of its
 * own does it, and is waited for 20 ms at most, and 60 ms in a second.
 */
#ifndef CAPTURE_PTRACE_FILES_H
#define CAPTURE_PTRACE_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/target/maps.h"
#include "capture/target/backend.h"
#include "snapshot/elf_file.h"

struct files;

/* Starts the process. NULL: failed; then no question is answered. */
struct files *files_start(void);
void files_destroy(struct files *files);

struct file_facts {
    bool is_replaced;   /* its path leads to another file, or to none */
    struct build_id id; /* if `wants_id` */
};

/*
 * Fills `out` for the file that `tid` has mapped as `map`, by `path` as the target sees it (or "").
 * False: no answer in time; `out` is zeroed.
 */
bool files_ask(struct files *files, pid_t tid, const struct exec_map *map, const char *path,
               bool wants_id, struct file_facts *out);

/*
 * Reads a part of the process's perf map, from `off` on, through its thread `tid`, as the backend's
 * read_names. The file stays open (of 16 processes), for when the process has ended.
 */
ssize_t files_read_names(struct files *files, pid_t pid, pid_t tid, uint64_t off,
                         struct names_part *out);

#endif
