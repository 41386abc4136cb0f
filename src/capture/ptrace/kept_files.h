/* SPDX-License-Identifier: MIT */
/*
 * The bundler's list of open files, which go into the snapshot in the order in which they came, and
 * their debug files, which are looked for and written after all of them. All calls may block on a
 * file system.
 */
#ifndef CAPTURE_PTRACE_KEPT_FILES_H
#define CAPTURE_PTRACE_KEPT_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/target/kept.h"
#include "snapshot/elf_file.h"

/* Most files in a snapshot; further ones count as missing. */
#define KEPT_FILES_MAX 16384u

struct kept_files;

struct kept_mapping {
    pid_t tid;                                 /* a thread that has the mapping */
    uint64_t start_addr, end_addr, dev, inode; /* as in /proc/PID/maps */
    struct build_id id;                        /* build-id of the mapped file; size 0: none */
};

/* Returns an empty list; NULL: no memory. Raises the process's limit of open files. */
struct kept_files *kept_files_create(void);

/*
 * Opens the mapped ELF file, which the target has at `path`, and adds it to the list: a file with
 * the mapping's build-id or, if it has none, the very file that is mapped. A file that cannot be
 * opened counts as missing. Does nothing for files that are no ELF, and for known ones.
 */
void kept_files_add(struct kept_files *files, const struct kept_mapping *mapping, const char *path);

/*
 * kept_files_send calls `send` with each file followed by its parts, at last with KEPT_END; stops
 * when `send` returns false. It looks for debug files in the target's root directory, then in that
 * of cgsnap, and takes those with the mapped file's build-id or, where it has none, with the
 * checksum in its .gnu_debuglink.
 */
typedef bool kept_send_fn(void *context, const struct kept *kept);
void kept_files_send(struct kept_files *files, kept_send_fn *send, void *context);

#endif
