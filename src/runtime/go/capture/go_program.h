/* SPDX-License-Identifier: MIT */
/* Finds out from memory which version of Go built a running program: runtime/go/memory. */
#ifndef RUNTIME_GO_CAPTURE_GO_PROGRAM_H
#define RUNTIME_GO_CAPTURE_GO_PROGRAM_H

#include "capture/target/backend.h"
#include "capture/target/maps.h"

/*
 * Returns the Go version (as go_version_find does) of the program with the mapping `program`; 0:
 * not known. Reads the program's writable data, up to a MiB, through the live thread `tid`; may
 * wait until the kernel has loaded them.
 */
unsigned go_program_version(const struct target *target, pid_t tid, const struct maps *maps,
                            const struct exec_map *program);

#endif
