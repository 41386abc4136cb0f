/* SPDX-License-Identifier: MIT */
/*
 * What only the files of the target tell. To look at one can take for ever, on a server that has
 * gone, say; so a process of its own does it, and is waited for no longer than some milliseconds.
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

/* Starts the process. NULL: it cannot be, and no question is answered. */
struct files *files_start(void);
void files_destroy(struct files *files);

struct file_facts {
    bool is_replaced;   /* another file has the name, or none */
    struct build_id id; /* where it was wanted */
};

/*
 * Of the file that `tid` has mapped as `map`, from `path` as the target sees it (or empty). False:
 * there was no answer in time; then `out` is zeroed.
 */
bool files_ask(struct files *files, pid_t tid, const struct exec_map *map, const char *path,
               bool wants_id, struct file_facts *out);

/*
 * A part of the process's perf map, from `off` on, by way of its thread `tid`: as the backend's
 * read_names. The file is kept open, for when the process has ended.
 */
ssize_t files_read_names(struct files *files, pid_t pid, pid_t tid, uint64_t off,
                         struct names_part *out);

#endif
