/* SPDX-License-Identifier: MIT */
/*
 * Reads the build-id of a mapped ELF file (elf_file.h), by which a snapshot identifies a module's
 * file.
 */
#ifndef CAPTURE_PTRACE_BUILD_ID_H
#define CAPTURE_PTRACE_BUILD_ID_H

#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "snapshot/elf_file.h"

/*
 * Read the build-id by build_id_find, with its errors: from the memory of `pid`, where the ELF
 * file's offset 0 is mapped at `addr`; from the file `fd`.
 */
MUST_CHECK enum status build_id_from_memory(pid_t pid, uint64_t addr, struct build_id *out);
MUST_CHECK enum status build_id_from_fd(int fd, struct build_id *out);

#endif
