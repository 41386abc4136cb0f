/* SPDX-License-Identifier: MIT */
/*
 * With which version of Go a running program was built (snapshot/go_version.h), by its memory.
 */
#ifndef CAPTURE_TARGET_GO_PROGRAM_H
#define CAPTURE_TARGET_GO_PROGRAM_H

#include "capture/target/backend.h"
#include "capture/target/maps.h"

/*
 * `program`: one of its file's mappings. 0: that is not known. Reads through the live thread `tid`
 * what the file has of the program's data, up to a MiB, which may have to be brought.
 */
unsigned go_program_version(const struct target *target, pid_t tid, const struct maps *maps,
                            const struct exec_map *program);

#endif
