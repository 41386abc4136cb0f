/* SPDX-License-Identifier: MIT */
/*
 * The bundler's list: files that are open, and go into the snapshot in the order in which they
 * came; debug files behind them, which are looked for no sooner. All calls may take as long as a
 * file system likes.
 */
#ifndef CAPTURE_PTRACE_KEPT_FILES_H
#define CAPTURE_PTRACE_KEPT_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/target/kept.h"
#include "snapshot/elf_file.h"

/* Of a snapshot; what is beyond is missing. */
#define KEPT_FILES_MAX 16384u

struct kept_files;

struct kept_mapping {
    pid_t tid; /* of a thread that has it */
    uint64_t start_addr, end_addr, dev, inode;
    struct build_id id;
};

/* NULL: no memory. */
struct kept_files *kept_files_create(void);

/*
 * Opens the ELF file that is mapped, which the target has at `path`: that very file, if it has no
 * build-id, else one with the build-id.
 */
void kept_files_add(struct kept_files *files, const struct kept_mapping *mapping, const char *path);

/*
 * Hands over each file, its parts behind it, and END; until `send` returns false. Debug files are
 * looked for in the target's root, then in ours, and taken if they have the build-id, or where
 * there is none the checksum.
 */
typedef bool kept_send_fn(void *context, const struct kept *kept);
void kept_files_send(struct kept_files *files, kept_send_fn *send, void *context);

#endif
