/* SPDX-License-Identifier: MIT */
/*
 * The bundler's list of open files, which go into the snapshot in the order in which they came;
 * debug files after all of them, as these are looked for last. All calls may block on a file
 * system.
 */
#ifndef CAPTURE_PTRACE_KEPT_FILES_H
#define CAPTURE_PTRACE_KEPT_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/target/kept.h"
#include "snapshot/elf_file.h"

/* Files in a snapshot; further ones count as missing. */
#define KEPT_FILES_MAX 16384u

struct kept_files;

struct kept_mapping {
    pid_t tid; /* a thread that has it */
    uint64_t start_addr, end_addr, dev, inode;
    struct build_id id;
};

/* Returns an empty list; NULL: no memory. Raises the limit of open files. */
struct kept_files *kept_files_create(void);

/*
 * Opens the mapped ELF file, which the target has at `path`, and adds it: a file with the mapping's
 * build-id or, if that has none, the very file. Leaves out files that are no ELF.
 */
void kept_files_add(struct kept_files *files, const struct kept_mapping *mapping, const char *path);

/*
 * Calls `send` with each file followed by its parts, at last with END; stops when `send` returns
 * false. Looks for debug files in the target's root, then in ours, and takes those with the
 * build-id or, where there is none, the checksum.
 */
typedef bool kept_send_fn(void *context, const struct kept *kept);
void kept_files_send(struct kept_files *files, kept_send_fn *send, void *context);

#endif
