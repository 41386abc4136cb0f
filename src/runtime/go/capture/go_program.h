/* SPDX-License-Identifier: MIT */
/* Finds out from memory which version of Go built a running program: runtime/go/memory. */
#ifndef RUNTIME_GO_CAPTURE_GO_PROGRAM_H
#define RUNTIME_GO_CAPTURE_GO_PROGRAM_H

#include "capture/target/backend.h"
#include "capture/target/maps.h"

/*
 * Returns the Go version of the file that `program` is a mapping of; 0: not known. Reads the file's
 * writable data, up to a MiB, through the live thread `tid`; the kernel may have to load it.
 */
unsigned go_program_version(const struct target *target, pid_t tid, const struct maps *maps,
                            const struct exec_map *program);

#endif
