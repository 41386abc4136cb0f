/* SPDX-License-Identifier: MIT */
/*
 * What is mapped: which kind of mapping it is, and of a file the build-id and whether its name
 * still is its own.
 */
#ifndef CAPTURE_PTRACE_MAP_FACTS_H
#define CAPTURE_PTRACE_MAP_FACTS_H

#include <sys/types.h>

#include "capture/target/backend.h"
#include "capture/ptrace/files.h"

/* `path` is as /proc/PID/maps has it; `tid` is a live thread that has the mapping. */
void map_facts_find(struct files *files, pid_t tid, const struct exec_map *map, const char *path,
                    struct map_facts *facts);

#endif
