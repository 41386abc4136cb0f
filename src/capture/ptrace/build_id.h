/* SPDX-License-Identifier: MIT */
/*
 * Reads the build-id of a mapped ELF file (elf_file.h), so that a snapshot says which file a module
 * was.
 */
#ifndef CAPTURE_PTRACE_BUILD_ID_H
#define CAPTURE_PTRACE_BUILD_ID_H

#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "snapshot/elf_file.h"

/* build_id_find on the file's image in the memory of `pid`; its offset 0 is at `addr`. */
MUST_CHECK enum status build_id_from_memory(pid_t pid, uint64_t addr, struct build_id *out);
MUST_CHECK enum status build_id_from_fd(int fd, struct build_id *out);

#endif
