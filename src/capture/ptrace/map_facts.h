/* SPDX-License-Identifier: MIT */
/* Finds a mapping's kind and, for a file, its build-id, and whether its path still leads to it. */
#ifndef CAPTURE_PTRACE_MAP_FACTS_H
#define CAPTURE_PTRACE_MAP_FACTS_H

#include <sys/types.h>

#include "capture/target/backend.h"
#include "capture/ptrace/files.h"

/*
 * Fills `facts` for maps->execs[exec]. Paths are as in /proc/PID/maps; `tid` is a live thread that
 * has the mapping. A file that does not answer in time sets facts->is_unanswered (files.h).
 */
void map_facts_find(struct files *files, pid_t tid, const struct maps *maps, size_t exec,
                    struct map_facts *facts);

#endif
