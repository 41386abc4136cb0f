/* SPDX-License-Identifier: MIT */
/*
 * The build-id of a mapped ELF file (elf_file.h). The only thing that capture knows of ELF, so that
 * a snapshot says which file a module was.
 */
#ifndef CAPTURE_PTRACE_BUILD_ID_H
#define CAPTURE_PTRACE_BUILD_ID_H

#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "snapshot/elf_file.h"

/* As build_id_find: from the file's image in the memory of `pid`, its offset 0 mapped at `addr`. */
MUST_CHECK enum status build_id_from_memory(pid_t pid, uint64_t addr, struct build_id *out);
MUST_CHECK enum status build_id_from_fd(int fd, struct build_id *out);

#endif
